# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what a file says about color and HDR in one place, but contradicts or omits in another."""

from messages import ALTERNATIVE_TRANSFER, VALUES

# Boxes and the SEI messages that state the same values (ISO/IEC 14496-12, 12.1.5 and after).
BOXES = {"mdcv": 137, "clli": 144, "amve": 148}
NAMES = ("primaries", "transfer", "matrix", "full_range")


def warnings(video):
    """All contradictions and faults, as a list of sentences."""
    found = ["%s: %d" % row for row in video.faults.items()]
    if video.damage:
        found.append("%s (damaged access units in all: %d)" % (video.damage[0], len(video.damage)))
    if video.entry:
        found += of_color(video) + of_boxes(video) + of_dolby_vision(video)
        found += of_configuration(video)
        if video.entry.others:
            found.append("%d more sample entries were not read" % video.entry.others)
        if video.entry.is_encrypted:
            found.append("samples are encrypted and were not read")
    if any(color != video.colors[0] for color in video.colors):
        found.append("sequence parameter sets state different colors")
    if 0 < video.rpu_picture_count < video.picture_count:
        row = (video.rpu_picture_count, video.picture_count)
        found.append("only %d of %d pictures have RPUs" % row)
    return found


def of_color(video):
    """Where a `colr` box contradicts the VUI. A box may have the transfer function that an SEI
    message prefers to the VUI's, as in broadcasts of HLG (H.265, D.3.38)."""
    found = []
    if not video.sequence:
        return found
    preferred = [row["preferred_transfer"] for row in video.values.get(ALTERNATIVE_TRANSFER, [])]
    color, _ = video.sequence["vui"]
    for box in video.entry.facts.get("colr", []):
        for name, coded in zip(NAMES, color):
            boxed = box.get(name)
            if None in (boxed, coded) or boxed == coded:
                continue
            if name != "transfer" or boxed not in preferred:
                found.append("'colr' has %s %d, but the VUI has %d" % (name, boxed, coded))
    return found


def of_boxes(video):
    """SEI messages whose box is missing or has other values."""
    found = []
    for kind, message in BOXES.items():
        box, stated = video.entry.facts.get(kind), video.values.get(message)
        name = VALUES[message][0]
        if stated and box is None:
            found.append("there is an SEI message %s, but no '%s'" % (name, kind))
        elif stated and any(row != box for row in stated):
            found.append("'%s' does not have the same values as the SEI message %s" % (kind, name))
    return found


def of_dolby_vision(video):
    """Where the configuration record contradicts the RPUs."""
    records = video.entry.facts.get("dolby_vision")
    if video.rpu_picture_count and not records:
        return ["there are RPUs, but no Dolby Vision configuration"]
    has_none = video.picture_count and not video.rpu_picture_count
    if records and records[0]["rpu_present"] and has_none:
        return ["the Dolby Vision configuration states RPUs, but there are none"]
    return []


def of_configuration(video):
    """Where the decoder's configuration contradicts its sequence parameter set."""
    if not video.sequence:
        return []
    found = []
    for name, stated in video.entry.configuration.statements.items():
        coded = video.sequence.get(name, stated)
        if stated != coded:
            row = (name, stated, coded)
            found.append("the configuration has %s %d, but the parameter set has %d" % row)
    return found
