# SPDX-License-Identifier: GPL-2.0-or-later
"""Boxes of ISO/IEC 14496-12 and of the QuickTime File Format, and a movie of one picture."""

from .layout import Layout, box, full_box

# 16.16 and 2.30 fixed point (ISO/IEC 14496-12, 6.2.2).
UNITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
QUARTER_TURN = [0, 0x10000, 0, -0x10000, 0, 0, 64 << 16, 0, 0x40000000]


def words(*values):
    """32-bit numbers with their meanings."""
    t = Layout()
    for value, meaning in values:
        (t.i if value < 0 else t.u)(32, value, meaning)
    return t


def colr(kind, color=None, full=None):
    """colr (ISO/IEC 14496-12, 12.1.5; QuickTime File Format for nclc)."""
    t = Layout().text(kind, "colour_type")
    for name, value in zip(
        ("colour_primaries", "transfer_characteristics", "matrix_coefficients"), color
    ):
        t.u(16, value, name)
    if full is not None:
        t.flags("%d0000000" % full, "full_range_flag %d, reserved" % full)
    return box("colr", t)


def icc():
    """A display profile of three primaries and one gamma (ISO 15076-1), in colr 'prof'."""

    def s15(value):
        return round(value * 65536)

    xyz = {
        "rXYZ": (0.4360, 0.2225, 0.0139),
        "gXYZ": (0.3851, 0.7169, 0.0971),
        "bXYZ": (0.1431, 0.0606, 0.7139),
        "wtpt": (0.9642, 1.0, 0.8249),
    }
    tags, data = Layout(), Layout()
    start = 128 + 4 + 12 * 7
    for name, values in xyz.items():
        tags.text(name, "tag").u(32, start + data.bit_count // 8, "offset").u(32, 20, "size")
        data.text("XYZ ", name + ": type").u(32, 0, "reserved")
        for axis, value in zip("XYZ", values):
            data.u(32, s15(value), "%s, of 65536:" % axis)
    curve = start + data.bit_count // 8
    for name in ("rTRC", "gTRC", "bTRC"):
        tags.text(name, "tag").u(32, curve, "offset").u(32, 16, "size")
    data.text("curv", "type").u(32, 0, "reserved").u(32, 1, "count").u(16, 0x0233, "gamma, of 256:")
    data.u(16, 0, "padding")
    t = Layout().text("prof", "colour_type").u(32, start + data.bit_count // 8, "profile size")
    t.u(32, 0, "preferred CMM").u(32, 0x04400000, "version 4.4:").text("mntr", "class")
    t.text("RGB ", "color space").text("XYZ ", "connection space").raw(bytes(12), "date")
    t.text("acsp", "signature").raw(bytes(28), "platform, flags, device")
    for axis, value in zip("XYZ", (0.9642, 1.0, 0.8249)):
        t.u(32, s15(value), "illuminant %s, of 65536:" % axis)
    t.raw(bytes(48), "creator, id, reserved").u(32, 7, "tags")
    return box("colr", t.add(tags).add(data))


def mastering():
    """SMPTE ST 2086 in units of 0.00002 and 0.0001 cd/m²: P3 D65, 1000 and 0.0001 cd/m²."""
    t = Layout()
    for name, x, y in (("green", 13250, 34500), ("blue", 7500, 3000), ("red", 34000, 16000)):
        t.u(16, x, "%s x" % name).u(16, y, "%s y" % name)
    t.u(16, 15635, "white x").u(16, 16450, "white y")
    t.u(32, 10000000, "max_display_mastering_luminance")
    return t.u(32, 1, "min_display_mastering_luminance")


def light():
    """CTA-861.3, in cd/m²."""
    return Layout().u(16, 940, "max_content_light_level").u(16, 200, "max_pic_average_light_level")


def ambient():
    """The surroundings: 314 lux, D65."""
    return (
        Layout()
        .u(32, 3140000, "ambient_illuminance, of 10000 a lux:")
        .u(16, 15635, "ambient_light_x")
        .u(16, 16450, "ambient_light_y")
    )


def volume(persists):
    """Content color volume: primaries of BT.709, luminances as parts of the peak."""
    flags = "0%d1111" % int(persists)
    t = Layout().flags(
        flags + "00", "ccv_cancel_flag 0, ccv_persistence_flag %d, all are present" % int(persists)
    )
    for name, x, y in (("green", 15000, 30000), ("blue", 7500, 3000), ("red", 32000, 16500)):
        t.i(32, x, "%s x" % name).i(32, y, "%s y" % name)
    t.u(32, 1, "ccv_min_luminance_value, of 10000000:").u(32, 100000, "ccv_max_luminance_value")
    return t.u(32, 20000, "ccv_avg_luminance_value")


def aperture():
    """clap (12.1.4): 702 and 54/59 columns of 720, moved by half of one to the left."""
    return box(
        "clap",
        words(
            (41472, "cleanApertureWidthN"),
            (59, "cleanApertureWidthD"),
            (576, "cleanApertureHeightN"),
            (1, "cleanApertureHeightD"),
            (-1, "horizOffN"),
            (2, "horizOffD"),
            (0, "vertOffN"),
            (1, "vertOffD"),
        ),
    )


def dolby_vision(kind, profile, level, el, compatibility):
    """Dolby Vision Streams Within the ISO Base Media File Format, 2.2."""
    t = Layout().u(8, 1, "dv_version_major").u(8, 0, "dv_version_minor").u(7, profile, "dv_profile")
    t.u(6, level, "dv_level").flags("1%d1" % el, "rpu_present 1, el_present %d, bl_present 1" % el)
    t.u(4, compatibility, "dv_bl_signal_compatibility_id").u(2, 0, "dv_md_compression")
    return box(kind, t.u(26, 0, "reserved").raw(bytes(16), "reserved"))


def edits(version, *entries):
    """elst (8.6.6)."""
    t = Layout().u(32, len(entries), "entry_count")
    for duration, time in entries:
        t.u(64 if version else 32, duration, "segment_duration")
        t.i(64 if version else 32, time, "media_time")
        t.u(16, 1, "media_rate_integer").u(16, 0, "media_rate_fraction")
    return full_box("elst", version, 0, t)


def stereo():
    """vexu (Apple HEVC Stereo Video): both eyes, the left one first."""
    stri = full_box(
        "stri", 0, 0, Layout().flags("00000011", "has_right_eye_view, has_left_eye_view")
    )
    hero = full_box("hero", 0, 0, Layout().u(8, 1, "hero_eye_indicator: left"))
    return box("vexu", box("eyes", stri, hero))


def header(kind, version, timescale, duration):
    """mvhd, tkhd or mdhd (8.2.2, 8.3.2, 8.4.2)."""
    wide = 64 if version else 32
    t = Layout().u(wide, 3000000000, "creation_time").u(wide, 3000000001, "modification_time")
    if kind == "tkhd":
        t.u(32, 1, "track_ID").u(32, 0, "reserved")
    else:
        t.u(32, timescale, "timescale")
    t.u(wide, duration, "duration")
    if kind == "mdhd":
        return full_box(
            kind,
            version,
            0,
            t.flags("0" + "10101" + "01110" + "00100", 'language "und"').u(16, 0, "pre_defined"),
        )
    if kind == "mvhd":
        t.u(32, 0x10000, "rate, of 65536:").u(16, 0x100, "volume, of 256:").raw(
            bytes(10), "reserved"
        )
    else:
        t.raw(bytes(8), "reserved").u(16, 0, "layer").u(16, 0, "alternate_group")
        t.u(16, 0, "volume").u(16, 0, "reserved")
    for value in QUARTER_TURN if kind == "tkhd" else UNITY:
        t.i(32, value, "matrix")
    if kind == "tkhd":
        return full_box(
            kind,
            version,
            3,
            t.u(32, 64 << 16, "width, of 65536:").u(32, 64 << 16, "height, of 65536:"),
        )
    return full_box(kind, version, 0, t.raw(bytes(24), "pre_defined").u(32, 2, "next_track_ID"))


def sample_entry(format, width, height, *children):
    """VisualSampleEntry (12.1.3)."""
    t = (
        Layout()
        .raw(bytes(6), "reserved")
        .u(16, 1, "data_reference_index")
        .raw(bytes(16), "pre_defined")
    )
    t.u(16, width, "width").u(16, height, "height").u(32, 0x480000, "horizresolution, of 65536:")
    t.u(32, 0x480000, "vertresolution, of 65536:").u(32, 0, "reserved").u(16, 1, "frame_count")
    t.raw(bytes(32), "compressorname").u(16, 24, "depth").i(16, -1, "pre_defined")
    return box(format, t, *children)


def table(kind, *values, each=1):
    """A box with a count and numbers: stts, ctts, stsc, stco."""
    t = Layout().u(32, len(values) // each, "entry_count")
    for value in values:
        t.u(32, value, kind)
    return full_box(kind, 0, 0, t)


def movie(brand, format, samples, children, edit):
    """A movie of one picture, or of several with the same bytes, 25 a second; samples first."""
    ftyp = box(
        "ftyp",
        Layout()
        .text(brand, "major_brand")
        .u(32, 512, "minor_version")
        .text(brand, "compatible_brands"),
    )
    data = Layout()
    for sample in samples:
        data.raw(sample, "sample")
    mdat = box("mdat", data)
    count = len(samples)
    sizes = Layout().u(32, 0, "sample_size").u(32, count, "sample_count")
    for sample in samples:
        sizes.u(32, len(sample), "entry_size")
    stbl = box(
        "stbl",
        full_box(
            "stsd", 0, 0, Layout().u(32, 1, "entry_count"), sample_entry(format, 64, 64, *children)
        ),
        table("stts", count, 24, each=2),
        table("stsc", 1, count, 1, each=3),
        full_box("stsz", 0, 0, sizes),
        table("stco", len(ftyp.bytes) + 8),
    )
    handler = (
        Layout()
        .u(32, 0, "pre_defined")
        .text("vide", "handler_type")
        .raw(bytes(12), "reserved")
        .u(8, 0, "name")
    )
    url = full_box("url ", 0, 1)
    minf = box(
        "minf",
        full_box("vmhd", 0, 1, Layout().raw(bytes(8), "graphicsmode, opcolor")),
        box("dinf", full_box("dref", 0, 0, Layout().u(32, 1, "entry_count"), url)),
        stbl,
    )
    mdia = box("mdia", header("mdhd", 0, 600, 24 * count), full_box("hdlr", 0, 0, handler), minf)
    trak = box("trak", header("tkhd", 0, 600, 24 * count), box("edts", edit), mdia)
    return Layout().add(ftyp).add(mdat).add(box("moov", header("mvhd", 0, 600, 24 * count), trak))
