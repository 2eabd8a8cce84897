# SPDX-License-Identifier: GPL-2.0-or-later
"""Types command lines into an interactive shell, presses Tab, and lets the shell print what has
become of each line.

Usage: complete.py SHELL SCRIPT PROGRAM LINE...

Neither zsh nor fish completes without a terminal, and bash splits words into keys and values only
there, so this script gives them one."""

import os
import pty
import re
import select
import sys
import time

SHELLS = {
    "bash": (["bash", "--norc", "-i"], "source {script}; PS1='> '; unset HISTFILE"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; source {script}; "
            "compdef _candela candela; setopt list_ambiguous; PROMPT='> '"),
    "fish": (["fish", "--no-config", "-i"], "source {script}"),
}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[=>]|\x1b\([A-Z]|[\r\x07]")


def read(terminal, word=None, quiet=0.15, longest=20):
    """What is shown until a line equals `word`, or until nothing changes for a while."""
    shown, end = b"", time.time() + longest
    while time.time() < end:
        if not select.select([terminal], [], [], longest if word else quiet)[0]:
            break
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:
            break
        if word and f"\n{word}\n" in CONTROL.sub("", shown.decode(errors="replace")):
            break
    return CONTROL.sub("", shown.decode(errors="replace"))


def run(terminal, command, number):
    """What a command prints. After it, the shell is made to print a word that marks the end."""
    os.write(terminal, command.encode() + b"\r")
    # With the quotes, the typed word differs from the printed one.
    os.write(terminal, f"echo do''ne{number}\r".encode())
    return read(terminal, f"done{number}")


def main(shell, script, program, *lines):
    words, setup = SHELLS[shell]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PATH=f"{os.path.dirname(program)}:{os.environ['PATH']}", TERM="xterm")
        os.execvp(words[0], words)
    run(terminal, setup.format(script=script), 0)
    for number, line in enumerate(lines, 1):
        os.write(terminal, line.encode())
        read(terminal)
        os.write(terminal, b"\t")
        read(terminal)
        # The shell prints the line instead of running it.
        print(run(terminal, "\x01echo ", number))
    os.close(terminal)


main(*sys.argv[1:])
