# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what differs between two results, and groups equal differences."""

import difflib
import re
from collections import Counter, defaultdict
from subprocess import run


class Allowed:
    """Intended changes of wording, from a file with a line `REGEX => REPLACEMENT` for each. The old
    program's texts are changed accordingly before they are compared. Lines that begin with `#`
    are comments."""

    def __init__(self, path=None):
        self.rules, self.used = [], Counter()
        for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = re.split(r" (?:=>|→)(?: |$)", line, maxsplit=1)
            try:
                self.rules.append((re.compile(parts[0], re.MULTILINE), parts[1]))
            except (IndexError, re.error) as error:
                raise SystemExit(f"compare-programs: {path}:{number}: "
                                 f"not 'REGEX => REPLACEMENT' ({error})") from None

    def applied(self, text):
        for index, (pattern, replacement) in enumerate(self.rules):
            text, count = pattern.subn(replacement, text)
            self.used[index] += count
        return text

    def unused(self):
        return [pattern.pattern for index, (pattern, _) in enumerate(self.rules)
                if not self.used[index]]


def first_difference(old, new):
    """Says in a few words where two files differ; None if they are equal."""
    if old is None or new is None:
        return None if old is new else f"only the {'old' if old else 'new'} program wrote a file"
    sizes = old.stat().st_size, new.stat().st_size
    place = 0
    with open(old, "rb") as a, open(new, "rb") as b:
        while True:
            left, right = a.read(1 << 20), b.read(1 << 20)
            if left != right:
                place += next((index for index, (x, y) in enumerate(zip(left, right)) if x != y),
                              min(len(left), len(right)))
                return f"from byte {place} on; the sizes are {sizes[0]} and {sizes[1]} bytes"
            if not left:
                return None
            place += len(left)


def has_same_packets(old, new):
    """Whether ffmpeg reads every track of the old file from the new one, too, with the same packets
    and times. Boxes and the form of edit lists may differ, and there may be further tracks."""
    before, after = (Counter(streams(path)) for path in (old, new))
    return bool(before) and not before - after


def streams(path):
    """Returns what ffmpeg's framemd5 prints for each video, audio and subtitle track of a file,
    without the tracks' numbers."""
    maps = [word for kind in "vas" for word in ("-map", f"0:{kind}?")]
    printed = run(["ffmpeg", "-v", "error", "-copyts", "-i", path, *maps,
                   "-c", "copy", "-f", "framemd5", "-"], capture_output=True, text=True).stdout
    packets = defaultdict(list)
    for line in printed.splitlines():
        if not line.startswith("#"):
            number, _, packet = line.partition(",")
            packets[number].append(packet)
    return ["\n".join(lines) for lines in packets.values()]


class Change:
    """Lines that were replaced by others. Changes with an equal `key` count as equal. The key
    contains only the words that changed, with 0 for every number."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        a, b = " ".join(old).split(), " ".join(new).split()
        matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
        runs = [(" ".join(a[i1:i2]), " ".join(b[j1:j2]))
                for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"]
        # A sentence counts as the same in text and in JSON, and with or without a comma after it.
        self.key = tuple(tuple(re.sub(r"\d+", "0", re.sub('[",]', "", text)) for text in run)
                         for run in runs)


def changes(old, new):
    """Yields the changes between two texts. If as many lines were added as were removed in a place,
    each line is a change; otherwise, all of them are one change."""
    a, b = old.splitlines(), new.splitlines()
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if i2 - i1 == j2 - j1:
            yield from (Change([x], [y]) for x, y in zip(a[i1:i2], b[j1:j2]) if x != y)
        else:
            yield Change(a[i1:i2], b[j1:j2])


class Group:
    """Equal changes: the first one, and the commands and files in which they occur."""

    def __init__(self, change):
        self.change, self.places = change, []

    def text(self):
        count = len(self.places)
        kinds = Counter(kind for kind, _ in self.places)
        where = ", ".join(f"{kind} {number}×" for kind, number in kinds.most_common(4))
        files = len({file for _, file in self.places})
        lines = [f"{count}×, in {files} files ({where}{', …' if len(kinds) > 4 else ''}); "
                 f"first: {self.places[0][0]} of {self.places[0][1]}"]
        lines += [f"  - {line}" for line in self.change.old[:20]]
        lines += [f"  + {line}" for line in self.change.new[:20]]
        return "\n".join(lines)
