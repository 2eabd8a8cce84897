# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks Dolby Vision's reference processing units (RPU). Only what encloses their content is
read: the prefix, the checksum and the end (ETSI GS CCM 001)."""

import zlib

PREFIX, END = 0x19, 0x80
MIRRORED = bytes(int("{:08b}".format(byte)[::-1], 2) for byte in range(256))


def fault(unit):
    """What is wrong with the prefix, end or checksum of an RPU, in words. None if all three are
    right."""
    data = unit.rbsp.rstrip(b"\0")
    if data[:1] != bytes([PREFIX]):
        return "does not begin with 19"
    if len(data) < 7 or data[-1] != END:
        return "does not end with 80"
    if checksum(data[1:-5]) != int.from_bytes(data[-5:-1], "big"):
        return "has a checksum that does not fit its bytes"
    return None


def checksum(data):
    """CRC-32 with the polynomial 04C11DB7, highest bit first and not inverted at the end. zlib uses
    the same polynomial, but with the lowest bit first, and inverts the result."""
    mirrored = zlib.crc32(data.translate(MIRRORED)) ^ 0xFFFFFFFF
    return int("{:032b}".format(mirrored)[::-1], 2)


def file_of(rpus):
    """RPUs as the bytes of a file, in the form that programs exchange. Each RPU follows a start
    code, without the header of its NAL unit and with its emulation prevention."""
    return b"".join(b"\0\0\0\1" + unit.payload for unit in rpus)
