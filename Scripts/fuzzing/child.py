# SPDX-License-Identifier: GPL-2.0-or-later
"""Running a program under a clock, with its status and the memory that it took."""

from dataclasses import dataclass
import os
import signal
import subprocess
import tempfile
import threading


@dataclass
class Ended:
    status: int          # negative: the signal that ended it
    hung: bool
    memory: int          # largest resident size, in bytes
    output: str
    errors: str


def patience(seconds):
    """A time that a machine with other work gets more of, up to four times."""
    return seconds * min(4, max(1, os.getloadavg()[0] / (os.cpu_count() or 1)))


def run(command, folder, seconds=20, environment=None):
    """Runs a command in a folder and ends it, and nothing else, when its time is over."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=errors, env=environment)
        late = threading.Event()

        def end():
            late.set()
            os.kill(child.pid, signal.SIGKILL)

        clock = threading.Timer(patience(seconds), end)
        clock.start()
        _, status, usage = os.wait4(child.pid, 0)
        clock.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(1 << 20).decode("utf-8", "replace"))
        return Ended(child.returncode, late.is_set(), usage.ru_maxrss * 1024, *texts)
