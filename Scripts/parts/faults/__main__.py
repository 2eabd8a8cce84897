# SPDX-License-Identifier: GPL-2.0-or-later
"""Subjects Candela to what happens on real machines, and counts the outcomes."""

import argparse
from pathlib import Path
import random as randoms
import sys
import tempfile

from .bench import Bench
from .cases import ALL


def main():
    parser = argparse.ArgumentParser(prog="Scripts/faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="chooses the moments and sizes (1)")
    parser.add_argument("--count", type=int, default=40, help="how often each fault is tried (40)")
    parser.add_argument("--only", choices=list(ALL), action="append", help="only this fault")
    parser.add_argument("--seconds", type=float, default=20, help="the source's length in s (20)")
    parser.add_argument("--program", type=Path, required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="candela-faults-") as place:
        bench = Bench(str(options.program.resolve()), Path(place))
        bench.prepare(options.seconds)
        for name in options.only or ALL:
            ALL[name](bench, randoms.Random(f"{options.seed}:{name}"), options.count)
    tried = sum(sum(counts.values()) for counts in bench.counts.values())
    print(f"{tried} faults, {bench.failures} not as expected")
    sys.exit(1 if bench.failures else 0)


if __name__ == "__main__":
    main()
