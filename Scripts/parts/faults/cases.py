# SPDX-License-Identifier: GPL-2.0-or-later
"""The faults. Each function causes one kind of fault in runs of several commands, and counts how
the runs end."""

import os
from pathlib import Path
import shutil
import signal
import subprocess
import time

from fuzz import child
from fuzz.judge import digest

from .bench import COMMANDS, fault_of_file, judge, left_over, output_of

RUNS_AGAIN = "no output, a complete one or the old file; the next run succeeds and leaves nothing"


def _seconds(bench, name):
    """Returns how long a command takes if nothing disturbs it."""
    if name in bench.seconds:
        return bench.seconds[name]
    folder = bench.place()
    began = time.monotonic()
    bench.run(COMMANDS[name], folder)
    bench.seconds[name] = time.monotonic() - began
    shutil.rmtree(folder)
    return bench.seconds[name]


def _status(running):
    """Waits for a program and returns its status. If it does not end in time, kills it and returns
    None."""
    try:
        return running.wait(child.patience(20))
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        return None


def kills(bench, random, count):
    kind = "kills at random moments"
    for number in range(count):
        name = list(COMMANDS)[number % len(COMMANDS)]
        command, folder = COMMANDS[name], bench.place()
        path = folder / output_of(command)
        late = random.uniform(0, 1.05) * _seconds(bench, name)
        running = bench.start(command, folder)
        time.sleep(late)
        running.kill()
        running.wait()
        fault = None
        if path.name == "source.mov":
            if digest(path) != bench.source:
                fault = fault_of_file(bench, path)
        elif path.exists():
            fault = fault_of_file(bench, path)
        outcome = "had ended" if running.returncode == 0 else "killed"
        if not fault:
            if path.name != "source.mov":
                path.unlink(missing_ok=True)
            ended = bench.run(command, folder)
            left = left_over(folder, command)
            if ended.status:
                fault = f"the next run ends with {ended.status}: {ended.errors.strip()[:120]}"
            elif left:
                fault = f"the next run leaves {', '.join(left)}"
        bench.note(kind, outcome, f"{name}, after {late:.2f} s: {fault}" if fault else None)
        shutil.rmtree(folder)
    bench.done(kind, RUNS_AGAIN)


def signals(bench, random, count):
    kind = "signals INT, TERM and HUP"
    for number in range(count):
        name = list(COMMANDS)[number % len(COMMANDS)]
        command, folder = COMMANDS[name], bench.place()
        path = folder / output_of(command)
        sent = random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        late = random.uniform(0, 1.05) * _seconds(bench, name)
        running = bench.start(command, folder)
        time.sleep(late)
        running.send_signal(sent)
        began = time.monotonic()
        status = _status(running)
        fault = None
        if status not in (0, 130, -sent):
            fault = f"status {status} after signal {sent}"
        elif time.monotonic() - began > 2:
            fault = f"took {time.monotonic() - began:.1f} s to end after the signal"
        elif status and path.exists() and path.name != "source.mov":
            fault = f"{path.name} exists after status {status}"
        elif left_over(folder, command):
            fault = f"left behind: {', '.join(left_over(folder, command))}"
        bench.note(kind, status, f"{name}: {fault}" if fault else None)
        shutil.rmtree(folder)
    bench.done(kind, "0, 130 or an end by the signal, within 2 s, and nothing left")


def full_disks(bench, random, count):
    kind = "full disks"
    disk = bench.folder / "disk"
    disk.mkdir()
    inputs = sum(file.stat().st_size for file in bench.kept.iterdir())
    for number in range(count):
        name = list(COMMANDS)[number % len(COMMANDS)]
        size = (inputs >> 12) + 3 + random.randrange(0, 2 * inputs >> 12)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size * 4096}", "candela",
                                  str(disk)], capture_output=True, check=False)
        if mounted.returncode:
            print(f"{kind}: skipped, no file system can be mounted here", flush=True)
            return
        try:
            bench.fill(disk)
            ended = bench.run(COMMANDS[name], disk)
            judge(bench, kind, name, disk, ended, (0, 74), f"{size * 4} KiB")
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    bench.done(kind, "0 with a complete output, or 74 and nothing left")


def file_sizes(bench, random, count):
    kind = "limits on the size of files"
    for number in range(count):
        name, blocks = list(COMMANDS)[number % len(COMMANDS)], random.choice([1, 4, 16, 64, 256])
        _limited(bench, kind, name, f"-f {blocks}", (0, 74))
    bench.done(kind, "0 with a complete output, or 74 and nothing left")


def read_errors(bench, random, count):
    kind = "read errors"
    library = bench.folder / "unreadable.so"
    source = Path(__file__).with_name("unreadable.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"],
                   check=True)
    size = (bench.kept / "source.mov").stat().st_size
    for number in range(count):
        name, folder = list(COMMANDS)[number % len(COMMANDS)], bench.place()
        after, mark = random.randrange(0, 3 * size), bench.folder / "failed"
        mark.unlink(missing_ok=True)
        environment = dict(os.environ, LD_PRELOAD=str(library), UNREADABLE_NAME="/source.mov",
                           UNREADABLE_AFTER=str(after), UNREADABLE_MARK=str(mark))
        ended = bench.run(COMMANDS[name], folder, environment=environment)
        happened = mark.exists()
        judge(bench, kind if happened else "read errors that came too late", name, folder, ended,
              (65, 74) if happened else (0,), f"after {after} bytes")
        shutil.rmtree(folder)
    bench.done(kind, "65 or 74, and nothing left")
    bench.done("read errors that came too late", "0 with a complete output")


def shrinking(bench, random, count):
    kind = "sources that become shorter or vanish"
    names = [name for name in COMMANDS if name != "retag --in-place"]
    size = (bench.kept / "source.mov").stat().st_size
    for number in range(count):
        name, folder = names[number % len(names)], bench.place()
        path, vanishes = folder / "source.mov", number % 4 == 3
        late = random.uniform(0, 0.9) * _seconds(bench, name)
        running = bench.start(COMMANDS[name], folder)
        time.sleep(late)
        if vanishes:
            path.unlink()
        else:
            os.truncate(path, random.randrange(size))
        status = _status(running)
        ended = child.Ended(status or 0, status is None, 0, "", "not asked for")
        # The source may have been gone before the program began.
        judge(bench, kind, name, folder, ended, (0, 65, 66, 74),
              f"{'gone' if vanishes else 'shorter'} after {late:.2f} s", keeps=(74,))
        shutil.rmtree(folder)
    bench.done(kind, "0 with every frame, or 65, 66, 74 and nothing left, except .failed after 74")


def _limited(bench, kind, name, limit, statuses, as_other_user=False):
    folder = bench.place()
    prefix = ["bash", "-c", f'ulimit {limit}; exec "$0" "$@"']
    if as_other_user:
        for path in [folder, *folder.iterdir()]:
            os.chown(path, 65534, 65534)
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + prefix
    ended = bench.run(COMMANDS[name], folder, prefix)
    judge(bench, kind, name, folder, ended, statuses, f"ulimit {limit}")
    shutil.rmtree(folder)


# With fewer than 17 threads, the program does not start. With more, libraries may still get too few
# threads.
THREADS = [1, 3, 5, 8, 12, 16, 17, 18, 19, 20, 22, 24, 26, 28, 32, 40]


def limits(bench, random, count):
    names = list(COMMANDS)
    # 127: the system's loader could not even start the program. With less memory than the
    # lowest limit below, a signal ends the loader itself.
    for kind, option, values, statuses in [
            ("limits on open files", "-n", [3, 5, 8, 12, 16, 17, 18, 19, 20, 21, 22, 24, 28, 32],
             (0, 69, 70, 74, 127)),
            ("limits on memory", "-v", [30_000, 120_000, 300_000, 525_000, 560_000, 660_000,
                                        600_000, 700_000, 900_000, 1_200_000], (0, 69, 74, 127))]:
        for number in range(count):
            _limited(bench, kind, names[number % len(names)], f"{option} {random.choice(values)}",
                     statuses)
        bench.done(kind, " or ".join(map(str, statuses)) + ", and no run hangs")
    kind = "limits on threads"
    if os.geteuid():
        print(f"{kind}: skipped, because only root can run as another user", flush=True)
        return
    bench.folder.chmod(0o755)
    for number in range(count):
        _limited(bench, kind, names[number % len(names)],
                 f"-u {random.choice(THREADS)}", (0, 69, 70, 74), True)
    bench.done(kind, "0, 69, 70 or 74, and no run hangs")


def two_runs(bench, random, count):
    kind = "two runs on one output"
    for number in range(count):
        name = list(COMMANDS)[number % len(COMMANDS)]
        over = number // len(COMMANDS) % 2 == 1 and name != "retag --in-place"
        command, folder = COMMANDS[name] + (["--overwrite"] if over else []), bench.place()
        both = [bench.start(command, folder) for _ in range(2)]
        statuses = sorted((_status(running) for running in both), key=str)
        path = folder / output_of(command)
        wanted = ([0, 0], [0, 73]) if over or name == "retag --in-place" else ([0, 73],)
        fault = None if statuses in wanted else f"statuses {statuses}"
        fault = fault or fault_of_file(bench, path)
        left = left_over(folder, command)
        fault = fault or (f"left behind: {', '.join(left)}" if left else None)
        bench.note(kind, " and ".join(map(str, statuses)),
                   f"{name}{' --overwrite' if over else ''}: {fault}" if fault else None)
        shutil.rmtree(folder)
    bench.done(kind, "0 and 73; with --overwrite or in place, also 0 and 0; a complete file")


ALL = {"kills": kills, "signals": signals, "full-disks": full_disks, "file-sizes": file_sizes,
       "read-errors": read_errors, "shrinking": shrinking, "limits": limits, "two-runs": two_runs}
