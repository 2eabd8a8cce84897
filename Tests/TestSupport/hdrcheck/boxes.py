# SPDX-License-Identifier: GPL-2.0-or-later
"""Boxes of ISO base media files and atoms of QuickTime movies (ISO/IEC 14496-12, 4.2)."""

from fields import BrokenFile, Fields


class Box:
    """A box: its type, where it begins, and where its content begins and ends."""

    def __init__(self, data, kind, start, body, end):
        self.data = data
        self.kind = kind
        self.start = start
        self.body = body
        self.end = end

    def fields(self, skipping=0):
        return Fields(self.data, self.body + skipping, self.end, self.kind)

    def full(self):
        """Version and flags of a FullBox, and the fields after them (4.2.2)."""
        fields = self.fields()
        return fields.unsigned(1), fields.unsigned(3), fields

    def children(self, skipping=0):
        """The boxes inside, after `skipping` bytes of fields."""
        self.fields().require(skipping)
        return list(boxes(self.data, self.body + skipping, self.end, self.kind))

    def find(self, *path):
        """The first box that a path of types leads to from this box, or None."""
        found = self
        for kind in path:
            found = next((child for child in found.children() if child.kind == kind), None)
            if found is None:
                return None
        return found

    def need(self, *path):
        """The first box that a path of types leads to from this box. It has to be there."""
        found = self.find(*path)
        if found is None:
            raise BrokenFile("'%s' has no '%s'" % (self.kind, "/".join(path)))
        return found


def boxes(data, start, end, parent=None):
    """The boxes between two places of a file (4.2.2). At the top level, `parent` is None."""
    while end - start >= 8:
        size = int.from_bytes(data[start : start + 4], "big")
        kind = data[start + 4 : start + 8].decode("latin-1")
        body = start + 8
        if size == 0 and parent is not None:
            # QuickTime ends some lists with 32 zero bits.
            return
        if size == 0:
            size = end - start
        elif size == 1:
            size = Fields(data, body, end, kind).unsigned(8)
            body += 8
        if size < body - start:
            raise BrokenFile("'%s' at byte %d is smaller than its header" % (kind, start))
        if start + size > end:
            where = "the file" if parent is None else "'%s'" % parent
            if parent is not None or kind != "mdat":
                raise BrokenFile(
                    "'%s' at byte %d ends %d bytes after the end of %s"
                    % (kind, start, start + size - end, where)
                )
            # If media data is cut off, the samples before the cut remain.
            size = end - start
        yield Box(data, kind, start, body, start + size)
        start += size


def is_movie(data):
    """Whether a file begins as ISO base media files or QuickTime movies do."""
    return data[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"styp", b"pnot")
