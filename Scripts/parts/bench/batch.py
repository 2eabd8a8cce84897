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
    status = subprocess.run([program, "transcode", *arguments, "--progress", "none", "-q", *options],
                            stderr=subprocess.DEVNULL).returncode
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
    """Predicts the seconds until the last file ends. With several jobs, the largest files begin
    first. A file gets its share of the cores, but no more cores than it kept busy when it ran
    alone."""
    waiting = [cost[:2] for cost in sorted(costs, key=lambda cost: cost[2])]
    running, now = [], 0.0
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append([*waiting.pop()])
        shares = part(cores, [most for _, most in running])
        step = min(left / share for (left, _), share in zip(running, shares))
        now += step
        for file, share in zip(running, shares):
            file[0] -= step * share
        running = [file for file in running if file[0] > 1e-9]
    return now


def part(cores, most):
    """Divides cores evenly; cores that some files cannot use go to the others."""
    shares, left = [0.0] * len(most), cores
    for position, index in enumerate(sorted(range(len(most)), key=most.__getitem__)):
        shares[index] = min(most[index], left / (len(most) - position))
        left -= shares[index]
    return shares


begin = machine(), spent(), time.monotonic()
walls = {jobs: [] for jobs in numbers}
for _ in range(int(runs)):
    for jobs in numbers:
        shutil.rmtree(into, ignore_errors=True)
        walls[jobs].append(batch(jobs))
around = batch(1, "--existing", "skip")[0]
costs = []
for source, ending in files():
    wall, seconds = timed(source, f"{work}/one{ending}", "--encode", "needed", "--workers", "1",
                          "--overwrite")
    costs.append((seconds, seconds / wall, os.path.getsize(source)))
others = (machine() - begin[0] - spent() + begin[1]) / (time.monotonic() - begin[2])
if others > 0.1:
    print(f"other programs kept {others:.1f} cores busy, so all times here are too long")
alone = sum(cost[0] for cost in costs)
# In a batch, files also take time for records and for messages between processes.
factor = statistics.median(seconds for _, seconds in walls[numbers[0]]) / alone
costs = [(seconds * factor, most, size) for seconds, most, size in costs]
total, longest = sum(cost[0] for cost in costs), max(cost[0] / cost[1] for cost in costs)
print(f"{len(costs)} files, {alone:.1f} CPU s alone, {factor:.2f} times that in a batch; a file "
      f"keeps {statistics.median(cost[1] for cost in costs):.2f} "
      f"cores busy, and takes {longest:.2f} s at "
      f"most; a run that has nothing to do takes {around:.2f} s")
print(f"{'jobs':>5} {'wall s':>8} {'CPU s':>8} {'predicted s':>12}")
for jobs in numbers:
    wall, seconds = (statistics.median(values) for values in zip(*walls[jobs]))
    seen = around + predicted(costs, jobs, os.cpu_count())
    print(f"{jobs:5} {wall:8.2f} {seconds:8.2f} {seen:12.2f} ({seen / wall - 1:+.0%})")
if simulated:
    print("predicted, and at best:\ncores   wall s  best s  busy")
    for cores in map(int, simulated.split()):
        seen, best = predicted(costs, cores, cores), max(total / cores, longest)
        print(f"{cores:5} {around + seen:8.2f} {around + best:7.2f} {total / cores / seen:5.0%}")
