# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads ISO base media files as trees of boxes. Writes changed trees, with adapted chunk
offsets."""

import struct

CONTAINERS = {
    b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"udta", b"moof", b"traf",
    b"mvex", b"mfra", b"tref", b"sinf", b"schi", b"wave",
}
# Sample entries of video. Their boxes begin after 78 bytes.
PICTURE_ENTRIES = {b"hvc1", b"hev1", b"avc1", b"avc3", b"apcn", b"apch", b"dvh1", b"mp4v", b"vp09"}


class Box:
    """A box: its kind, its children, and the bytes before them. A box without children has only
    bytes."""

    def __init__(self, kind, head=b"", children=None):
        self.kind, self.head, self.children = kind, head, children
        self.stated_size = None

    def data(self):
        body = self.head + b"".join(child.data() for child in self.children or [])
        size = len(body) + 8 if self.stated_size is None else self.stated_size
        return struct.pack(">I", size & 0xFFFFFFFF) + self.kind + body

    def size(self):
        return 8 + len(self.head) + sum(child.size() for child in self.children or [])

    def walk(self):
        for child in self.children or []:
            yield self, child
            yield from child.walk()


def _head_length(kind, data):
    """How many bytes come before the boxes inside a box; None if there are none inside."""
    if kind in CONTAINERS:
        return 0
    if kind in PICTURE_ENTRIES:
        return 78
    if kind == b"stsd":
        return 8
    if kind == b"meta":
        return 0 if data[4:8] == b"hdlr" else 4
    return None


def parse(data, depth=0):
    """Returns the boxes that bytes consist of; None if the bytes are not boxes."""
    boxes, place = [], 0
    while place < len(data):
        if len(data) - place < 8:
            return None
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        if size == 0:
            size = len(data) - place
        if size < 8 or place + size > len(data):
            return None
        body = data[place + 8:place + size]
        length = _head_length(kind, body)
        children = parse(body[length:], depth + 1) if length is not None and depth < 12 else None
        if children is None:
            boxes.append(Box(kind, body))
        else:
            boxes.append(Box(kind, body[:length], children))
        place += size
    return boxes


class Movie:
    """A file's boxes, and where its samples were before the boxes were changed."""

    def __init__(self, data):
        self.root = Box(b"root", b"", parse(data) or [])
        self.before = self._media_place()

    def __bool__(self):
        return any(box.kind in (b"moov", b"moof") for box in self.root.children)

    def all(self):
        return list(self.root.walk())

    def find(self, kind):
        return [box for _, box in self.root.walk() if box.kind == kind]

    def _media_place(self):
        place = 0
        for box in self.root.children:
            if box.kind == b"mdat":
                return place
            place += box.size()
        return None

    def data(self, with_offsets=True):
        place = self._media_place()
        if with_offsets and place is not None and self.before is not None and place != self.before:
            self._move(place - self.before)
        return b"".join(box.data() for box in self.root.children)

    def _move(self, distance):
        for kind, code in ((b"stco", "I"), (b"co64", "Q")):
            width = struct.calcsize(code)
            for box in self.find(kind):
                head = bytearray(box.head)
                for at in range(8, len(head) - width + 1, width):
                    value = struct.unpack_from(">" + code, head, at)[0] + distance
                    struct.pack_into(">" + code, head, at, value % (1 << 8 * width))
                box.head = bytes(head)


def _table(box, entry):
    count = min(struct.unpack_from(">I", box.head, 4)[0], len(box.head))
    return [struct.unpack_from(">" + entry, box.head, 8 + index * struct.calcsize(">" + entry))
            for index in range(count)]


def picture_samples(data):
    """Returns (offset, size) of every sample of the first video track, from the sample tables."""
    movie = Movie(data)
    for track in movie.find(b"trak"):
        boxes = {box.kind: box for _, box in track.walk()}
        if not boxes.keys() & PICTURE_ENTRIES:
            continue
        try:
            common, count = struct.unpack_from(">II", boxes[b"stsz"].head, 4)
            count = min(count, len(data))
            sizes = [common] * count if common else [
                struct.unpack_from(">I", boxes[b"stsz"].head, 12 + 4 * index)[0]
                for index in range(count)]
            stco = boxes.get(b"stco")
            chunks = _table(stco, "I") if stco else _table(boxes[b"co64"], "Q")
            runs = _table(boxes[b"stsc"], "III")
        except (KeyError, struct.error):
            return []
        samples, sizes = [], iter(sizes)
        for number, (place,) in enumerate(chunks, 1):
            in_chunk = [run[1] for run in runs if run[0] <= number]
            for _, size in zip(range(in_chunk[-1] if in_chunk else 0), sizes):
                samples.append((place, size))
                place += size
        return samples
    return []
