# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures a transcode with several numbers of workers, for Scripts/bench workers."""

import json, os, resource, statistics, subprocess, sys, time

program, source, work, runs, numbers, bound, simulated, simulation, *options = sys.argv[1:]
numbers = [int(number) for number in numbers.split()]
ticks = os.sysconf("SC_CLK_TCK")


def family(root):
    """Returns a process and all processes that it started, directly or not."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
    found = {root}
    while True:
        more = {child for child, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def memory(process):
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def processor(process):
    """Returns the processor time, in seconds, of a process and of those children that ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15])) / ticks
    except OSError:
        return 0


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(workers):
    before = spent()
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "transcode", source, f"{work}/out.mov", "--overwrite", "--progress", "none",
         "--workers", str(workers), *(["--memory", bound] if bound else []), *options],
        stderr=subprocess.DEVNULL)
    peak, rounds, seen = 0, 0, [(start, 0.0)]
    busy[workers] = []
    while process.returncode is None:
        processes = family(process.pid)
        # Reading the memory usage of a process stops that process for some milliseconds.
        if rounds % 2 == 0:
            peak = max(peak, sum(map(memory, processes)))
            now, sum_ = time.monotonic(), sum(map(processor, processes))
            if rounds > 0:
                then, old = seen[-1]
                busy[workers].append(max(sum_ - old, 0) / (now - then))
            seen.append((now, sum_))
        rounds += 1
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
    if process.returncode not in (0, 2):
        sys.exit(f"transcode --workers {workers} ended with {process.returncode}")
    size = os.path.getsize(f"{work}/out.mov")
    return time.monotonic() - start, spent() - before, peak / 1024, size


def timed(*arguments):
    """Runs the program; returns its processor time, its wall time and its output."""
    before, start = spent(), time.monotonic()
    output = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL).stdout
    return spent() - before, time.monotonic() - start, output


def simulate(process):
    """Prints how long the program's schedule would take on other numbers of cores."""
    job, output = f"{work}/job", f"{work}/joined.mov"
    plan = json.loads(timed("plan", source, output, "--json", *options)[2])["video"]["encoding"]
    before, _, _ = timed("segments", "plan", source, output, "--job", job, *options)
    count = json.loads(timed("segments", "status", "--job", job, "--json")[2])["count"]
    segments = [timed("segments", "encode", "--job", job, str(number))[0]
                for number in range(count)]
    after, _, _ = timed("segments", "join", "--job", job, "--progress", "none")
    print("segments, CPU s:", " ".join(f"{seconds:.2f}" for seconds in segments))
    print(f"before them {before:.2f} CPU s, the join {after:.2f} CPU s, one process "
          f"{process:.2f} CPU s")
    measured = {
        "codec": plan["codec"], "width": plan["width"], "height": plan["height"],
        "process": process, "before": before, "segments": segments, "after": after,
        "cores": [int(cores) for cores in simulated.split()], "workers": numbers}
    print("predicted:\ncores workers seconds", flush=True)
    subprocess.run([simulation], input=json.dumps(measured).encode(), check=True)


results, busy = {number: [] for number in numbers}, {}
for _ in range(int(runs)):
    for number in numbers:
        results[number].append(measure(number))
print(f"{'workers':>7} {'wall s':>9} {'CPU s':>9} {'MiB':>7} {'bytes':>11} {'ratio':>6}")
first, process = None, None
for number in numbers if int(runs) else []:
    wall, cpu, peak, size = (statistics.median(values) for values in zip(*results[number]))
    first = first or wall
    process = cpu if number == 1 else process
    largest = max(row[2] for row in results[number])
    print(f"{number:7} {wall:9.2f} {cpu:9.2f} {peak:7.0f} {size:11.0f} {wall / first:6.3f}")
    print("   busy", " ".join(f"{cores:.1f}" for cores in busy[number]))
    if bound and number > 1:
        units = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
        allowed = int(bound.rstrip("KMGTkmgt")) * units.get(bound[-1].upper(), 1 / 1024 / 1024)
        if largest > allowed:
            sys.exit(f"{number} workers took {largest:.0f} MiB, more than {bound}")
if simulated:
    simulate(process or measure(1)[1])
