# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads sample entries of video, and the boxes in them that state color, HDR and shape."""

from fields import BrokenFile, Fields

AVC = ("avc1", "avc2", "avc3", "avc4", "dvav", "dva1")
HEVC = ("hvc1", "hev1", "hvc2", "hev2", "dvh1", "dvhe")
# How many bytes the fields of SampleEntry and VisualSampleEntry take (ISO/IEC 14496-12, 8.5.2 and
# 12.1.3).
FIELDS_OF_VIDEO = 78


class Configuration:
    """A decoder configuration record: its statements and the NAL units it carries."""

    def __init__(self, codec, length_size, units, statements):
        self.codec = codec
        self.length_size = length_size
        self.units = units
        self.statements = statements


class SampleEntry:
    """The first sample entry of a video track."""

    def __init__(self, stsd):
        _, _, fields = stsd.full()
        count = fields.unsigned(4)
        entries = stsd.children(skipping=8)
        if not count or not entries:
            raise BrokenFile("'stsd' has no sample entry")
        self.others = len(entries) - 1
        self.box = entries[0]
        self.fourcc = self.box.kind
        self.facts = {"fourcc": self.fourcc}
        self.configuration = None
        self.is_encrypted = self.fourcc == "encv"
        # If the samples are protected, `frma` replaces this with the original format (8.12.2).
        self.format = self.fourcc
        for child in self.box.children(skipping=FIELDS_OF_VIDEO):
            self.read(child)

    def read(self, box):
        kind, fields = box.kind, box.fields()
        if kind == "colr":
            self.facts.setdefault("colr", []).append(color(fields))
        elif kind in ("dvcC", "dvvC", "dvwC"):
            self.facts.setdefault("dolby_vision", []).append(dolby_vision(kind, fields))
        elif kind == "sinf":
            self.format = box.need("frma").fields().take(4).decode("latin-1")
        elif kind == "avcC":
            self.configuration = avc_configuration(fields)
        elif kind == "hvcC":
            self.configuration = hevc_configuration(fields)
        elif kind in READERS:
            self.facts[kind] = READERS[kind](fields)

    @property
    def codec(self):
        """The family of the bitstream, "avc" or "hevc", or None for other codecs."""
        if self.format in AVC:
            return "avc"
        return "hevc" if self.format in HEVC else None


def color(fields):
    """Color information (12.1.5). QuickTime's `nclc` has no range, and in some files `nclx` ends
    before the range."""
    kind = fields.take(4).decode("latin-1")
    if kind not in ("nclx", "nclc"):
        return {"type": kind}
    primaries, transfer, matrix = (fields.unsigned(2) for _ in range(3))
    is_full = fields.unsigned(1) >> 7 if kind == "nclx" and fields.rest else None
    return {
        "type": kind,
        "primaries": primaries,
        "transfer": transfer,
        "matrix": matrix,
        "full_range": is_full,
    }


def mastering_display(fields):
    """Mastering display color volume: green, blue, red and white as x and y in units of 1/50000,
    then the luminances in units of 1/10000 cd/m² (H.265, D.2.28; the box `mdcv` has the same
    fields)."""
    return {"raw": [fields.unsigned(2) for _ in range(8)] + [fields.unsigned(4) for _ in range(2)]}


def content_light(fields):
    """Content light level in cd/m² (H.265, D.2.35; the box `clli` has the same fields)."""
    return {"max_cll": fields.unsigned(2), "max_fall": fields.unsigned(2)}


def ambient_light(fields):
    """Ambient viewing environment: the illuminance in units of 1/10000 lux, then x and y in units
    of 1/50000 (H.265, D.2.39; the box `amve` has the same fields)."""
    return {"raw": [fields.unsigned(4), fields.unsigned(2), fields.unsigned(2)]}


def dolby_vision(kind, fields):
    """A Dolby Vision configuration record ("Dolby Vision Streams Within the ISO Base Media File
    Format", 2.2)."""
    fields.take(2)
    word = fields.unsigned(2)
    compatibility = fields.unsigned(1)
    return {
        "box": kind,
        "profile": word >> 9,
        "level": word >> 3 & 63,
        "rpu_present": word >> 2 & 1,
        "el_present": word >> 1 & 1,
        "bl_present": word & 1,
        "compatibility": compatibility >> 4,
    }


# `pasp` and `clap` are specified in ISO/IEC 14496-12 (12.1.4), `fiel` and `gama` in the QuickTime
# File Format, and `hfov` in Apple HEVC Stereo Video.
READERS = {
    "mdcv": mastering_display,
    "clli": content_light,
    "amve": ambient_light,
    "cclv": lambda fields: fields.take(fields.rest).hex(),
    "pasp": lambda fields: [fields.unsigned(4) for _ in range(2)],
    "clap": lambda fields: [fields.signed(4) for _ in range(8)],
    "fiel": lambda fields: [fields.unsigned(1) for _ in range(2)],
    "gama": lambda fields: fields.unsigned(4),
    "hfov": lambda fields: fields.unsigned(4),
}


def parameter_units(fields, count):
    """NAL units, each of which comes after its length in 16 bits."""
    return [fields.take(fields.unsigned(2)) for _ in range(count)]


def avc_configuration(fields):
    """AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1)."""
    _, profile, _, level, length = (fields.unsigned(1) for _ in range(5))
    units = parameter_units(fields, fields.unsigned(1) & 31)
    units += parameter_units(fields, fields.unsigned(1))
    statements = {"profile": profile, "level": level}
    if profile in (100, 110, 122, 144) and fields.rest >= 3:
        statements["chroma_format"] = fields.unsigned(1) & 3
        statements["bit_depth"] = (fields.unsigned(1) & 7) + 8
        statements["bit_depth_chroma"] = (fields.unsigned(1) & 7) + 8
    return Configuration("avc", (length & 3) + 1, units, statements)


def hevc_configuration(fields):
    """HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1)."""
    fields.take(1)
    profile = fields.unsigned(1) & 31
    fields.take(10)
    level = fields.unsigned(1)
    fields.take(3)
    chroma, luma_depth, chroma_depth = (fields.unsigned(1) for _ in range(3))
    fields.take(2)
    length = fields.unsigned(1)
    units = []
    for _ in range(fields.unsigned(1)):
        fields.take(1)
        units += parameter_units(fields, fields.unsigned(2))
    statements = {
        "profile": profile,
        "level": level,
        "chroma_format": chroma & 3,
        "bit_depth": (luma_depth & 7) + 8,
        "bit_depth_chroma": (chroma_depth & 7) + 8,
    }
    return Configuration("hevc", (length & 3) + 1, units, statements)


def bytes_as_fields(data, name):
    """Fields of bytes that are read on their own, not as part of a file."""
    return Fields(data, 0, len(data), name)
