# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a program on files, and stores the results."""

import functools
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


@functools.cache
def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Result:
    """The result of a command. `status` is None if the command took too long."""

    def __init__(self, status, stdout, stderr, left, output):
        self.status, self.stdout, self.stderr = status, stdout, stderr
        self.left = left  # the names of all files that it left
        self.output = output  # the file that it wrote; None if it wrote none

    def stored(self):
        return {"status": self.status, "stdout": self.stdout, "stderr": self.stderr,
                "left": self.left}


class Program:
    """A build of the program. Its results are kept in a folder."""

    def __init__(self, path, store, seconds):
        self.path, self.store, self.seconds = path, Path(store), seconds
        self.made = 0
        self.store.mkdir(parents=True, exist_ok=True)
        mark, own = self.store / "program", digest(path)
        if mark.exists() and mark.read_text() != own:
            raise SystemExit(f"compare-programs: {store} has results of a program other than "
                             f"{path}; name another folder, or remove this one")
        mark.write_text(own)

    def _folder(self, case, file):
        key = json.dumps([case.arguments, case.writes, str(file), digest(file), self.seconds])
        return self.store / hashlib.sha256(key.encode()).hexdigest()[:24]

    def result(self, case, file, rpus):
        """Returns the result of a command, from the store if the command was run before."""
        folder = self._folder(case, file)
        if not (folder / "result.json").exists():
            self._run(case, file, rpus, folder)
        stored = json.loads((folder / "result.json").read_text())
        output = folder / case.writes if case.writes else None
        return Result(output=output if output and output.exists() else None, **stored)

    def _run(self, case, file, rpus, folder):
        self.made += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=self.store, prefix="run-") as work:
            names = {"INPUT": str(file), "OUTPUT": case.writes, "RPUS": str(rpus)}
            command = [str(self.path)] + [names.get(word, word) for word in case.arguments]
            environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
            try:
                done = subprocess.run(
                    command, cwd=work, capture_output=True, timeout=self.seconds,
                    env=environment, stdin=subprocess.DEVNULL)
                status, texts = done.returncode, (done.stdout, done.stderr)
            except subprocess.TimeoutExpired:
                status, texts = None, (b"", b"")
            left = sorted(os.listdir(work)) if status is not None else []
            if case.writes in left:
                shutil.move(Path(work, case.writes), folder / case.writes)
            # Messages may contain paths that are different in each run.
            stdout, stderr = (
                text.decode(errors="backslashreplace").replace(str(rpus), "RPUS")
                .replace(os.path.realpath(work) + "/", "") for text in texts)
            result = Result(status, stdout, stderr, left, None)
            (folder / "result.json").write_text(json.dumps(result.stored()))


def in_parallel(work, items, count):
    """Does work on `count` items at once. Yields the results in the order of the items, each as
    soon as possible."""
    with ThreadPoolExecutor(count) as pool:
        yield from pool.map(work, items)
