# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts places where the sources are not shaped as they should be, and shows which folder uses
which."""

import argparse
import signal
import sys
from collections import Counter, defaultdict
from pathlib import Path

from .checks import CHECKS, Place
from .layout import Layout
from .lists import LISTED
from .manifest import TESTED, mismatches, untested
from .prose import PROSE, REASONS, reasons
from .source import sources
from .uses import Graph, indexed, named, pairs, rings

SHARE = 0.13
# How many types there may be in a thousand lines.
TYPES = 11


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/house", add_help=False)
    parser.add_argument("--sources", type=Path, default=Path("Sources"))
    parser.add_argument("--tests", type=Path, default=Path("Tests"))
    parser.add_argument("--layout", type=Path)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--index", type=Path, default=Path(".build/debug/index/store"))
    parser.add_argument("--list", metavar="NAME")
    parser.add_argument("--uses", metavar="TARGET[/FOLDER]")
    parser.add_argument("--shared", action="store_true")
    return parser.parse_args()


class House:
    """The sources in a layout, with what was counted in them."""

    def __init__(self, options):
        self.files = sources(options.sources)
        self.layout = Layout(options.layout)
        self.index = None
        if options.exact:
            from .index import Index
            self.index = Index(options.index, options.sources)
            if self.index.stale or not self.index.references:
                raise SystemExit("house: the index is out of date for "
                                 f"{', '.join(self.index.stale) or 'every file'}; run swift build")
        self.graph = Graph(indexed(self.index) if self.index else named(self.files), self.layout)
        self.targets = Counter()
        for file in self.files:
            for line in range(1, len(file.lines) + 1):
                place = self.layout.place(file.name, line) or self.layout.place(file.name)
                self.targets[place[0]] += 1
        if self.layout.unused():  # every line was looked up above
            raise SystemExit(f"house: the layout names {', '.join(self.layout.unused())}, "
                             "which is not there")

    def cycles(self):
        """Yields pairs of folders of a target that use each other."""
        for target in sorted(self.targets):
            edges = self.graph.within(target)
            for a, b in pairs(edges):
                yield Place(f"{target}: {title(a)} and {title(b)}",
                            note=f"the first uses the second {len(edges[a, b])} times; "
                                 f"the second uses the first {len(edges[b, a])} times")

    def long_ways(self):
        """Yields groups of targets, or of three or more folders, that use each other in a ring."""
        joined = [("targets", group) for group in rings(self.graph.targets())]
        for target in sorted(self.targets):
            joined += [(target, group) for group in rings(self.graph.within(target))]
        for name, group in joined:
            if len(group) > 2 or name == "targets":
                yield Place(f"{name}: {', '.join(map(title, group))}")

    def large_targets(self):
        total = sum(self.targets.values())
        for target, lines in self.targets.most_common():
            if lines > total * SHARE:
                yield Place(target, note=f"{lines} of {total} lines, {lines / total:.1%}")


def title(folder):
    return folder or "(no folder)"


def results(house, tests):
    """Yields each check's name, what it counts, the places that it finds, and its limit."""
    yield "cycles", "folders of a target that use each other", list(house.cycles()), 0
    yield "rings", "rings of targets, or of 3 or more folders", list(house.long_ways()), 0
    yield "targets", f"targets with over {SHARE:.0%} of all lines", list(house.large_targets()), 0
    if not house.layout.wholes:
        yield "manifest", "imports that differ from the manifest", list(mismatches()), 0
        yield ("untested", f"untested targets with over {TESTED} lines",
               list(untested(house.targets)), 0)
    for check in CHECKS + PROSE + (LISTED if not house.layout.wholes else []):
        files = house.files + (tests if check.name == "long" else [])
        yield check.name, check.title, list(check.find(files)), check.limit
    yield "reasons", "reasons missing in comments (lines)", list(missing_reasons(house)), 0
    if house.index:
        yield from indexed_results(house)


def missing_reasons(house):
    """Yields one place for each missing line. Their number is how many more lines of comments
    should give a reason."""
    found = len(list(reasons(house.files)))
    for _ in range(int(sum(house.targets.values()) * REASONS) - found):
        yield Place("Sources", note=f"{found} lines give a reason")


def indexed_results(house):
    """Yields the same as `results`, for checks that need the compiler's index."""
    from .branches import BRANCHES
    from .symbols import SYMBOLS, types
    thousands = sum(house.targets.values()) / 1000
    found = list(types(house.index))
    yield ("types", f"types, {len(found) / thousands:.2f} in a thousand lines", found,
           int(TYPES * thousands))
    files = {file.name: file for file in house.files}
    for check in SYMBOLS + BRANCHES:
        yield check.name, check.title, list(check.find(house.index, files)), check.limit


def table(house, tests):
    """Prints the counts. Returns whether all are within their limits."""
    good = True
    print(f"{'name':<10} {'what is counted':<42} {'count':>6} {'limit':>6}")
    for name, what, places, limit in results(house, tests):
        verdict = "" if len(places) <= limit else "  too many"
        good &= not verdict
        print(f"{name:<10} {what:<42} {len(places):>6} {limit:>6}{verdict}")
    total = sum(house.targets.values())
    print(f"\n{len(house.files)} files, {total} lines: " + ", ".join(
        f"{target} {lines / total:.1%}" for target, lines in house.targets.most_common()))
    return good


def show_uses(house, wanted):
    """Prints which folders of a target use which, and what they use. If a folder is named, prints
    only what this folder uses, and what uses it."""
    target, _, folder = wanted.partition("/")
    edges = house.graph.within(target)
    if target not in house.targets:
        raise SystemExit(f"house: there is no target {target}")
    for (start, end), uses in sorted(edges.items()):
        if folder and folder not in (start, end):
            continue
        back = len(edges.get((end, start), []))
        print(f"{title(start)} -> {title(end)}  {len(uses)}"
              + (f"  BOTH WAYS: {back} in the other direction" if back else ""))
        homes = defaultdict(lambda: defaultdict(list))
        for use in uses:
            if ":" not in use.name or "(" in use.name:  # accessors only repeat their property
                homes[use.declared[0]][use.name].append(use.used)
        for home, names in sorted(homes.items()):
            print(f"    {home}")
            for name, places in sorted(names.items()):
                files = defaultdict(set)
                for file, line in places:
                    files[file].add(line)
                print(f"        {name}: " + "; ".join(
                    f"{file}:{','.join(map(str, sorted(lines)))}"
                    for file, lines in sorted(files.items())))


def show_shared(house):
    """Prints which names would have to become visible in a layout: private names that the parts of
    a file share, and names that another target uses although they are not public."""
    sources_by_name = {file.name: file for file in house.files}
    closed, opened = set(), set()
    for identifier, file, line, _ in house.index.references:
        if identifier not in house.index.definitions:
            continue
        home, number, name = house.index.definitions[identifier]
        declaration = sources_by_name[home].lines[number - 1] if home in sources_by_name else ""
        here = house.layout.path(file, line)
        if here is None or not declaration or (":" in name and "(" not in name):
            continue
        there = house.layout.path(home, number) or house.layout.path(home)
        if declaration.lstrip().startswith("case "):
            continue
        if "private " in declaration and here != there:
            closed.add(f"{home}:{number}: {name}, used in {here}")
        elif here.split("/")[0] != there.split("/")[0] and "public " not in declaration:
            opened.add((there, home, number, name))
    print(f"private names that parts share: {len(closed)}")
    for line in sorted(closed):
        print("    " + line)
    print(f"names that are not public and that another target uses: {len(opened)}")
    for there, home, number, name in sorted(opened):
        print(f"    {there}: {name} ({home}:{number})")


def main():
    options = arguments()
    house = House(options)
    tests = sources(options.tests) if options.tests.is_dir() else []
    if options.uses:
        show_uses(house, options.uses)
    elif options.shared:
        show_shared(house)
    elif options.list:
        found = {name: places for name, _, places, _ in results(house, tests)}
        if options.list not in found:
            raise SystemExit(f"house: no count is called {options.list}, only {', '.join(found)}")
        print("\n".join(map(str, found[options.list])))
    else:
        sys.exit(0 if table(house, tests) else 1)


# Ends quietly when `head` stops reading, as other tools do.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
main()
