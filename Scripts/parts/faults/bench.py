# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs commands on a source in a fresh folder, and checks what must hold after each run."""

from collections import Counter
from dataclasses import dataclass, field
import os
from pathlib import Path
import shutil
import subprocess
import tempfile

from fuzz import child
from fuzz.judge import complaints, digest
from fuzz.seeds import ULTRAFAST, run as must

COMMANDS = {
    "transcode to SDR": ["transcode", "source.mov", "out.mp4", "--preset", "h264-sdr",
                         "--progress", "none", "--set", ULTRAFAST],
    "transcode to HLG": ["transcode", "source.mov", "out.mov", "--preset", "hevc-hlg",
                         "--progress", "none", "--set", ULTRAFAST],
    "pass-through": ["transcode", "source.mov", "out.mov", "--progress", "none",
                     "--set", "video.codec=passthrough"],
    "retag": ["retag", "source.mov", "out.mov", "--color", "pq"],
    "retag --in-place": ["retag", "--in-place", "source.mov", "--color", "pq"],
    "rpu extract": ["rpu", "extract", "source.mov", "out.bin"],
    "rpu inject": ["rpu", "inject", "source.mov", "rpus.bin", "out.mov"],
    "rpu plot": ["rpu", "plot", "source.mov", "out.png"],
}


@dataclass
class Bench:
    """The program, the files that are made once for all runs, and the outcomes so far."""
    program: str
    folder: Path
    counts: dict = field(default_factory=dict)
    seconds: dict = field(default_factory=dict)
    failures: int = 0

    def prepare(self, seconds):
        self.kept = self.folder / "kept"
        self.kept.mkdir()
        must(self.program, "sample", str(self.kept / "bars.mov"), "--size", "96x64",
             "--seconds", str(seconds))
        must(self.program, "transcode", str(self.kept / "bars.mov"), str(self.kept / "source.mov"),
             "--preset", "hevc-hlg", "--set", ULTRAFAST, "--progress", "none")
        must(self.program, "rpu", "extract", str(self.kept / "source.mov"),
             str(self.kept / "rpus.bin"))
        (self.kept / "bars.mov").unlink()
        self.source = digest(self.kept / "source.mov")
        self.pictures = packets(self.kept / "source.mov")

    def place(self, name="run"):
        """Makes a fresh folder with the inputs."""
        folder = Path(tempfile.mkdtemp(prefix=name + "-", dir=self.folder))
        self.fill(folder)
        return folder

    def fill(self, folder):
        for file in self.kept.iterdir():
            shutil.copyfile(file, folder / file.name)

    def run(self, command, folder, prefix=(), environment=None, seconds=20):
        return child.run([*prefix, self.program, *command], folder, seconds, environment)

    def start(self, command, folder):
        return subprocess.Popen([self.program, *command], cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def note(self, kind, outcome, fault=None):
        """Counts the outcome of a run with this kind of fault. If the outcome is wrong, `fault`
        says why, and is printed."""
        self.counts.setdefault(kind, Counter())[str(outcome)] += 1
        if fault:
            self.failures += 1
            print(f"  FAULT, {kind}: {fault}", flush=True)

    def done(self, kind, expected):
        counts = self.counts.get(kind, Counter())
        told = " · ".join(f"{outcome}: {count}" for outcome, count in sorted(counts.items()))
        print(f"{kind}: {sum(counts.values())} ({told}); expected: {expected}", flush=True)


def packets(path):
    """Returns how many packets the first video track of a file has: one for each frame."""
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets", "-show_entries",
         "stream=nb_read_packets", "-of", "csv=p=0", str(path)],
        capture_output=True, text=True, check=False).stdout
    return int(text.strip().strip(",") or 0)


def output_of(command):
    """Returns the name of the file that a command writes."""
    return next((part for part in command if part.startswith("out.")), "source.mov")


def left_over(folder, command):
    """Returns the names of files in a folder that are neither inputs nor the command's output."""
    known = {"source.mov", "rpus.bin", output_of(command)}
    return sorted(name for name in os.listdir(folder) if name not in known)


def fault_of_file(bench, path):
    """Says why a file under its final name is not complete. Returns None if it is complete."""
    if path.suffix == ".bin":
        status = child.run([bench.program, "rpu", "show", str(path)], path.parent).status
        return f"{path.name}: rpu show ends with {status}" if status else None
    found = complaints(path, path.parent, "v")
    if found:
        return f"{path.name}: {found[0]}"
    if path.suffix != ".png" and packets(path) != bench.pictures:
        return f"{path.name}: {packets(path)} frames instead of {bench.pictures}"
    return None


def judge(bench, kind, name, folder, ended, statuses, what, keeps=()):
    """Counts how a run ended, and prints what is wrong with that. A run that ends with a status in
    `keeps` may leave its result under the output's name with `.failed` at the end."""
    command, fault = COMMANDS[name], None
    path = folder / output_of(command)
    if ended.hung:
        fault = "did not end in time"
    elif ended.status not in statuses:
        fault = f"status {ended.status}: {ended.errors.strip()[:160]}"
    elif ended.status not in (0, 127) and ended.status >= 64 and not ended.errors.strip():
        fault = f"status {ended.status} without a message"
    elif ended.status == 0:
        fault = fault_of_file(bench, path)
    elif path.exists() and path.name != "source.mov":
        fault = f"{path.name} exists after status {ended.status}"
    elif name == "retag --in-place" and digest(path) != bench.source:
        fault = f"the file was changed although the status is {ended.status}"
    kept = f"{path.name}.failed" if ended.status in keeps else ""
    left = [file for file in left_over(folder, command) if file != kept]
    if not fault and left:
        fault = f"left behind: {', '.join(left)}"
    outcome = "no end" if ended.hung else ended.status
    bench.note(kind, outcome, f"{name}, {what}: {fault}" if fault else None)
