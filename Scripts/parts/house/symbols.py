# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds in the compiler's index what is declared or called more often than it should be."""

from collections import Counter

from .checks import Check, Place, by_file
from .index import CLASS, INITIALIZER, METHOD, PROPERTY, TYPES, Index
from .source import Source

STORED = 12


def stored(index: Index, files: dict[str, Source]):
    """Classes with many stored properties."""
    counts = Counter(
        index.owners[identifier] for identifier, kind in index.kinds.items()
        if kind == PROPERTY and identifier not in index.computed
        and index.kinds.get(index.owners[identifier]) == CLASS)
    for owner, count in counts.most_common():
        if count > STORED:
            file, line, name = index.definitions[owner]
            yield Place(file, line, f"{name} has {count}")


def packets(index: Index, files: dict[str, Source]):
    """Files that call the method that reads packets."""
    readers = index.members([METHOD], ["readPacket()"], "Demuxer")
    yield from by_file((file, line) for file, line, _ in index.uses(readers))


def rpus(index: Index, files: dict[str, Source]):
    """Calls of initializers that parse an RPU from bytes, except calls from one such initializer to
    another."""
    parsers = {
        identifier
        for identifier in index.members([INITIALIZER], owner="ReferenceProcessingUnit")
        if "[UInt8]" in files[index.definitions[identifier][0]].lines[
            index.definitions[identifier][1] - 1]}
    for file, line, column in index.uses(parsers):
        source = files[file]
        start = source.offset(line, column)
        if not file.startswith("DolbyVision/") and source.code[:start][-5:] != "self.":
            yield Place(file, line, source.lines[line - 1])


def types(index: Index):
    """Every type, nested ones too."""
    for file, line, name in sorted(
            index.definitions[identifier] for identifier, kind in index.kinds.items()
            if kind in TYPES):
        yield Place(file, line, name)


SYMBOLS = [
    Check("stored", f"classes with over {STORED} stored properties", 0, stored),
    Check("packets", "files that call readPacket()", 3, packets),
    Check("rpus", "places that parse an RPU", 3, rpus),
]
