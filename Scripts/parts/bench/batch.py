# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures a batch with several numbers of jobs, for Scripts/bench batch."""

import json, os, resource, shutil, statistics, subprocess, sys, time

program, folder, work, runs, numbers, simulated, *options = sys.argv[1:]
numbers = [int(number) for number in numbers.split()]
into = f"{work}/out"


def spent():
    """Returns the processor time of the program's runs so far, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine():
    """Returns for how many seconds this machine's processors were busy, with any programs."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, *rest = map(int, file.readline().split()[1:9])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def timed(*arguments):
    """Runs the program; returns the wall time and the processor time that it took."""
    before, start = spent(), time.monotonic()
    command = [program, "transcode", *arguments, "--progress", "none", "-q", *options]
    status = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
    if status == 64:
        sys.exit("transcode refuses these arguments")
    return time.monotonic() - start, spent() - before


def batch(jobs, *more):
    return timed(folder, "--recursive", "--into", into, "--jobs", str(jobs), *more)


def files():
    """Returns each file of the last batch, with its output's extension."""
    with open(f"{into}/.candela-batch.jsonl") as lines:
        records = [json.loads(line) for line in lines]
    return [(record["source"], os.path.splitext(record["output"])[1]) for record in records]


def predicted(costs, jobs, cores):
    """Predicts the seconds until the last file ends, and the share of the cores that files have
    until then. With several jobs, the largest files begin first. A file gets its share of the
    cores. It works there for as much of the time as was measured, but keeps no more cores busy
    than when it ran alone."""
    waiting = [cost[:2] for cost in sorted(costs, key=lambda cost: cost[2])]
    running, now, taken = [], 0.0, 0.0
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append([*waiting.pop()])
        shares = [cores * working
                  for cores in part(cores, [most / working for _, most in running])]
        slower = growth(sum(shares), cores)
        step = min(left / share for (left, _), share in zip(running, shares)) * slower
        now += step
        taken += step * sum(shares) / working
        for file, share in zip(running, shares):
            file[0] -= step * share / slower
        running = [file for file in running if file[0] > 1e-9]
    return now, taken / now / cores


def part(cores, most):
    """Divides cores evenly; cores that some files cannot use go to the others."""
    shares, left = [0.0] * len(most), cores
    for position, index in enumerate(sorted(range(len(most)), key=most.__getitem__)):
        shares[index] = min(most[index], left / (len(most) - position))
        left -= shares[index]
    return shares


def growth(busy, cores):
    """Returns how many times as much processor time work takes while files keep that many of the
    cores busy as while one core is. Threads share a core's units, and cores share caches and a
    clock. That was measured with a file on each core, which does not keep it busy all the time."""
    one, taken = 1 / os.cpu_count(), min(busy / working / cores, 1)
    return 1 + (crowded - 1) * max(taken - one, 0) / (1 - one) if one < 1 else 1


def side_by_side(count, source, ending):
    """Encodes that many of a file at once, each on a core of its own. Returns the mean processor
    time and the mean wall time of one."""
    arguments = [program, "transcode", source, "--threads", "1", "--workers", "1", "--encode",
                 "needed", "--overwrite", "--progress", "none", "-q", *options]
    begun, seconds, wall = {}, 0, 0
    for core in sorted(os.sched_getaffinity(0))[:count]:
        process = subprocess.Popen(
            [*arguments, f"{work}/side{core}{ending}"], stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        begun[process.pid] = time.monotonic(), process
    for _ in begun:
        number, _, usage = os.wait4(-1, 0)
        wall += time.monotonic() - begun[number][0]
        seconds += usage.ru_utime + usage.ru_stime
    return seconds / len(begun), wall / len(begun)


begin = machine(), spent(), time.monotonic()
walls = {jobs: [] for jobs in numbers}
alone, side = {}, {1: [], os.cpu_count(): []}
# Machines are not equally fast at all times, so each round measures a part of everything.
for turn in range(int(runs)):
    for jobs in numbers:
        shutil.rmtree(into, ignore_errors=True)
        walls[jobs].append(batch(jobs))
    found = sorted(files(), key=lambda file: (os.path.getsize(file[0]), file))
    for source, ending in found[turn::int(runs)]:
        wall, seconds = timed(source, f"{work}/one{ending}", "--encode", "needed", "--workers",
                              "1", "--overwrite")
        alone[source, ending] = seconds, seconds / wall
    for file in found[::max(len(found) // 15, 1)][turn::int(runs)]:
        for count, times in side.items():
            times.append(side_by_side(count, *file))
around = batch(1, "--existing", "skip")[0]
single, several = ([sum(times) for times in zip(*side[count])] for count in (1, os.cpu_count()))
crowded = several[0] / single[0]
# A file waits for the disk, for other threads and, where other machines share the processors, for
# those.
working = several[0] / several[1]
others = (machine() - begin[0] - spent() + begin[1]) / (time.monotonic() - begin[2])
if others > 0.1:
    print(f"other programs kept {others:.1f} cores busy, so all times here are too long")
# The processor time of each file as if one core were busy.
costs = [(seconds / growth(most, os.cpu_count()), most, os.path.getsize(source))
         for (source, _), (seconds, most) in alone.items()]
# In a batch, files also take time for records and for messages between processes.
factor = (statistics.median(seconds / growth(seconds / wall, os.cpu_count())
                            for wall, seconds in walls[numbers[0]])
          / sum(seconds for seconds, *_ in costs))
costs = [(seconds * factor, most, size) for seconds, most, size in costs]
total = sum(seconds for seconds, *_ in costs)


def longest(cores):
    """Returns how long the file that takes longest takes alone on this many cores."""
    return max(seconds / most * growth(most, cores) for seconds, most, _ in costs)


print(f"{len(costs)} files, {total / factor:.1f} CPU s alone, {factor:.2f} times that in a batch, "
      f"{crowded:.2f} times that while all cores are busy; there, a file works for "
      f"{working:.0%} of the time; if it runs alone, it keeps "
      f"{statistics.median(most for _, most, _ in costs):.2f} cores busy, and takes "
      f"{longest(os.cpu_count()):.2f} s at most; a run that has nothing to do takes {around:.2f} s")
print(f"{'jobs':>5} {'wall s':>8} {'CPU s':>8} {'predicted s':>12}")
for jobs in numbers:
    wall, seconds = (statistics.median(values) for values in zip(*walls[jobs]))
    seen = around + predicted(costs, jobs, os.cpu_count())[0]
    print(f"{jobs:5} {wall:8.2f} {seconds:8.2f} {seen:12.2f} ({seen / wall - 1:+.0%})")
if simulated:
    print("predicted, and at best:\ncores   wall s  best s  taken")
    for cores in map(int, simulated.split()):
        seen, taken = predicted(costs, cores, cores)
        best = max(total * growth(cores, cores) / working / cores, longest(cores))
        print(f"{cores:5} {around + seen:8.2f} {around + best:7.2f} {taken:6.0%}")
