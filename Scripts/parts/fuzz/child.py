# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a program with a time limit, and reports its status and the memory that it took."""

from dataclasses import dataclass
import os
from pathlib import Path
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
    """Returns a time limit: `seconds`, or up to four times as long on a busy machine."""
    return seconds * min(4, max(1, os.getloadavg()[0] / (os.cpu_count() or 1)))


def _processor_time(process):
    """Returns the seconds of processor time that a process and its ended children have taken."""
    text = Path(f"/proc/{process}/stat").read_text()
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def run(command, folder, seconds=20, environment=None):
    """Runs a command in a folder, and kills this one process if it takes too long. It may take
    `seconds` of processor time, however busy the machine is, and six times `seconds` in all."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=errors, env=environment)
        late, ended = threading.Event(), threading.Event()

        def watch():
            for _ in range(6):
                if ended.wait(seconds):
                    return
                if _processor_time(child.pid) >= seconds:
                    break
            late.set()
            os.kill(child.pid, signal.SIGKILL)

        watcher = threading.Thread(target=watch)
        watcher.start()
        # The process stays a zombie, and keeps its number, until the watcher has ended.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        ended.set()
        watcher.join()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(1 << 20).decode("utf-8", "replace"))
        return Ended(child.returncode, late.is_set(), usage.ru_maxrss * 1024, *texts)
