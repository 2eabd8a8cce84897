# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns what was found into the objects that tests read."""

from contradictions import warnings
from messages import VALUES


def brief(video):
    """What most tests ask for, in one flat object. A value that the file does not state is null."""
    boxes = video.entry.facts if video.entry else {}
    color, chroma = video.sequence["vui"] if video.sequence else ([None] * 4, None)
    light = boxes.get("clli")
    return {
        "fourcc": boxes.get("fourcc"),
        "profile": video.sequence["profile"] if video.sequence else None,
        "bit_depth": video.sequence["bit_depth"] if video.sequence else None,
        "vui": color,
        "chroma_loc": chroma,
        "colr": [spelled(row) for row in boxes.get("colr", [])],
        "mdcv": boxes["mdcv"]["raw"] if "mdcv" in boxes else None,
        "clli": [light["max_cll"], light["max_fall"]] if light else None,
        "amve": boxes["amve"]["raw"] if "amve" in boxes else None,
        "dv": dolby_vision(boxes),
        "aus": video.picture_count,
        "rpu_aus": video.rpu_picture_count if video.codec == "hevc" else None,
        "sei_all": {str(kind): video.message_counts[kind] for kind in sorted(video.message_counts)},
        "warnings": warnings(video),
    }


def spelled(row):
    """`colr` in one line: type, primaries, transfer function, matrix, range."""
    names = ("type", "primaries", "transfer", "matrix", "full_range")
    return " ".join(str(row.get(name)) for name in names)


def dolby_vision(boxes):
    """The first Dolby Vision configuration record in one line: box, profile, level."""
    records = boxes.get("dolby_vision")
    if not records:
        return None
    return "{box} {profile}.{compatibility} L{level}".format(**records[0])


def full(video):
    """What the sample entry states, the edits, the values of SEI messages, and the warnings."""
    entry = dict(video.entry.facts) if video.entry else {}
    if video.entry and video.entry.configuration:
        entry["configuration"] = video.entry.configuration.statements
    values = {
        "%d %s" % (kind, VALUES[kind][0]): [{"value": row} for row in rows]
        for kind, rows in sorted(video.values.items())
        if kind in VALUES
    }
    return {
        "video": {
            "sample_entry": entry,
            "edits": video.edits,
            "bitstream": {"sei_values": values},
            "warnings": warnings(video),
        }
    }
