# SPDX-License-Identifier: GPL-2.0-or-later
"""Says where files are, or where a mapping would move them."""

import re
from pathlib import PurePosixPath


class Layout:
    """The places of lines. A place is a target and a folder in it ("" for the target itself).

    A mapping has a line for each file, folder or part of a file that is to move: its name, and its
    new folder (with a slash at the end) or its new name. With `-` in place of the new name, the
    layout leaves out what the file or part uses. `#` starts a comment.

        Transcoding/Session/BoundedQueue.swift        Host/Concurrency/
        Transcoding/Plan/Notices.swift:120-150        Assets/Notices/NoticeText.swift
        Transcoding/Plan/SourceTags.swift:27          -
        Transcoding/Retagging/                        Editing/Retagging/
    """

    _entry = re.compile(r"(\S+?)(?::(\d+)(?:-(\d+))?)?\s+(\S+)$")

    def __init__(self, mapping=None):
        self.wholes = {}
        self.parts = {}
        self._used = set()
        for number, line in enumerate(mapping.read_text().splitlines() if mapping else [], 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            entry = self._entry.match(line)
            if not entry:
                raise SystemExit(f"house: {mapping}:{number}: not 'FILE[:FIRST-LAST] PLACE'")
            source, first, last, place = entry.groups()
            if first:
                self.parts.setdefault(source, []).append((int(first), int(last or first), place))
            else:
                self.wholes[source] = place

    def path(self, file, line=None):
        """Returns the name that a file has in this layout. If the mapping moves parts of the file
        to other files, returns the new name of the part that contains `line`. Without a line,
        returns the name for what the mapping does not move as a part. Returns None for `-`."""
        for first, last, place in self.parts.get(file, []):
            if line is not None and first <= line <= last:
                self._used.add(file)
                return self._moved(file, place)
        if file in self.wholes:
            self._used.add(file)
            return self._moved(file, self.wholes[file])
        for folder in sorted(self.wholes, key=len, reverse=True):
            if folder.endswith("/") and file.startswith(folder):
                self._used.add(folder)
                return self.wholes[folder] + file[len(folder):]
        return file

    @staticmethod
    def _moved(file, place):
        if place == "-":
            return None
        return place + PurePosixPath(file).name if place.endswith("/") else place

    def place(self, file, line=None):
        """Returns the target, and the outermost folder in it."""
        path = self.path(file, line)
        if path is None:
            return None
        parts = PurePosixPath(path).parts
        return parts[0], parts[1] if len(parts) > 2 else ""

    def unused(self):
        """Names in the mapping that no file has."""
        return sorted((set(self.wholes) | set(self.parts)) - self._used)
