# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds code that branches on a codec, a container or a curve, although a row of a table should
state what differs.

The compiler's index says what a name means. The code around the name says whether it is tested.
"""

import re
from pathlib import PurePosixPath

from .checks import TYPE, Check, Place, by_file
from .index import CONSTANTS, Index
from .source import Source

# What stands between an operator and the name of a kind: `FileType.`, `.`, or nothing.
OWNER = r"(?:\w+\s*\.\s*)*\.?"
BEFORE = re.compile(r"(?:(?:[!=]=|~=)\s*|\bcontains\(\s*)" + OWNER + "$")
AFTER = re.compile(r"(?:\.\w+)*\s*[!=]=|[^()\[\]{}]*\]\s*\.contains\(")
# The declaration of a value of type FileType.
VALUE = r"\b(\w+)\s*:\s*FileType\b"
# A value beside an operator: the value itself, not a member of it, and not compared with nil.
VALUE_BEFORE = re.compile(r"(?<!nil )[!=]=\s*(?:[\w$]+[?!]?\.)*$")
VALUE_AFTER = re.compile(r"[?!]?\s*[!=]=(?!\s*nil\b)")
VALUE_END = re.compile(r"(?![?!]?\.)")
# The name of a Boolean, or the label of an argument, whose whole value is a comparison.
NAMED = re.compile(
    r"\b(\w+)(?:\s*:\s*Bool\s*\{\s*(?:return\b)?|\s*:|(?:\s*:\s*Bool)?\s*=)\s*[\w.?!]+\s*[!=]=\s*"
    + OWNER + "$")
MORE = re.compile(r"\s*(?:&&|\|\||\?|\.)")
KINDS = re.compile(r"matroska|quicktime|mkv|mp4|mov(?!ie)", re.I)


def is_pattern(code: str, start: int) -> bool:
    """Whether the name at `start` stands in the pattern of a `case`."""
    behind_colon, depth = False, 0
    for found in re.finditer(r"\w+|[^\w\s]", code[max(0, start - 400):start][::-1]):
        token = found.group()[::-1]
        if token in ")]":
            depth += 1
        elif token in "([":
            # A colon in parentheses belongs to a label.
            behind_colon = behind_colon and depth > 0
            depth = max(0, depth - 1)
        elif token in "{};=" or token == "where":
            return False
        elif token == ":" and depth == 0:
            behind_colon = True
        elif token == "case":
            return not behind_colon
    return False


def end(source: Source, start: int) -> int:
    """The place after the name at `start`."""
    return re.compile(r"\w+").match(source.code, start).end()


def is_question(source: Source, start: int) -> bool:
    """Whether the kind that is named at `start` is compared, or matched by a pattern."""
    return bool(BEFORE.search(source.code, max(0, start - 200), start)
                or AFTER.match(source.code, end(source, start))
                or is_pattern(source.code, start))


def is_compared(source: Source, start: int) -> bool:
    """Whether the value that is named at `start` is compared with another."""
    behind = end(source, start)
    return bool(VALUE_AFTER.match(source.code, behind)
                or VALUE_BEFORE.search(source.code, max(0, start - 200), start)
                and VALUE_END.match(source.code, behind))


def declared(index: Index, files: dict[str, Source], pattern: str) -> dict[str, str]:
    """Returns the names of definitions that match a pattern, keyed by identifier. The pattern's
    group is the name."""
    named = {(file.name, file.line(found.start(1)), found[1])
             for file in files.values() for found in re.finditer(pattern, file.code)}
    return {identifier: definition[2] for identifier, definition in index.definitions.items()
            if definition in named}


def codecs(index: Index, files: dict[str, Source]):
    """Files that name H.264 or HEVC. Files of NALUnits and VideoEncoders do not count, nor do files
    that declare codecs or only extend the types of codecs."""
    cases = index.members(CONSTANTS, ("hevc", "hevc(_:)", "h264"))
    homes = {index.definitions[case][0] for case in cases}
    enums = {index.names[index.owners[case]] for case in cases}

    def is_of_rows(file):
        types = set(TYPE.findall(re.sub(r"(?m)^[ \t}].*$", "", files[file].code)))
        return bool(types) and types <= enums

    yield from by_file(
        (file, line) for file, line, _ in index.uses(cases)
        if PurePosixPath(file).parts[0] not in ("NALUnits", "VideoEncoders")
        and file not in homes and not is_of_rows(file))


def containers(index: Index, files: dict[str, Source]):
    """Files that compare the kind of a file, or use a Boolean that stands for a comparison."""
    cases = index.members(CONSTANTS, ("mov", "mp4", "mkv"), "FileType")
    found, booleans = set(), set()
    for file, line, column in index.uses(cases):
        source = files[file]
        start = source.offset(line, column)
        if is_question(source, start):
            found.add((file, line))
            named = NAMED.search(source.code, max(0, start - 200), start)
            if named and not MORE.match(source.code, end(source, start)):
                booleans.add(named[1])
    values = declared(index, files, VALUE)
    for file, line, column in index.uses(values):
        if is_compared(files[file], files[file].offset(line, column)):
            found.add((file, line))
    # The index leaves out most uses of parameters.
    for source in files.values():
        names = set(re.findall(VALUE, source.code))
        for named in re.finditer(r"(?<![.\w])\w+", source.code) if names else ():
            if named[0] in names and is_compared(source, named.start()):
                found.add((source.name, source.line(named.start())))
    standing = {
        identifier for identifier, name in declared(
            index, files, r"\b(\w+)\s*(?::\s*Bool\b|=[^=])").items()
        if name in booleans
        # A member of FileType states what its row says, unless its name contains a kind of file.
        and (index.names.get(index.owners.get(identifier)) != "FileType" or KINDS.search(name))}
    found.update(index.definitions[identifier][:2] for identifier in standing)
    found.update((file, line) for file, line, _ in index.uses(standing))
    yield from by_file(found)


def curves(index: Index, files: dict[str, Source]):
    """Places where planners test for HLG or PQ."""
    for file, line, column in index.uses(index.members(CONSTANTS, ("hlg", "pq"))):
        if file.startswith(("Planning/", "ColorConversion/Planning/")):
            source = files[file]
            if is_question(source, source.offset(line, column)):
                yield Place(file, line, source.lines[line - 1])


BRANCHES = [
    Check("codecs", "files that name .hevc or .h264", 6, codecs),
    Check("containers", "files that compare a FileType", 4, containers),
    Check("curves", "planners that test for HLG or PQ", 0, curves),
]
