# SPDX-License-Identifier: GPL-2.0-or-later
"""How comments sound: phrases that read as translated, documentation that says nothing, and the
lines that give a reason."""

import re

from .checks import Check, Place

# The share of all lines that should give a reason.
REASONS = 0.03
# A comment with fewer words is a label.
WORDS = 5

PHRASES = re.compile(r"\b[Tt]rue if\b|\bnil (?:where|for)\b")
COMMENT = re.compile(r"\s*//(?!/)\s?(.*)")
DOCUMENTATION = re.compile(r"\s*///\s?(.*)")
LICENSE = "SPDX-License-Identifier"
NAME = re.compile(r"\b(?:struct|class|enum|actor|protocol|extension|typealias|func|var|let|case)"
                  r"\s+`?(\w+)")
# Above one of these, a comment is documentation, however many slashes it has.
DOCUMENTED = re.compile(r"\s*(?:@?\w+(?:\([^()]*\))? )*(?:struct|class|enum|actor|protocol"
                        r"|extension|typealias|func|init|subscript)\b")


def blocks(file, pattern):
    """Yields the comments whose lines match: the number of the first line, counted from 1, and the
    texts of all lines."""
    first, texts = None, []
    for number, line in enumerate(file.lines + [""], 1):
        found = pattern.match(line)
        if found:
            first = first or number
            texts.append(found[1].strip())
        elif texts:
            yield first, texts
            first, texts = None, []


def phrases(files):
    """Yields a place for each of the phrases in a comment."""
    for file in files:
        for number, line in enumerate(file.lines, 1):
            for _ in PHRASES.findall(line.partition("//")[2]):
                yield Place(file.name, number, line)


def words(text):
    """Returns the words of a text or a name in lower case: `frameCount` gives frame and count."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", text)]


def echoes(files):
    """Doc comments that have only one or two words, or that only repeat the name."""
    for file in files:
        for first, texts in blocks(file, DOCUMENTATION):
            said = words(" ".join(texts).replace("`", " "))
            after = first + len(texts)
            while after <= len(file.lines) and file.lines[after - 1].lstrip().startswith("@"):
                after += 1
            name = NAME.search(file.lines[after - 1]) if after <= len(file.lines) else None
            rest = set(said) - {"the", "a", "an", "of", "its"}
            if len(said) <= 2 or name and rest <= set(words(name[1])):
                yield Place(file.name, first, " ".join(texts))


def reasons(files):
    """Lines of comments that are neither documentation nor a label nor a license."""
    for file in files:
        for first, texts in blocks(file, COMMENT):
            after = first + len(texts)
            declared = after <= len(file.lines) and DOCUMENTED.match(file.lines[after - 1])
            if (LICENSE not in texts[0] and not declared
                    and len(" ".join(texts).split()) >= WORDS):
                for number, text in enumerate(texts, first):
                    yield Place(file.name, number, text)


PROSE = [
    Check("phrases", "comments that say 'True if', 'nil where'", 0, phrases),
    Check("echoes", "doc comments that repeat the name", 8, echoes),
]
