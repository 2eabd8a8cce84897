# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes numbers, sizes and times in Matroska files, and times in transport streams. Matroska
files are read as trees of elements."""

import struct

from .extremes import LONG, NUMBERS

SEGMENT, CLUSTER, TIMESTAMP, BLOCK_GROUP = 0x18538067, 0x1F43B675, 0xE7, 0xA0
SIMPLE_BLOCK, BLOCK, CUES = 0xA3, 0xA1, 0x1C53BB6B
MASTERS = {
    SEGMENT, CLUSTER, BLOCK_GROUP, CUES, 0x1A45DFA3, 0x114D9B74, 0x4DBB, 0x1549A966, 0x1654AE6B,
    0xAE, 0xE0, 0xE1, 0x55B0, 0x55D0, 0xBB, 0xB7, 0x1043A770, 0x45B9, 0xB6, 0x80, 0x1254C367,
    0x7373, 0x63C0, 0x67C8, 0x1941A469, 0x61A7, 0x41E4,
}
FLOATS = {0x4489, 0xB5, 0x78B5, 0x55D1, 0x55D9, 0x55DA}
# Numbers that readers compute with: TimestampScale, Duration, DefaultDuration, CodecDelay,
# SeekPreRoll, BlockDuration, DiscardPadding and ReferenceBlock; the times of clusters, cues and
# chapters; the places of elements; the sizes and crops of frames; sampling frequency, channels, bit
# depth, and the numbers of tracks and of block additions.
COMPUTED = {0x2AD7B1, 0x4489, 0x23E383, 0x56AA, 0x56BB, 0x9B, 0x75A2, 0xFB, TIMESTAMP, 0xB3, 0xF1,
            0xF0, 0xB2, 0x91, 0x92, 0x53AC, 0xB0, 0xBA, 0x54B0, 0x54BA, 0x54AA, 0x54BB, 0x54CC,
            0x54DD, 0xB5, 0x9F, 0x6264, 0xD7, 0x55EE}
REALS = [0.0, -1.0, 1e-300, 1e9, 1e18, 1e19, 1e308, float("inf"), float("nan")]
EMPTY = [b"", b"\x00"]


class Element:
    """An element: its ID, its bytes or its children, and the size that it states."""

    def __init__(self, number, body=b"", children=None):
        self.number, self.body, self.children = number, body, children
        self.size = None

    def data(self):
        parts = self.children
        body = self.body if parts is None else b"".join(part.data() for part in parts)
        size = _size(len(body)) if self.size is None else self.size
        return self.number.to_bytes((self.number.bit_length() + 7) // 8, "big") + size + body

    def walk(self):
        yield self
        for child in self.children or []:
            yield from child.walk()


def _size(length, width=8):
    return (1 << 7 * width | length).to_bytes(width, "big")


def _number(data, place, keeps_mark):
    first = data[place] if place < len(data) else 0
    width = 9 - first.bit_length()
    if not first or place + width > len(data):
        return None, place
    value = int.from_bytes(data[place:place + width], "big")
    return value if keeps_mark else value & (1 << 7 * width) - 1, place + width


def parse(data, depth=0):
    """Returns the elements that bytes consist of; None if the bytes are not elements."""
    elements, place = [], 0
    while place < len(data):
        number, place = _number(data, place, True)
        if number is None:
            return None
        width = place
        size, place = _number(data, place, False)
        if size is None:
            return None
        if size == (1 << 7 * (place - width)) - 1:
            size = len(data) - place
        body = data[place:place + size]
        place += size
        children = parse(body, depth + 1) if number in MASTERS and depth < 8 else None
        elements.append(Element(number, body, children))
    return elements


def _change(element, random):
    """Replaces an element's value with a number, often an extreme one, or with nothing."""
    if element.number in FLOATS:
        element.body = struct.pack(">d", random.choice(REALS))
    elif random.random() < 0.1:
        element.body = random.choice(EMPTY)
    else:
        width = random.choice([1, 2, 4, 8, 8])
        element.body = (random.choice(LONG) & (1 << 8 * width) - 1).to_bytes(width, "big")


def _all(data):
    if data[:4] != b"\x1a\x45\xdf\xa3":
        return None, []
    roots = parse(data)
    return roots, [element for root in roots or [] for element in root.walk()]


def matroska(data, random):
    """Changes times, sizes and other numbers, mostly to extreme values, or adds cues, chapters and
    durations."""
    roots, elements = _all(data)
    if not elements:
        place = random.randrange(len(data) + 1)
        return data[:place] + random.randbytes(8) + data[place + 8:]
    for _ in range(random.choice([1, 1, 2, 3])):
        choice = random.randrange(10)
        computed = [element for element in elements if element.number in COMPUTED]
        blocks = [element for element in elements if element.number in (SIMPLE_BLOCK, BLOCK)]
        if choice < 5 and computed:
            _change(random.choice(computed), random)
        elif choice == 5:
            element = random.choice(elements)
            width = random.choice([1, 2, 4, 8])
            value = random.choice([0, 1, 127, (1 << 7 * width) - 1, (1 << 7 * width) - 2,
                                   random.choice(NUMBERS)])
            element.size = _size(value & (1 << 7 * width) - 1, width)
        elif choice == 6 and blocks:
            block = random.choice(blocks)
            if len(block.body) > 4:
                time = random.choice([0, 1, 0x7FFF, 0x8000, 0xFFFF])
                block.body = block.body[:1] + struct.pack(">H", time) + block.body[3:]
        elif choice == 7:
            _add(elements, random)
        elif choice == 8:
            parent = random.choice([element for element in elements if element.children] or roots)
            if parent.children:
                parent.children *= random.choice([0, 2, 30])
                parent.children = parent.children[:3000]
        else:
            leaves = [element for element in elements if element.children is None]
            leaf = random.choice(leaves)
            if len(leaf.body) <= 8:
                _change(leaf, random)
    return b"".join(root.data() for root in roots)


def _leaf(number, value, width=8):
    return Element(number, (value & (1 << 8 * width) - 1).to_bytes(width, "big"))


def _add(elements, random):
    """Adds chapters or a cue point, or gives blocks a duration and padding."""
    choice = random.randrange(3)
    for parent in [element for element in elements if element.children is not None]:
        if choice == 0 and parent.number == SEGMENT:
            atom = Element(0xB6, children=[
                _leaf(0x73C4, 1), _leaf(0x91, random.choice(LONG)),
                _leaf(0x92, random.choice(LONG))])
            parent.children.insert(1, Element(0x1043A770, children=[
                Element(0x45B9, children=[atom] * random.choice([1, 2, 50]))]))
        elif choice == 1 and parent.number == CLUSTER:
            blocks = [child for child in parent.children if child.number == SIMPLE_BLOCK]
            for block in blocks[:random.choice([1, 1, 100])]:
                place = parent.children.index(block)
                parent.children[place] = Element(BLOCK_GROUP, children=[
                    Element(BLOCK, block.body), _leaf(0x9B, random.choice(LONG)),
                    _leaf(0x75A2, random.choice(LONG)), _leaf(0xFB, random.choice(LONG))])
        elif choice == 2 and parent.number == CUES:
            parent.children.append(Element(0xBB, children=[
                _leaf(0xB3, random.choice(LONG)), Element(0xB7, children=[
                    _leaf(0xF7, 1), _leaf(0xF1, random.choice(LONG))])]))


def clocks(data, random):
    """Makes the PTS and DTS of a transport stream jump."""
    if len(data) < 188 * 4 or data[188:189] != b"\x47":
        return data
    data = bytearray(data)
    first = random.randrange(len(data) // 188)
    step = random.choice([1 << 32, 1 << 33, 90_000 * 3600, 90_000 * 86_400, -90_000 * 3600, 90_000,
                          -90_000, 1])
    wanted = random.choice([None, data[188 * first + 1] & 0x1F])
    for place in range(188 * first, len(data) - 187, 188):
        packet = data[place:place + 188]
        if not packet[1] & 0x40 or (wanted is not None and packet[1] & 0x1F != wanted):
            continue
        start = 4 + (packet[4] + 1 if packet[3] & 0x20 else 0)
        if start + 19 > 188 or packet[start:start + 3] != b"\x00\x00\x01":
            continue
        # Two bits tell whether there is a PTS, and whether a DTS follows it.
        for number in range((packet[start + 7] >> 7) + (packet[start + 7] >> 6 & 1)):
            _move(data, place + start + 9 + 5 * number, step)
    return bytes(data)


def _move(data, place, step):
    """Adds `step` to a 33-bit time that is stored in five bytes (H.222.0, 2.4.3.6)."""
    old = ((data[place] >> 1 & 7) << 30 | data[place + 1] << 22 | data[place + 2] >> 1 << 15
           | data[place + 3] << 7 | data[place + 4] >> 1)
    new = old + step & (1 << 33) - 1
    data[place] = data[place] & 0xF1 | new >> 30 << 1
    data[place + 1] = new >> 22 & 0xFF
    data[place + 2] = (new >> 15 & 0x7F) << 1 | 1
    data[place + 3] = new >> 7 & 0xFF
    data[place + 4] = (new & 0x7F) << 1 | 1
