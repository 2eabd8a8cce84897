# SPDX-License-Identifier: GPL-2.0-or-later
"""Separates Swift source into its code, in which comments and strings are blanks, and its string
literals."""

import bisect
import re
from functools import cached_property
from pathlib import Path


class Literal:
    """A string literal: its line, counted from 1, and its text without interpolations."""

    def __init__(self, line, text):
        self.line = line
        self.text = text


class Source:
    """A Swift file. `code` is the text with blanks in place of comments and strings; `statements`
    has blanks only in place of comments. Both have the length and the lines of the text."""

    def __init__(self, path, name):
        self.path = Path(path)
        self.name = name  # relative to the folder that holds the targets
        self.text = self.path.read_text(encoding="utf-8")
        self.literals = []
        self._comments, self._strings = [], []
        self._code(0, closing=None)
        self.statements = self._blanked(self._comments)
        self.code = self._blanked(self._comments + self._strings)

    @cached_property
    def lines(self):
        return self.text.splitlines()

    @cached_property
    def _starts(self):
        return [0] + [match.end() for match in re.finditer("\n", self.text)]

    def line(self, offset):
        """Returns the line, counted from 1, of an offset in the text."""
        return bisect.bisect_right(self._starts, offset)

    def offset(self, line, column):
        """Converts a line, and a column in bytes of UTF-8, to an offset in the text. Line and
        column are counted from 1."""
        start = self._starts[line - 1]
        return start + len(self.lines[line - 1].encode()[:column - 1].decode())

    def _blanked(self, ranges):
        pieces = list(self.text)
        for start, end in ranges:
            for place in range(start, end):
                if pieces[place] != "\n":
                    pieces[place] = " "
        return "".join(pieces)

    _interesting = re.compile(r'//|/\*|#*"|[()]')

    def _code(self, place, closing):
        """Reads code to the end of the text or, in an interpolation, to its `)`. Returns the place
        after that."""
        depth = 0
        while found := self._interesting.search(self.text, place):
            start, token = found.start(), found.group()
            place = found.end()
            if token == "//":
                end = self.text.find("\n", start)
                place = len(self.text) if end < 0 else end
                self._comments.append((start, place))
            elif token == "/*":
                place = self._comment(start)
                self._comments.append((start, place))
            elif token.endswith('"'):
                place = self._string(start, len(token) - 1)
            elif token == "(":
                depth += 1
            elif depth == 0 and closing:
                return place
            else:
                depth -= 1
        return len(self.text)

    def _comment(self, start):
        depth, place = 1, start + 2
        while depth and (found := re.compile(r"/\*|\*/").search(self.text, place)):
            depth += 1 if found.group() == "/*" else -1
            place = found.end()
        return place if depth == 0 else len(self.text)

    def _string(self, start, hashes):
        """Reads a literal with its delimiters from `start`; returns the place after it."""
        quotes = '"""' if self.text.startswith('"""', start + hashes) else '"'
        end, escape = quotes + "#" * hashes, "\\" + "#" * hashes
        place = blank = start + hashes + len(quotes)
        self._strings.append((start, place))
        pieces = []
        while place < len(self.text) and not self.text.startswith(end, place):
            if self.text.startswith(escape + "(", place):
                self._strings.append((blank, place))
                place = blank = self._code(place + len(escape) + 1, closing=")")
                pieces.append("\0")
            elif self.text.startswith(escape, place):
                pieces.append(self.text[place:place + len(escape) + 1])
                place += len(escape) + 1
            elif quotes == '"' and self.text[place] == "\n":
                break
            else:
                pieces.append(self.text[place])
                place += 1
        self._strings.append((blank, place))
        self.literals.append(Literal(self.line(start), "".join(pieces)))
        if self.text.startswith(end, place):
            self._strings.append((place, place + len(end)))
            place += len(end)
        return place


def sources(folder):
    """Returns every Swift file below `folder` once. Links to folders are not followed."""
    folder = Path(folder)
    files = sorted(
        path for path in folder.rglob("*.swift")
        if not any(part.is_symlink() for part in [path, *path.parents][:-1]
                   if folder in part.parents))
    return [Source(path, str(path.relative_to(folder))) for path in files]
