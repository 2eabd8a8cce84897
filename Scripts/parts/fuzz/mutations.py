# SPDX-License-Identifier: GPL-2.0-or-later
"""Mutations of files. Each takes bytes and a generator of random numbers, and returns bytes."""

import json
import struct

from . import boxes, ebml as elements, extremes, units

EDGES = [0, 1, 2, 3, 7, 8, 9, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF,
         0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]
KINDS = [b"moov", b"trak", b"mdia", b"stbl", b"stsd", b"stts", b"ctts", b"stsc", b"stsz", b"stco",
         b"co64", b"stss", b"elst", b"colr", b"hvcC", b"avcC", b"av1C", b"dvvC", b"dvcC", b"amve",
         b"mdcv", b"clli", b"clap", b"pasp", b"fiel", b"gama", b"meta", b"udta", b"ilst", b"keys", b"tref",
         b"free", b"uuid", b"mdat", b"moof", b"traf", b"trun", b"tfhd", b"tkhd", b"mdhd", b"hvc1",
         b"avc1", b"avc3", b"dvh1", b"ap4h", b"vp09", b"av01", b"mp4a", b"enca", b"encv", b"tmcd"]
LARGEST = 8 << 20
TABLES = [b"stts", b"ctts", b"stsc", b"stco", b"co64", b"stss", b"elst", b"stsd", b"dref", b"sbgp",
          b"sgpd", b"trun", b"sidx", b"saio", b"saiz"]


def _flip(data, random, first=0, end=None, count=None):
    data = bytearray(data)
    end = len(data) if end is None else end
    for _ in range(count or random.choice([1, 1, 2, 4, 16])):
        if end > first:
            data[random.randrange(first, end)] ^= 1 << random.randrange(8)
    return bytes(data)


def bits(data, random):
    return _flip(data, random)


def bits_near_the_start(data, random):
    return _flip(data, random, 0, min(len(data), 4096))


def edges(data, random):
    width = random.choice([1, 2, 4, 8])
    if len(data) <= width:
        return data
    place = random.randrange(len(data) - width)
    value = random.choice(EDGES) % (1 << 8 * width)
    return data[:place] + value.to_bytes(width, "big") + data[place + width:]


def cut(data, random):
    return data[:random.randrange(len(data) + 1)]


def remove(data, random):
    place = random.randrange(len(data) + 1)
    return data[:place] + data[place + random.choice([1, 2, 4, 16, 188, 1024]):]


def repeat(data, random):
    place = random.randrange(len(data) + 1)
    part = data[place:place + random.choice([1, 4, 16, 188, 1024])]
    return data[:place] + part * random.choice([2, 3, 20]) + data[place:]


def zeros(data, random):
    place, length = random.randrange(len(data) + 1), random.choice([1, 4, 64, 1024])
    return data[:place] + bytes(len(data[place:place + length])) + data[place + length:]


def splice(data, random, other):
    return data[:random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1):]


# Boxes

def _movie(change):
    """Makes a mutation from a change of the tree of boxes. In a file without such a tree, the
    mutation changes bits."""
    def mutation(data, random):
        movie = boxes.Movie(data)
        if not movie:
            return bits(data, random)
        change(movie, random)
        return movie.data(with_offsets=random.random() < 0.8)
    mutation.__name__ = change.__name__
    return mutation


def _below_top(movie, random):
    inner = [pair for pair in movie.all() if pair[0] is not movie.root]
    return random.choice(inner or movie.all())


@_movie
def box_size(movie, random):
    box = _below_top(movie, random)[1] if random.random() < 0.8 else random.choice(movie.all())[1]
    size = box.size()
    box.stated_size = random.choice(EDGES + [size - 1, size + 1, size - 8, size + 8, size * 2])


@_movie
def box_kind(movie, random):
    box = _below_top(movie, random)[1]
    box.kind = random.choice(KINDS + [random.randbytes(4)])


@_movie
def box_content(movie, random):
    box = _below_top(movie, random)[1]
    box.head = _flip(box.head, random, 0, min(len(box.head), 64))


@_movie
def box_number(movie, random):
    box = _below_top(movie, random)[1]
    if len(box.head) >= 4:
        place = random.randrange(min(len(box.head), 128) // 4) * 4
        value = struct.pack(">I", random.choice(EDGES))
        box.head = box.head[:place] + value + box.head[place + 4:]


@_movie
def box_length(movie, random):
    box = _below_top(movie, random)[1]
    if random.random() < 0.5:
        box.head = box.head[:random.randrange(len(box.head) + 1)]
    else:
        box.head += random.randbytes(random.choice([1, 2, 4, 8, 100]))


@_movie
def box_removed(movie, random):
    parent, box = _below_top(movie, random)
    parent.children.remove(box)


@_movie
def box_repeated(movie, random):
    parent, box = _below_top(movie, random)
    place = parent.children.index(box)
    parent.children[place:place] = [box] * random.choice([1, 1, 2, 10, 60])


@_movie
def box_moved(movie, random):
    parent, box = _below_top(movie, random)
    inside = {id(child) for _, child in box.walk()} | {id(box)}
    places = [other for _, other in movie.all()
              if other.children is not None and id(other) not in inside]
    if places:
        parent.children.remove(box)
        children = random.choice(places).children
        children.insert(random.randrange(len(children) + 1), box)


@_movie
def boxes_nested(movie, random):
    parent, box = _below_top(movie, random)
    place = parent.children.index(box)
    for _ in range(random.choice([2, 10, 100])):
        box = boxes.Box(random.choice([b"udta", b"moov", b"meta", b"trak"]), b"", [box])
    parent.children[place] = box


@_movie
def table_count(movie, random):
    tables = [box for kind in TABLES for box in movie.find(kind) if len(box.head) >= 8]
    if tables:
        box = random.choice(tables)
        count = struct.unpack_from(">I", box.head, 4)[0]
        value = random.choice(EDGES + [count - 1, count + 1, count * 2, 100_000_000])
        box.head = box.head[:4] + struct.pack(">I", value & 0xFFFFFFFF) + box.head[8:]


@_movie
def common_size(movie, random):
    for box in movie.find(b"stsz"):
        if len(box.head) >= 12 and random.random() < 0.7:
            size = random.choice([0, 1, 4, 100, 0x7FFFFFFF, 0xFFFFFFFF])
            count = random.choice(EDGES + [10_000_000, 300_000_000])
            box.head = box.head[:4] + struct.pack(">II", size, count) + box.head[12:]


@_movie
def table_entry(movie, random):
    tables = [box for kind in TABLES + [b"stsz"] for box in movie.find(kind) if len(box.head) > 12]
    if tables:
        box = random.choice(tables)
        place = 8 + 4 * random.randrange((len(box.head) - 8) // 4)
        box.head = box.head[:place] + struct.pack(">I", random.choice(EDGES)) + box.head[place + 4:]


@_movie
def tracks_repeated(movie, random):
    tracks = movie.find(b"trak")
    if not tracks:
        return
    # Take the track's bytes before there are copies, because some copies may end up inside the
    # track.
    track = random.choice(tracks).data()
    for parent in movie.find(b"moov"):
        for number in range(random.choice([1, 2, 5, 40])):
            copy = boxes.parse(track)
            if copy and random.random() < 0.8:
                for _, header in copy[0].walk():
                    if header.kind == b"tkhd" and len(header.head) >= 16:
                        place = 20 if header.head[0] else 12
                        identity = struct.pack(">I", 100 + number)
                        header.head = header.head[:place] + identity + header.head[place + 4:]
            parent.children += copy or []


@_movie
def record(movie, random):
    """Changes parameter sets in `hvcC` and `avcC`, or what other boxes of a sample entry say."""
    kinds = [b"hvcC", b"avcC"] * 3 + [b"dvvC", b"colr", b"amve", b"mdcv", b"clli", b"esds"]
    found = movie.find(random.choice(kinds)) or movie.find(b"hvcC") or movie.find(b"avcC")
    if found:
        box = random.choice(found)
        box.head = (_flip if random.random() < 0.6 else lambda data, random: edges(data, random))(
            box.head, random)


# NAL units

def _units(data):
    return units.in_samples(data) or (units.in_stream(data) if b"\x00\x00\x01" in data else [])


def unit_length(data, random):
    found = units.in_samples(data)
    if not found:
        return bits(data, random)
    place, length = random.choice(found)
    value = random.choice(EDGES + [length - 1, length + 1, length - 2, 1 << 30])
    return data[:place - 4] + struct.pack(">I", value & 0xFFFFFFFF) + data[place:]


def unit_kind(data, random):
    found = _units(data)
    if not found:
        return bits(data, random)
    place = random.choice(found)[0]
    return data[:place] + bytes([random.randrange(256)]) + data[place + 1:]


def unit_content(data, random):
    found = _units(data)
    if not found:
        return bits(data, random)
    place, length = random.choice(found)
    return _flip(data, random, place, place + min(length, random.choice([4, 16, 64, length])))


def units_swapped(data, random):
    found = _units(data)
    if len(found) < 2:
        return bits(data, random)
    place, length = random.choice(found[:-1])
    other = found[found.index((place, length)) + 1]
    gap = data[place + length:other[0]]
    return (data[:place] + data[other[0]:other[0] + other[1]] + gap + data[place:place + length]
            + data[other[0] + other[1]:])


def sei(data, random):
    """Changes a byte at the beginning of an SEI unit of HEVC or H.264, where the payload types and
    sizes are."""
    found = [unit for unit in _units(data) if data[unit[0]] in (0x4E, 0x50, 0x06) and unit[1] > 3]
    if not found:
        return unit_content(data, random)
    place, length = random.choice(found)
    at = place + random.randrange(1, min(length, 6))
    value = random.choice([0, 1, 4, 5, 45, 132, 137, 144, 147, 148, 254, 255])
    return data[:at] + bytes([value]) + data[at + 1:]


def rpu_right(data, random):
    """Changes the content of RPUs, and gives them the right checksums."""
    found = [unit for unit in _units(data)
             if data[unit[0]:unit[0] + 2] == b"\x7c\x01" or data[unit[0]] == 0x19]
    if not found:
        return unit_content(data, random)
    for place, length in random.sample(found, random.randrange(1, len(found) + 1)):
        skip = 0 if data[place] == 0x19 else 2
        payload = units.unescaped(data[place + skip:place + length])
        last = min(len(payload) - 5, random.choice([8, 20, 60, 600]))
        for _ in range(8):
            changed = units.escaped(units.with_checksum(_flip(payload, random, 1, last)))
            if len(changed) == length - skip:
                data = data[:place + skip] + changed + data[place + length:]
                break
    return data


def units_cut(data, random):
    found = units.in_stream(data) if data[:3] == b"\x00\x00\x00" else []
    if not found:
        return remove(data, random)
    place, length = random.choice(found)
    return data[:place + random.randrange(length)] + data[place + length:]


EXTREMES = [_movie(change) for change in extremes.ALL]


# Matroska and transport streams

def ebml(data, random):
    """Changes a byte in the size of an element or at the beginning of its value."""
    known = [b"\x18\x53\x80\x67", b"\x1f\x43\xb6\x75", b"\x16\x54\xae\x6b", b"\xae", b"\x55\xb0",
             b"\x63\xa2", b"\x55\xd0", b"\x41\xe4", b"\xa3", b"\xe0", b"\x1c\x53\xbb\x6b"]
    element = random.choice(known)
    place = data.find(element)
    if place < 0 or data[:4] != b"\x1a\x45\xdf\xa3":
        return bits(data, random)
    at = place + len(element) + random.choice([0, 0, 1, 2])
    return data[:at] + bytes([random.choice([0, 0x01, 0x40, 0x7F, 0x80, 0x81, 0xFE, 0xFF])]) + (
        data[at + 1:])


def packets(data, random):
    """Removes or repeats packets of a transport stream, or changes their headers."""
    if len(data) < 188 * 4 or data[188:189] != b"\x47":
        return remove(data, random)
    place = 188 * random.randrange(len(data) // 188)
    packet, choice = data[place:place + 188], random.randrange(4)
    if choice == 0:
        packet = b""
    elif choice == 1:
        packet *= 2
    else:
        packet = _flip(packet, random, 0, 4 if choice == 2 else 24)
    return data[:place] + packet + data[place + 188:]


# JSON

def _places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()
    for key, child in items:
        yield from _places(child, path + (key,))


def json_value(data, random):
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return bits(data, random)
    path = random.choice([path for path in _places(document) if path] or [()])
    if not path:
        return b"[]"
    place = document
    for key in path[:-1]:
        place = place[key]
    odd = [None, True, 0, -1, 1e308, 1 << 63, 0.5, "", "x" * 10000, "\u0000", "auto", "hevc",
           "none", [], {}, [[]] * 50, {"a": {"b": {}}}, "ITU_R_2100_HLG", "ITU_R_709_2", 9, "9", 16384]
    choice = random.randrange(4)
    if choice == 0 and isinstance(place, dict):
        del place[path[-1]]
    elif choice == 1 and isinstance(place, dict):
        key = random.choice(["video", "codec", "width", "range", "x", "audio"])
        place[key] = random.choice(odd)
    else:
        place[path[-1]] = random.choice(odd)
    return json.dumps(document).encode()


def json_text(data, random):
    choice = random.randrange(5)
    if choice == 0:
        return b"[" * random.choice([10, 1000, 100_000]) + data
    if choice == 1:
        return data.replace(b"{", b'{"video": {}, ', random.choice([1, 2, 3]))
    if choice == 2:
        return data.replace(b"true", b"1e999").replace(b"20", b"NaN")
    return random.choice([bits, cut, remove, repeat])(data, random)


ANY = [bits, bits_near_the_start, edges, cut, remove, repeat, zeros]
MOVIE = ANY + [box_size, box_kind, box_content, box_number, box_length, box_removed, box_repeated,
               box_moved, boxes_nested, table_count, common_size, table_entry, tracks_repeated,
               record, record, unit_length, unit_kind, unit_content, units_swapped, sei, rpu_right]
STREAM = ANY + [unit_kind, unit_content, units_swapped, sei, units_cut, rpu_right]
FOR_KIND = {
    "movie": MOVIE + EXTREMES * 2,
    "stream": STREAM,
    "matroska": STREAM + [ebml, ebml] + [elements.matroska] * 8,
    "transport": STREAM + [packets] * 3 + [elements.clocks] * 5,
    "rpus": ANY + [unit_content, rpu_right, rpu_right, units_cut, units_swapped],
    "preset": [json_value, json_value, json_value, json_text],
}


def mutated(data, kind, random, other):
    """Returns a file after one to three mutations, and their names."""
    names = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        if kind != "preset" and random.random() < 0.04:
            data, name = splice(data, random, other), "splice"
        else:
            change = random.choice(FOR_KIND[kind])
            data, name = change(data, random), change.__name__
        names.append(name)
        data = data[:LARGEST] or b"\x00"
    return data, names
