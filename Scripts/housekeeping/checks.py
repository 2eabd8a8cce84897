"""What is counted, with a limit each: a check gives the places that count."""

import re

PROGRAM = "candela"
LONG, SHORT = 100, 30


class Place:
    """A line of a file, counted from 1, or a file as a whole."""

    def __init__(self, file, line=None, note=""):
        self.file, self.line, self.note = file, line, note.strip()

    def __str__(self):
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.note}" if self.note else where


class Check:
    """A name, what it counts, how many may be there, and a function from files to places."""

    def __init__(self, name, title, limit, find):
        self.name, self.title, self.limit, self.find = name, title, limit, find


def matching(pattern, text="code"):
    """Finds lines whose code, or statements with their strings, match."""
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


def options(files):
    """Options of the command line in what a library says."""
    option = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
    for file in files:
        for literal in file.literals:
            if not file.name.startswith(PROGRAM + "/") and option.search(literal.text):
                yield Place(file.name, literal.line, literal.text.replace("\0", "…"))


# A type or a literal, and not the arguments of a call or of a function.
SIZE_TUPLE = r"(?<![\w>\])?!])\(\s*width\s*:"

# Decisions by what is meant to be read: prefixes and comparisons of places, names and descriptions.
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
    Check("public", "public declarations", 600, matching(
        r"(?<!\w)(?:public|open)\s+(?!import\b)(?!\()")),
    Check("unchecked", "@unchecked Sendable", 6, matching(r"@unchecked\s+Sendable")),
    Check("short", f"files of at most {SHORT} lines", 12, short_files),
    Check("long", f"lines over {LONG} columns", 0, long_lines),
    Check("options", "library lines that name an option", 0, options),
    Check("tuples", "tuples of width and height", 0, matching(SIZE_TUPLE)),
    Check("words", "decisions by words for people", 0, matching(WORDS, "statements")),
]
