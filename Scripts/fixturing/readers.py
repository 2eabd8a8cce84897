# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that share no code with Candela, and what they made of the tables."""

from pathlib import Path
import tempfile

from .parameter_sets import in_stream, traced

TITLES = {
    "vps": "Video Parameter Set",
    "sps": "Sequence Parameter Set",
    "pps": "Picture Parameter Set",
}
ORDER = {
    "hevc": ["hevc-vps", "hevc-sps", "hevc-pps", "hevc-idr"],
    "avc": ["avc-sps", "avc-pps", "avc-idr"],
}

TRACE = "ffmpeg 5.1.9's trace_headers reads the same fields from the same bits."
NEWER = "libavcodec 62.28 (PyAV 18.1) reads the same values."
PROBE = "ffprobe 5.1.9 and hdrcheck.py read the same values."
CHECK = "hdrcheck.py reads the same values."

# By the beginning of a fixture's name, the longest first.
CONFIRMATIONS = {
    "hevc-": TRACE,
    "avc-": TRACE,
    "hevc-idr": "ffmpeg 5.1.9 decodes it.",
    "avc-idr": "ffmpeg 5.1.9 decodes it.",
    "hevc-sei-ambient": NEWER,
    "hevc-sei-packing": NEWER,
    "hevc-sei-volume": "ffmpeg 5.1.9's trace_headers reads the same type and size; no reader of "
    "the values was at hand.",
    "rpu-": "ffprobe 5.1.9 reads the same header, mapping and color; libavcodec 62.28 (PyAV 18.1) "
    "the same extension blocks, too.",
    "hvcC": PROBE,
    "avcC": PROBE,
    "colr-": CHECK,
    "mdcv": PROBE,
    "clli": PROBE,
    "amve": CHECK,
    "colr-prof": "ffprobe 5.1.9 gives it as an ICC profile.",
    "cclv": "hdrcheck.py and pymp4 1.4.0 read the same type and size; no reader of the values was "
    "at hand.",
    "pasp": PROBE,
    "clap": CHECK,
    "fiel": PROBE,
    "gama": CHECK,
    "hfov": CHECK,
    "vexu": "pymp4 1.4.0 reads the same boxes; no reader of the values was at hand.",
    "dv": PROBE,
    "elst": CHECK,
    "mvhd": "pymp4 1.4.0 reads the same values.",
    "tkhd": "pymp4 1.4.0 reads the same values.",
    "mdhd": "pymp4 1.4.0 reads the same values.",
    "movie-": "ffprobe 5.1.9 decodes it; mediainfo 23.04 and hdrcheck.py read the same values.",
}


def confirmation(name):
    """Who read a fixture, in a sentence."""
    key = max((key for key in CONFIRMATIONS if name.startswith(key)), key=len)
    return CONFIRMATIONS[key]


def differences(made):
    """The parameter sets that trace_headers reads from other bits than the tables have."""
    different = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (table, _) in made.items():
            codec, _, kind = name.partition("-")
            if codec not in ORDER or kind[:3] not in TITLES:
                continue
            path = Path(folder) / ("a.hevc" if codec == "hevc" else "a.h264")
            own = [] if name in ORDER[codec] else [name]
            path.write_bytes(stream(made, own + ORDER[codec]))
            read = traced(str(path)).get(TITLES[kind[:3]])
            bits = "".join(bits for bits, _ in read.rows) if read else ""
            wanted = "".join(bits for bits, _ in table.rows)
            # The trailing bits are not among the fields.
            rest = wanted[len(bits) :]
            if not wanted.startswith(bits) or "1" in rest[1:] or len(rest) > 8:
                different.append(name)
    return different


def stream(made, names):
    return b"".join(b"\0\0\0\1" + in_stream(*made[name]) for name in names)


def write(made, folder):
    """Streams and movies for other readers: each RPU and SEI message with the picture of x265."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    sets, picture = ORDER["hevc"][:3], ORDER["hevc"][3:]
    for name in made:
        if name.startswith("rpu-"):
            (folder / (name + ".hevc")).write_bytes(stream(made, sets + picture + [name]))
        elif name.startswith("hevc-sei-"):
            (folder / (name + ".hevc")).write_bytes(stream(made, sets + [name] + picture))
        elif name.startswith("movie-"):
            data = in_stream(*made[name])
            (folder / (name + (".mov" if data[8:12] == b"qt  " else ".mp4"))).write_bytes(data)
