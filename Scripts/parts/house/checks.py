# SPDX-License-Identifier: GPL-2.0-or-later
"""The checks. Each one finds places, and has a limit for their number."""

import re
from collections import defaultdict
from pathlib import PurePosixPath

PROGRAM = "candela"
LONG, SHORT = 100, 30


class Place:
    """A line of a file, several lines (`3,5`), or a whole file. Lines are counted from 1."""

    def __init__(self, file, line=None, note=""):
        self.file, self.line, self.note = file, line, note.strip()

    def __str__(self):
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.note}" if self.note else where


def by_file(lines):
    """One place for each file, with its lines in order."""
    found = defaultdict(set)
    for file, line in lines:
        found[file].add(line)
    for file, numbers in sorted(found.items()):
        yield Place(file, ",".join(map(str, sorted(numbers))))


class Check:
    """A name, what it counts, how many are allowed, and a function that finds the places. The
    function takes a list of files, or the compiler's index and a dictionary of files by name."""

    def __init__(self, name, title, limit, find):
        self.name, self.title, self.limit, self.find = name, title, limit, find


def matching(pattern, text="code"):
    """Finds lines whose code matches. With "statements", strings are searched, too."""
    wanted = re.compile(pattern)

    def find(files):
        for file in files:
            for found in wanted.finditer(getattr(file, text)):
                line = file.line(found.start())
                yield Place(file.name, line, file.lines[line - 1])

    return find


def long_lines(files):
    for file in files:
        for number, line in enumerate(file.lines, 1):
            if len(line) > LONG:
                yield Place(file.name, number, f"{len(line)} columns")


def short_files(files):
    for file in files:
        if len(file.lines) <= SHORT:
            yield Place(file.name, note=f"{len(file.lines)} lines")


# Targets whose files hold functions and are named after what the functions are about.
FREE = ("RowKernels",)
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|extension)\s+([\w.]+)")
MEMBER = re.compile(r"\b(?:func|static\s+(?:let|var))\s+(\w+)")


def misnamed_files(files):
    """Files with an unexpected name. A file may be named after a type that it declares or extends
    (`Type+Topic`), after the word with which its types' names end, or after a member that it adds
    to a type. Files that hold only functions may have any name."""
    for file in files:
        path = PurePosixPath(file.name)
        types = {part for name in TYPE.findall(file.code) for part in name.split(".")}
        name, topic, _ = path.stem.partition("+")
        one = name.removesuffix("s")
        word = re.findall("[A-Z][a-z0-9]*", one)[-1:] if one != name else []
        members = {member.lower() for member in MEMBER.findall(file.code)}
        if not (path.parts[0] in FREE or not types or name in types
                or any(type.endswith((one, *word)) for type in types)
                or not topic and one.lower() in members):
            yield Place(file.name, note=", ".join(sorted(types)))


DECLARATION = re.compile(
    r"^ *(?P<before>(?:@?\w+(?:\([^()\n]*\))? +)*?)(?P<kind>struct|class|enum|actor|protocol"
    r"|extension|typealias|associatedtype|func|init|subscript|var|let|case)\b|[{}]", re.MULTILINE)


def public_declarations(files):
    """Public declarations, with cases of enumerations and requirements of protocols: their file,
    their line, and the line above the declaration and its attributes. Both lines are counted from
    1."""
    for file in files:
        scopes, latest = [], None
        for found in DECLARATION.finditer(file.code):
            if found.group() == "{":
                scopes.append(latest)
                latest = None
            elif found.group() == "}":
                scopes.pop()
            else:
                kind, scope = found["kind"], scopes[-1] if scopes else None
                is_public = (scope == "protocol" or (scope == "enum" and kind == "case")
                             or re.search(r"\b(?:public|open)\b(?!\()", found["before"]))
                latest = kind if is_public else None
                line = file.line(found.start())
                above = line - 1
                while file.lines[above - 1].lstrip().startswith(("@", "#if")):
                    above -= 1
                if is_public:
                    yield file, line, above


# What the compiler declares for an enumeration that conforms to one of these protocols.
SYNTHESIZED = {"String": ("rawValue", "init(rawValue:)"), "CaseIterable": ("allCases",)}


def public_places(files):
    """Public names: declarations, the cases of enumerations, and what the compiler declares for
    enumerations, so that an enumeration counts as much as the structure that might take its
    place."""
    for file, line, _ in public_declarations(files):
        text = file.lines[line - 1]
        if re.match(r"\s*public\s+extension\b", text):
            continue
        yield Place(file.name, line, text)
        if re.match(r"\s*public\s+enum\b", text):
            for conformance in re.findall(r"\w+", text.partition(":")[2]):
                for name in SYNTHESIZED.get(conformance, ()):
                    yield Place(file.name, line, name)


def is_documentation(file, line):
    return file.lines[line - 1].lstrip().startswith("///")


def undocumented(files):
    """Public declarations that have no documentation above them."""
    for file, line, above in public_declarations(files):
        if not is_documentation(file, above):
            yield Place(file.name, line, file.lines[line - 1])


def options(files):
    """Command-line options in texts of a library."""
    option = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
    for file in files:
        for literal in file.literals:
            if not file.name.startswith(PROGRAM + "/") and option.search(literal.text):
                yield Place(file.name, literal.line, literal.text.replace("\0", "…"))


# A tuple as a type or a literal. Arguments of calls and parameters of functions do not count.
SIZE_TUPLE = r"(?<![\w>\])?!])\(\s*width\s*:"

# Decisions that depend on displayed text: comparisons of places, names and descriptions, and of
# their beginnings.
WORDS = "|".join([
    r'hasPrefix\("SEI',
    r'\bplace\s*[=!]=\s*"',
    r'\bplaces\.\w+[^\n]*[=!]=\s*"',
    r"\bplaces\??\.contains\(",
    r"[=!]=\s*(?:Self|HDRMetadata)\.dolbyVisionName\b",
    r"\bnames\.(?:contains|filter)\b",
    r'[=!]=\s*"\\\(\w+\)"',
    r"\.description\s*[=!]=",
    r"[=!]=\s*[\w.]+\.description\b",
])

CHECKS = [
    # The limit was 756 at first. Then came names in AVFoundation's spelling: typed keys of
    # attachments, code points, characteristics, time ranges, metadata items, and the status of
    # readers and writers. For presets came a property for every key, the types of these properties,
    # and the HDR metadata that presets state or remove. More of AVFoundation's calls came, too.
    # After that came what programmers missed: the format of a sample, and a frame derived
    # from another, row by row. Last came AV1 and the gain curves of ST 2094-50.
    Check("public", "public names", 1089, public_places),
    Check("unchecked", "@unchecked Sendable", 6, matching(r"@unchecked\s+Sendable")),
    Check("short", f"files of at most {SHORT} lines", 12, short_files),
    Check("long", f"lines over {LONG} columns", 0, long_lines),
    Check("names", "files that are not named after a type", 0, misnamed_files),
    Check("docs", "public declarations without documentation", 0, undocumented),
    # One line is allowed: segments start workers with the program's command line.
    Check("options", "texts of libraries that name an option", 1, options),
    Check("tuples", "tuples of width and height", 0, matching(SIZE_TUPLE)),
    Check("words", "decisions that depend on displayed text", 0, matching(WORDS, "statements")),
]
