# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs two builds of the program on files and compares their outputs, statuses and texts."""

import argparse
import os
import signal
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from .cases import CASES
from .differences import Allowed, Group, changes, first_difference, has_same_packets
from .runs import Program, in_parallel


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/compare-programs", add_help=False)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--media", type=Path, action="append")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--allow", type=Path)
    parser.add_argument("--baseline", type=Path)
    parser.add_argument("--packets", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=300)
    return parser.parse_args()


class Comparison:
    """The two programs, and what the comparison of their results has found."""

    def __init__(self, old, new, allowed, packets):
        self.old, self.new, self.allowed, self.packets = old, new, allowed, packets
        self.counts = defaultdict(Counter)  # by kind of command: how often each outcome occurred
        self.groups = {}
        self.faults = defaultdict(list)  # by difference: the commands and files
        self.long = []

    def run(self, work):
        """Runs a command with both programs, but skips the new one if the old one took too long."""
        case, file, rpus = work
        old = self.old.result(case, file, rpus)
        return case, file, old, self.new.result(case, file, rpus) if old.status is not None else old

    def add(self, case, file, old, new):
        counts = self.counts[case.kind]
        counts["run"] += 1
        if old.status is None:
            counts["too long"] += 1
            self.long.append(f"{case.kind} of {file.name}")
            return
        found = set()
        if old.status != new.status:
            found.add("status")
            now = "none: it took too long" if new.status is None else new.status
            self.fault(f"status {old.status}, now {now}", case, file)
        if old.left != new.left:
            found.add("output")
            self.fault(f"leaves {', '.join(old.left) or 'nothing'}, "
                       f"now {', '.join(new.left) or 'nothing'}", case, file)
        elif not (difference := first_difference(old.output, new.output)):
            pass
        elif self.packets and has_same_packets(old.output, new.output):
            found.add("packets")
        else:
            found.add("output")
            self.fault(f"outputs differ: {difference}", case, file)
        # The output of a program that crashed or was stopped is not compared.
        ended = new.status is not None and new.status >= 0
        for name in ("stdout", "stderr") if ended else ():
            for change in changes(self.allowed.applied(getattr(old, name)), getattr(new, name)):
                found.add(name)
                group = self.groups.setdefault(change.key, Group(change))
                group.places.append((case.kind, file.name))
        counts.update(found or ["same"])
        counts["wrote"] += old.output is not None

    def fault(self, text, case, file):
        self.faults[text].append(f"{case.kind} of {file.name}")

    def report(self):
        """Prints everything that was found. Returns whether only allowed differences were found."""
        groups = sorted(self.groups.values(), key=lambda group: -len(group.places))
        for group in groups:
            print(group.text() + "\n")
        for fault, places in self.faults.items():
            more = "; …" if places[8:] else ""
            print(f"{len(places)}× {fault}: {'; '.join(places[:8])}{more}")
        columns = ["run", "same", "wrote", "packets", "output", "status", "stdout", "stderr",
                   "too long"]
        print(f"\n{'command':<30}" + "".join(f"{column:>9}" for column in columns))
        for kind in [case.kind for case in CASES] + ["all"]:
            counts = sum(self.counts.values(), Counter()) if kind == "all" else self.counts[kind]
            if counts:
                print(f"{kind:<30}" + "".join(f"{counts[column]:>9}" for column in columns))
        print("wrote: the old program wrote a file; packets: its packets and times are the same, "
              "but other bytes differ; output, status, stdout, stderr: these differ")
        print(f"{len(groups)} changes of wording are not allowed; "
              f"allowed ones occurred {sum(self.allowed.used.values())} times")
        for pattern in self.allowed.unused():
            print(f"allowed, but not found: {pattern}")
        if self.long:
            print(f"took longer than the limit, not compared: {', '.join(self.long)}")
        return not groups and not self.faults


def main():
    options = arguments()
    files = sorted(file for folder in options.media for file in folder.iterdir()
                   if file.is_file() and not file.name.startswith("."))
    cases = [case for case in CASES
             if not options.only or any(case.kind.startswith(name) for name in options.only)]
    if not files or not cases:
        raise SystemExit("compare-programs: nothing to compare: no files, or no such command")
    with TemporaryDirectory(prefix="compare-programs-") as work:
        old = Program(options.old, options.baseline or Path(work, "old"), options.seconds)
        new = Program(options.new, Path(work, "new"), options.seconds)
        comparison = Comparison(old, new, Allowed(options.allow), options.packets)
        extract = next(case for case in CASES if case.kind == "rpu extract")
        rpus = {file: old.result(extract, file, None).output for file in files}
        todo = [(case, file, rpus[file]) for file in files for case in cases
                if rpus[file] or not case.needs_rpus]
        progress = sys.stderr.isatty()
        for number, done in enumerate(in_parallel(comparison.run, todo, options.jobs), 1):
            comparison.add(*done)
            if progress:
                print(f"\r{number} of {len(todo)}", end="", file=sys.stderr, flush=True)
        if progress:
            print("\r", end="", file=sys.stderr)
        print(f"{len(files)} files, {sum(map(bool, rpus.values()))} of them with RPUs; "
              f"{old.made} runs of the old program, whose other results come from the store; "
              f"{new.made} runs of the new one\n")
        sys.exit(0 if comparison.report() else 1)


# Temporary files are removed even if `head` stops reading, or a signal ends the work.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
try:
    main()
    sys.stdout.flush()
except BrokenPipeError:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
