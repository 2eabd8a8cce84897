# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies files, and compares the frames of the outputs with those of the sources."""

import argparse
import os
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from .frames import difference
from .media import make

CONTAINERS = ["mov", "mp4", "mkv"]
# The suffixes of files that are not media, but are in the same folders.
OTHERS = {".md", ".txt", ".json", ".bin", ".py", ".csv", ".xml"}
MEANING = {0: "done", 2: "damaged", 64: "refused", 65: "refused", 66: "refused", 69: "refused",
           73: "refused"}


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/check copies", add_help=False)
    parser.add_argument("--bytes", type=int, default=20_000_000)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--make", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("sources", type=Path, nargs="*")
    return parser.parse_args()


def files(sources, most):
    for source in sources:
        found = [source] if source.is_file() else sorted(source.rglob("*"))
        for file in found:
            if file.is_file() and file.suffix not in OTHERS and file.stat().st_size <= most:
                yield file


def copy(number, file, container, folder, seconds):
    """Copies a file; returns a word for the result, and the reason for it."""
    output = folder / f"{number}-{file.stem}-{file.suffix[1:]}.{container}"
    command = [os.environ["CANDELA"], "transcode", str(file), str(output), "--codec", "passthrough",
               "--overwrite", "--force", "--progress", "none"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "slow", "copying took too long"
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    word = MEANING.get(done.returncode, "failed")
    try:
        if word not in ("done", "damaged"):
            fault = next((line for line in lines if line.startswith("error")), lines[-1:] and lines[0])
            return word, f"{done.returncode}: {fault}"
        fault = difference(file, output, seconds)
        return ("differs", fault) if fault else (word, "")
    except subprocess.TimeoutExpired:
        return "slow", "decoding took too long"
    finally:
        if not os.environ.get("KEEP"):
            output.unlink(missing_ok=True)
            Path(f"{output}.failed").unlink(missing_ok=True)


def main():
    options = arguments()
    sources = list(options.sources)
    if options.make:
        made = make(options.make, options.jobs)
        print(f"{made} files made")
        sources.append(options.make)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        os.environ["KEEP"] = "1"
    todo = [(file, container) for file in files(sources, options.bytes)
            for container in CONTAINERS]
    if not todo:
        raise SystemExit("check copies: there are no media files of at most --bytes bytes")
    counts = defaultdict(Counter)
    with TemporaryDirectory(prefix="candela-copies-") as work, \
            ThreadPoolExecutor(options.jobs) as pool:
        folder = options.keep or Path(work)
        results = pool.map(
            lambda one: copy(one[0], *one[1], folder, options.seconds), enumerate(todo))
        for (file, container), (word, reason) in zip(todo, results):
            counts[container][word] += 1
            if word in ("failed", "differs", "slow") or options.verbose and word == "refused":
                print(f"{word:<8} {file.parent.name}/{file.name} -> .{container}  {reason}",
                      flush=True)
    words = ["done", "damaged", "refused", "slow", "differs", "failed"]
    print(f"\n{'container':<12}" + "".join(f"{word:>9}" for word in words))
    for container in CONTAINERS:
        print(f"{'.' + container:<12}" + "".join(f"{counts[container][word]:>9}" for word in words))
    bad = sum(counts[container][word] for container in CONTAINERS for word in ("differs", "failed"))
    sys.exit(1 if bad else 0)


main()
