# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds NAL units in samples and in byte streams, reads their headers, and removes emulation
prevention."""

from fields import BrokenFile


class Unit:
    """A NAL unit of H.264 (7.3.1) or H.265 (7.3.1.2)."""

    def __init__(self, codec, data):
        self.codec = codec
        self.data = data
        if codec == "avc":
            self.kind, self.layer, self.header_size = data[0] & 31, 0, 1
            self.is_valid = data[0] < 128
        else:
            self.header_size = 2
            header = int.from_bytes(data[:2], "big")
            self.kind, self.layer = header >> 9 & 63, header >> 3 & 63
            # The temporal ID is stored plus 1, so these bits are never 0.
            self.is_valid = len(data) >= 2 and header < 0x8000 and header & 7 != 0

    @property
    def is_slice(self):
        """Whether this is a coded slice of the base layer (H.264, table 7-1; H.265, table 7-1)."""
        if self.codec == "avc":
            return 1 <= self.kind <= 5
        return self.kind < 32 and self.layer == 0

    @property
    def is_parameter_set_of_sequence(self):
        return self.layer == 0 and self.kind == (7 if self.codec == "avc" else 33)

    @property
    def is_sei(self):
        """Whether this is a prefix or suffix SEI unit."""
        return self.layer == 0 and self.kind in ((6,) if self.codec == "avc" else (39, 40))

    @property
    def is_rpu(self):
        """Whether this is an RPU of Dolby Vision. RPUs have type 62, which H.265 leaves
        unspecified."""
        return self.codec == "hevc" and self.layer == 0 and self.kind == 62

    @property
    def payload(self):
        """The bytes after the header, with emulation prevention."""
        return self.data[self.header_size :]

    @property
    def rbsp(self):
        """The payload without emulation prevention (H.264, 7.3.1; H.265, 7.3.1.1)."""
        return self.payload.replace(b"\0\0\3", b"\0\0")


def units_of_sample(codec, sample, length_size):
    """The NAL units of a sample, each after its length (ISO/IEC 14496-15, 5.3.2 and 8.3.2)."""
    place = 0
    while place < len(sample):
        start = place + length_size
        size = int.from_bytes(sample[place:start], "big")
        if start + size > len(sample):
            raise BrokenFile("a NAL unit of %d bytes is longer than what is left" % size)
        if size:
            yield Unit(codec, sample[start : start + size])
        place = start + size


def units_of_byte_stream(data):
    """The NAL units of a byte stream of H.265 (annex B)."""
    start = data.find(b"\0\0\1")
    while start >= 0:
        start += 3
        following = data.find(b"\0\0\1", start)
        unit = data[start : following if following >= 0 else len(data)].rstrip(b"\0")
        if unit:
            yield Unit("hevc", unit)
        start = following


def is_byte_stream(data):
    """Whether a file begins with a start code, which more zeros may precede."""
    return data[:64].lstrip(b"\0")[:1] == b"\1" and data[:2] == b"\0\0"


def access_units(units):
    """The access units of a byte stream of H.265 (7.4.2.4.4), each as a list of NAL units."""
    current, has_picture = [], False
    for unit in units:
        begins_picture = unit.is_slice and unit.payload[:1] >= b"\x80"
        # Units of these kinds may stand before the first slice of a picture: delimiters, parameter
        # sets, prefix SEI, and the kinds that are reserved for this place.
        may_begin = unit.layer == 0 and (
            unit.kind in (32, 33, 34, 35, 39) or 41 <= unit.kind <= 44 or 48 <= unit.kind <= 55
        )
        if has_picture and (begins_picture or may_begin):
            yield current
            current, has_picture = [], False
        current.append(unit)
        has_picture = has_picture or unit.is_slice
    if has_picture:
        yield current
