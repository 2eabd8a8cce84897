# SPDX-License-Identifier: GPL-2.0-or-later
"""Types command lines into an interactive shell, presses Tab, and lets the shell print what has
become of each line.

complete.py SHELL SCRIPT PROGRAM LINE... Neither zsh nor fish completes without a terminal, so they
get one."""

import os
import pty
import re
import select
import sys
import time

SHELLS = {
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; source {script}; "
            "compdef _candela candela; setopt list_ambiguous; PROMPT='> '"),
    "fish": (["fish", "--no-config", "-i"], "source {script}"),
}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[=>]|\x1b\([A-Z]|[\r\x07]")


def read(terminal, quiet=0.8, longest=20):
    """What is shown until nothing changes for a while."""
    shown, end = b"", time.time() + longest
    while time.time() < end and select.select([terminal], [], [], quiet)[0]:
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:
            break
    return CONTROL.sub("", shown.decode(errors="replace"))


def main(shell, script, program, *lines):
    words, setup = SHELLS[shell]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PATH=f"{os.path.dirname(program)}:{os.environ['PATH']}", TERM="xterm")
        os.execvp(words[0], words)
    read(terminal, quiet=1.5)
    os.write(terminal, setup.format(script=script).encode() + b"\n")
    read(terminal, quiet=1.5)
    for line in lines:
        os.write(terminal, line.encode())
        read(terminal, quiet=0.4)
        os.write(terminal, b"\t")
        read(terminal)
        # The shell prints the line instead of running it.
        os.write(terminal, b"\x01echo \r")
        print(read(terminal))
    os.close(terminal)


main(*sys.argv[1:])
