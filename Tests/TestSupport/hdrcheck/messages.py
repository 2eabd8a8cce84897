# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads SEI messages (H.264, 7.3.2.3; H.265, 7.3.2.4; annex D of both)."""

from entries import ambient_light, bytes_as_fields, content_light, mastering_display
from fields import BrokenFile

ALTERNATIVE_TRANSFER = 147


def alternative_transfer(fields):
    """Alternative transfer characteristics (H.265, D.2.38)."""
    return {"preferred_transfer": fields.unsigned(1)}


# Names and readers of the messages whose values are reported. Both standards use these types.
VALUES = {
    137: ("mastering_display_colour_volume", mastering_display),
    144: ("content_light_level", content_light),
    147: ("alternative_transfer", alternative_transfer),
    148: ("ambient_viewing_environment", ambient_light),
}


def messages(unit):
    """The type and payload of each message of a NAL unit (H.264, 7.3.2.3.1; H.265, 7.3.5)."""
    data = unit.rbsp.rstrip(b"\0")
    if data[-1:] != b"\x80":
        raise BrokenFile("an SEI NAL unit has no trailing bits")
    fields = bytes_as_fields(data[:-1], "SEI")
    while fields.rest:
        kind = extended(fields)
        yield kind, fields.take(extended(fields))


def extended(fields):
    """A number that is coded as a sum of bytes. The first byte below 255 is the last one."""
    total = 0
    while True:
        byte = fields.unsigned(1)
        total += byte
        if byte < 255:
            return total


def value(kind, payload):
    """What a message says, or None if its values are not reported."""
    if kind not in VALUES:
        return None
    return VALUES[kind][1](bytes_as_fields(payload, "SEI %d" % kind))
