# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs Candela's commands on mutants of movies, RPUs and presets, and judges the results."""

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
import multiprocessing
import os
from pathlib import Path
import random as randoms
import shutil
import sys
import tempfile
import time

from . import child, commands, judge, mutations, seeds


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/fuzz", description=__doc__)
    parser.add_argument("--seed", "--seeds", dest="seeds", default=[1],
                        type=lambda text: [int(part) for part in text.split(",")],
                        help="a number that chooses the mutants, or several: 1,2,3 (1)")
    parser.add_argument("--count", type=int, default=1000, help="how many mutants per seed (1000)")
    parser.add_argument("--first", type=int, default=0, help="the first mutant's number (0)")
    parser.add_argument("--program", type=Path, help="a program that is already built")
    parser.add_argument("--media", type=Path, help="a folder with more files to make mutants from, up to 200 kB each")
    parser.add_argument("--findings", type=Path, help="a folder for mutants that fail")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 2,
                        help="how many mutants are tested at once (one per processor)")
    return parser.parse_args()


OPTIONS = SEEDS = FILES = HAS_COMPARE = None


def _mutant(number):
    """Makes a mutant and chooses its command. `number` is a pair: a seed, and the mutant's number.
    The same pair and files always give the same mutant and command."""
    random = randoms.Random(f"{number[0]}:{number[1]}")
    weights = [3 if seed.name in FILES else 1 for seed in SEEDS]
    seed = random.choices(SEEDS, weights)[0]
    other = random.choice(SEEDS).data
    data, names = mutations.mutated(seed.data, seed.kind, random, other)
    name = "mutant" + seed.suffix
    job = commands.choose(seed, name, random, FILES, HAS_COMPARE)
    return seed, data, names, name, job


def _judged(number, keep):
    """Runs a command on a mutant. Returns what was run, how it ended and what is wrong with that.
    If something is wrong and `keep` is set, keeps the files."""
    seed, data, names, name, job = _mutant(number)
    with tempfile.TemporaryDirectory(prefix="candela-fuzz-") as place:
        folder = Path(place) / "run"
        folder.mkdir()
        inputs = {name: data, **job.extra}
        for file, content in inputs.items():
            (folder / file).write_bytes(content)
        before = {file: judge.digest(folder / file) for file in inputs}
        ended = child.run([str(OPTIONS.program)] + job.arguments, folder)
        found = judge.faults(OPTIONS.program, job, folder, name, before, ended)
        source = Path(place) / name
        if job.output and ended.status in judge.WITH_OUTPUT and not found:
            is_mutant = name in job.arguments[1:3] and seed.kind != "preset"
            main = job.main or (name if is_mutant else "good.mov")
            source = Path(place) / main
            source.write_bytes(inputs[main])
            fault = judge.fault_of_output(OPTIONS.program, job, folder, source, ended)
            found += [fault] if fault else []
        if found and keep:
            _keep(number, seed, names, job, inputs, ended, found)
        return number, seed.name, names, job.arguments, ended, found


def _keep(number, seed, names, job, inputs, ended, found):
    folder = OPTIONS.findings / f"{number[0]}-{number[1]}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, content in inputs.items():
        (folder / file).write_bytes(content)
    (folder / "about.txt").write_text(
        f"candela {' '.join(job.arguments)}\nmade of {seed.name} by {', '.join(names)}\n"
        f"{'; '.join(found)}\nstatus {ended.status}, {ended.memory >> 20} MiB\n\n"
        f"{ended.output[-4000:]}\n{ended.errors[-4000:]}\n")


def _run(number):
    try:
        result = _judged(number, keep=False)
        if result[-1]:
            # Run the mutant once more, because a fault that only a busy machine causes is not a
            # finding.
            result = _judged(number, keep=True)
        return result
    except Exception as error:  # one mutant must not end the run
        return number, "?", [], [], None, [f"the script failed: {error!r}"]


def _report(result, statuses):
    number, seed, names, command, ended, found = result
    if ended is not None:
        key = "hang" if ended.hung else f"signal {-ended.status}" if ended.status < 0 else (
            str(ended.status))
        statuses[key] += 1
    if found:
        print(f"mutant {number[1]} of seed {number[0]}: {'; '.join(found)}\n  candela {' '.join(command)}"
              f"  ({seed}: {', '.join(names)})", flush=True)
    return bool(found)


def main():
    global OPTIONS, SEEDS, FILES, HAS_COMPARE
    OPTIONS = arguments()
    OPTIONS.program = OPTIONS.program.resolve()
    OPTIONS.findings = OPTIONS.findings.resolve()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="candela-seeds-") as place:
        seeds.make(OPTIONS.program, Path(place))
        SEEDS = seeds.load(Path(place), OPTIONS.media)
        FILES = {seed.name: seed.data for seed in seeds.load(Path(place), None)}
    HAS_COMPARE = commands.knows(OPTIONS.program, "compare")
    names = ", ".join(map(str, OPTIONS.seeds))
    statuses, failures, memory = Counter(), 0, 0
    numbers = [(seed, number) for seed in OPTIONS.seeds
               for number in range(OPTIONS.first, OPTIONS.first + OPTIONS.count)]
    print(f"{len(numbers)} mutants of {len(SEEDS)} files, seeds: {names}", flush=True)
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(OPTIONS.processes, mp_context=context) as pool:
        for done, result in enumerate(pool.map(_run, numbers, chunksize=4), 1):
            failures += _report(result, statuses)
            memory = max(memory, result[4].memory if result[4] else 0)
            if done % 1000 == 0 and done < len(numbers):
                print(f"  {done} mutants, {failures} findings, {time.monotonic() - began:.0f} s",
                      flush=True)
    counts = " · ".join(f"{status}: {count}" for status, count in statuses.most_common())
    print(f"{len(numbers)} mutants, {failures} findings; {counts}; at most {memory >> 20} MiB; "
          f"{time.monotonic() - began:.0f} s")
    if failures:
        print(f"findings are in {os.path.relpath(OPTIONS.findings)}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
