# SPDX-License-Identifier: GPL-2.0-or-later
"""Replaces edit lists, headers, fragments and sample tables of movies with ones whose numbers are
at their limits. Changes to single fields seldom give a list with several
extreme numbers."""

import struct

from .boxes import Box

NUMBERS = [0, 1, 2, 255, 600, 0x7FFF, 0xFFFF, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 2,
           (1 << 32) - 1]
LONG = NUMBERS + [1 << 32, 1 << 40, (1 << 53) - 1, 1 << 53, 1 << 55, (1 << 55) + 1, 1 << 61,
                  (1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 300, (1 << 64) - 1]
RATES = [0x10000] * 6 + [0, 0x20000, 0x8000, 0xFFFF0000, 0x7FFFFFFF, 1]
TIMESCALES = [0, 1, 25, 600, 1000, 48000, 90000, 10**9, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]


def _table(kind, entries, flags=0):
    """A table: a count, and then numbers of 32 bits; `entries` are tuples."""
    numbers = [value & 0xFFFFFFFF for entry in entries for value in entry]
    return Box(kind, struct.pack(f">II{len(numbers)}I", flags, len(entries), *numbers))


def _put(parent, box, behind=None):
    """Puts a box in the place of the boxes of its kind. If there are none, puts it after the box of
    the kind `behind`, or at the end. Does nothing if an earlier change has left the parent without
    a list of boxes."""
    if parent.children is None:
        return
    kinds = [child.kind for child in parent.children]
    if box.kind in kinds:
        place = kinds.index(box.kind)
        parent.children = [child for child in parent.children if child.kind != box.kind]
    else:
        place = kinds.index(behind) + 1 if behind in kinds else len(kinds)
    parent.children.insert(place, box)


def edit_list(movie, random):
    """Replaces `elst` of one track or of all tracks, in either version."""
    tracks = movie.find(b"trak")
    for track in tracks if random.random() < 0.2 else random.sample(tracks, min(len(tracks), 1)):
        version = random.randrange(2)
        numbers = LONG if version else NUMBERS
        entries = []
        for _ in range(random.choice([1, 1, 2, 2, 3, 4, 9, 2000])):
            duration = random.choice(numbers) if random.random() < 0.5 else random.randrange(2000)
            time = random.choice(numbers) if random.random() < 0.4 else random.randrange(1000)
            time = random.choice([-1, -1, time, time, time, -2, 0])
            entries.append((duration, time, random.choice(RATES)))
        pack = ">QQI" if version else ">III"
        mask = (1 << (64 if version else 32)) - 1
        body = b"".join(struct.pack(pack, duration & mask, time & mask, rate)
                        for duration, time, rate in entries)
        elst = Box(b"elst", struct.pack(">II", version << 24, len(entries)) + body)
        _put(track, Box(b"edts", b"", [elst]), b"tkhd")


def headers(movie, random):
    """Changes the timescales and durations in `mvhd`, `tkhd` and `mdhd`, and writes these boxes in
    version 0 or 1."""
    for kind in random.sample([b"mvhd", b"tkhd", b"mdhd"], random.choice([1, 1, 2, 3])):
        boxes = movie.find(kind)
        if not boxes:
            continue
        box = random.choice(boxes)
        if len(box.head) < 24 or box.head[0]:
            continue
        is_long = random.random() < 0.5
        width, numbers = ("Q", LONG) if is_long else ("I", NUMBERS)
        dates, number = box.head[4:12], box.head[12:16]
        if kind != b"tkhd" and random.random() < 0.6:
            number = struct.pack(">I", random.choice(TIMESCALES))
        rest = box.head[20 + (4 if kind == b"tkhd" else 0):]
        begin = [random.choice(numbers) for _ in range(2)] if random.random() < 0.2 else (
            struct.unpack(">II", dates))
        head = bytes([int(is_long)]) + box.head[1:4] + struct.pack(f">2{width}", *begin) + number
        head += bytes(4) if kind == b"tkhd" else b""
        box.head = head + struct.pack(f">{width}", random.choice(numbers)) + rest


def _run(random):
    """Returns a `trun` with a random choice of fields."""
    flags = sum(bit for bit in (1, 4, 0x100, 0x200, 0x400, 0x800) if random.random() < 0.5)
    count = random.choice([0, 1, 1, 2, 5, 100])
    fields = bin(flags & 0xF00).count("1")
    body = b"".join(struct.pack(">I", random.choice(NUMBERS)) for _ in range(count * fields))
    front = b"".join(struct.pack(">I", random.choice(NUMBERS))
                     for bit in (1, 4) if flags & bit)
    stated = count if random.random() < 0.8 else random.choice(NUMBERS)
    version = random.randrange(2) << 24
    return Box(b"trun", struct.pack(">II", version | flags, stated) + front + body)


def _fragment_header(random, track):
    flags = sum(bit for bit in (1, 2, 8, 0x10, 0x20, 0x10000, 0x20000) if random.random() < 0.4)
    body = struct.pack(">II", flags, track)
    if flags & 1:
        body += struct.pack(">Q", random.choice(LONG))
    for bit in (2, 8, 0x10, 0x20):
        if flags & bit:
            body += struct.pack(">I", random.choice(NUMBERS))
    return Box(b"tfhd", body)


def _fragment_time(random):
    if random.random() < 0.5:
        return Box(b"tfdt", struct.pack(">IQ", 1 << 24, random.choice(LONG)))
    return Box(b"tfdt", struct.pack(">II", 0, random.choice(NUMBERS)))


def _track_number(movie, random):
    headers_of_tracks = [box for box in movie.find(b"tkhd") if len(box.head) >= 24]
    box = random.choice(headers_of_tracks) if headers_of_tracks else None
    place = 20 if box is not None and box.head[0] else 12
    return struct.unpack_from(">I", box.head, place)[0] if box is not None else 1


def fragment(movie, random):
    """Replaces parts of fragments, and adds fragments and indexes of fragments."""
    for moov in movie.find(b"moov"):
        if moov.children is not None and not movie.find(b"mvex"):
            extends = [Box(b"trex", struct.pack(">6I", 0, number, 1, random.choice(NUMBERS),
                                                random.choice([0, 1, 400]), 0))
                       for number in range(1, 4)]
            moov.children.append(Box(b"mvex", b"", extends))
    for box in movie.find(b"trex"):
        if len(box.head) >= 24 and random.random() < 0.5:
            box.head = box.head[:12] + struct.pack(">I", random.choice(NUMBERS)) + box.head[16:]
    parts = movie.find(b"traf")
    for part in random.sample(parts, min(len(parts), random.choice([1, 2]))):
        choice = random.randrange(3)
        if choice == 0:
            _put(part, _fragment_time(random), b"tfhd")
        elif choice == 1:
            _put(part, _run(random))
        else:
            _put(part, _fragment_header(random, _track_number(movie, random)))
    if not parts or random.random() < 0.2:
        part = [_fragment_header(random, _track_number(movie, random))]
        part += [_fragment_time(random)] if random.random() < 0.8 else []
        part += [_run(random) for _ in range(random.choice([1, 1, 2]))]
        number = Box(b"mfhd", struct.pack(">II", 0, random.choice(NUMBERS)))
        movie.root.children.append(
            Box(b"moof", b"", [number, Box(b"traf", b"", part)]))
    if random.random() < 0.3:
        _fragment_index(movie, random)


def _fragment_index(movie, random):
    """Adds `sidx`, or `mfra` with a `tfra`."""
    version = random.randrange(2)
    width, numbers = ("Q", LONG) if version else ("I", NUMBERS)
    count = random.choice([0, 1, 3])
    track = _track_number(movie, random)
    if random.random() < 0.5:
        body = struct.pack(f">III2{width}HH", version << 24, track, random.choice(TIMESCALES),
                           random.choice(numbers), random.choice(numbers), 0, count)
        body += b"".join(struct.pack(">III", *(random.choice(NUMBERS) for _ in range(3)))
                         for _ in range(count))
        movie.root.children.insert(min(1, len(movie.root.children)), Box(b"sidx", body))
    else:
        body = struct.pack(">IIII", version << 24, track, random.choice([0, 0x3F]), count)
        body += b"".join(struct.pack(f">2{width}", *(random.choice(numbers) for _ in range(2)))
                         + bytes([1, 1, 1]) for _ in range(count))
        size = Box(b"mfro", struct.pack(">II", 0, random.choice(NUMBERS)))
        movie.root.children.append(Box(b"mfra", b"", [Box(b"tfra", body), size]))


def _counted(random, value):
    """Returns the runs of a table. Most runs have only a few samples."""
    return [(random.choice([1, 1, 2, 5, 0, random.choice(NUMBERS)]), value())
            for _ in range(random.choice([1, 2, 3, 8]))]


def _times(random):
    return _table(b"stts", _counted(random, lambda: random.choice(NUMBERS)))


def _offsets(random):
    values = [0, 1, 512, -1, -512, (1 << 31) - 1, -1 << 31, 0xFFFFFFFF]
    return _table(b"ctts", _counted(random, lambda: random.choice(values)),
                  random.choice([0, 1 << 24]))


def _chunks(random):
    return _table(b"stsc", [(random.choice([1, 1, 2, 3, random.choice(NUMBERS)]),
                             random.choice([1, 2, 5, random.choice(NUMBERS)]),
                             random.choice([1, 1, 0, 2, random.choice(NUMBERS)]))
                            for _ in range(random.choice([1, 1, 2, 4]))])


def _places(random):
    if random.random() < 0.5:
        return _table(b"stco", [(random.choice(NUMBERS),) for _ in range(random.choice([1, 2, 9]))])
    values = [random.choice(LONG) for _ in range(random.choice([1, 2, 9]))]
    return _table(b"co64", [(value >> 32, value) for value in values])


def _sizes(random):
    if random.random() < 0.3:
        return Box(b"stsz", struct.pack(">III", 0, random.choice(NUMBERS), random.choice(NUMBERS)))
    values = [random.choice(NUMBERS) for _ in range(random.choice([1, 2, 9]))]
    return Box(b"stsz", struct.pack(f">III{len(values)}I", 0, 0, len(values), *values))


def _sync(random):
    return _table(b"stss", [(random.choice(NUMBERS),) for _ in range(random.choice([0, 1, 4]))])


def _shift(random):
    return Box(b"cslg", struct.pack(">I5I", 0, *(random.choice(NUMBERS) for _ in range(5))))


def sample_tables(movie, random):
    """Replaces one to three tables of a track."""
    tables = [table for table in movie.find(b"stbl") if table.children is not None]
    if not tables:
        return
    table = random.choice(tables)
    makers = [_times, _offsets, _chunks, _places, _sizes, _sync, _shift]
    for make in random.sample(makers, random.choice([1, 1, 2, 3])):
        box = make(random)
        if box.kind in (b"stco", b"co64"):
            table.children = [child for child in table.children
                              if child.kind not in (b"stco", b"co64")]
        _put(table, box, b"stsd")


ALL = [edit_list, edit_list, headers, fragment, fragment, sample_tables, sample_tables]
