# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds NAL units in samples and in byte streams, and corrects the checksums of RPUs."""

from . import boxes

RPU_TYPE = 62


def _table():
    table = []
    for index in range(256):
        value = index << 24
        for _ in range(8):
            value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
        table.append(value & 0xFFFFFFFF)
    return table


TABLE = _table()


def checksum(data):
    """Returns a CRC-32/MPEG-2, which is the checksum of RPUs."""
    value = 0xFFFFFFFF
    for byte in data:
        value = (value << 8 & 0xFFFFFFFF) ^ TABLE[value >> 24 ^ byte]
    return value


def unescaped(data):
    return bytes(data).replace(b"\x00\x00\x03", b"\x00\x00")


def escaped(data):
    result, zeros = bytearray(), 0
    for byte in data:
        if zeros >= 2 and byte <= 3:
            result.append(3)
            zeros = 0
        result.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(result)


def with_checksum(payload):
    """Corrects the checksum of an RPU's payload. The payload begins with the byte 0x19 and ends
    with the checksum and 0x80."""
    end = len(payload.rstrip(b"\x00")) - 5
    if end < 2:
        return payload
    return payload[:end] + checksum(payload[1:end]).to_bytes(4, "big") + payload[end + 4:]


def in_samples(data):
    """Returns (offset, length) of the NAL units in a movie's samples. The 4 bytes before each unit
    state its length."""
    units = []
    for place, size in boxes.picture_samples(data):
        end = min(place + size, len(data))
        while place + 5 < end:
            length = int.from_bytes(data[place:place + 4], "big")
            if not 0 < length <= end - place - 4:
                break
            units.append((place + 4, length))
            place += 4 + length
    return units


def in_stream(data):
    """Returns (offset, length) of what comes after each start code."""
    starts, place = [], data.find(b"\x00\x00\x01")
    while place >= 0:
        starts.append(place + 3)
        place = data.find(b"\x00\x00\x01", place + 3)
    ends = [start - 3 for start in starts[1:]] + [len(data)]
    return [(start, end - start) for start, end in zip(starts, ends) if end > start]


def kind(data, unit, codec="hevc"):
    first = data[unit[0]]
    return first >> 1 & 63 if codec == "hevc" else first & 31
