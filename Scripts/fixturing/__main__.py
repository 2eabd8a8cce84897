# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the byte tables of Tests/TestSupport/Fixtures, or compares them."""

import argparse
from pathlib import Path
import sys
import textwrap

from . import boxes, parameter_sets as sets, readers, rpus
from .layout import box

PLACE = Path(__file__).resolve().parents[2] / "Tests/TestSupport/Fixtures"


def video():
    """Parameter sets, SEI and records: name, what it is, table, bytes of the unit's header."""
    hlg = [
        "bframes=0",
        "info=0",
        "log-level=none",
        "repeat-headers=1",
        "colorprim=9",
        "transfer=18",
        "colormatrix=9",
        "range=limited",
        "chromaloc=2",
    ]
    hevc, units = sets.encoded("libx265", "yuv420p10le", [], hlg)
    avc, avc_units = sets.encoded(
        "libx264",
        "yuv420p",
        [],
        ["bframes=0", "fullrange=on", "colorprim=bt709", "transfer=bt709", "colormatrix=bt709"],
    )
    names = {
        "Video Parameter Set": "vps",
        "Sequence Parameter Set": "sps",
        "Picture Parameter Set": "pps",
    }
    for codec, encoder, tables in (("hevc", "x265", hevc), ("avc", "x264", avc)):
        for title, name in names.items():
            if title in tables:
                yield (
                    "%s-%s" % (codec, name),
                    "%s of %s for a gray picture of 64×64" % (title, encoder),
                    tables[title].stop(),
                    2 if codec == "hevc" else 1,
                )
    hevc_slice = next(unit for unit in units if unit[0] >> 1 in (19, 20))
    yield (
        "hevc-idr",
        "The gray picture of 64×64 that hevc-vps, hevc-sps and hevc-pps are for, by x265",
        sets.hevc_header(hevc_slice[0] >> 1, "an IDR picture").raw(hevc_slice[2:], "slice segment"),
        0,
    )
    avc_slice = next(unit for unit in avc_units if unit[0] & 31 == 5)
    yield (
        "avc-idr",
        "The gray picture of 64×64 that avc-sps and avc-pps are for, by x264",
        sets.avc_header(5, "a slice of an IDR picture").raw(avc_slice[1:], "slice"),
        0,
    )
    for name, what, vui, options in (
        ("no-vui", "without VUI", None, {}),
        ("empty-vui", "with a VUI that states nothing", sets.vui("hevc"), {}),
        (
            "full-vui",
            "with all of the VUI that comes before HRD parameters",
            sets.vui("hevc", (9, 16, 9), False, 0, (4, 3), True, True),
            {},
        ),
        ("range-only", "whose VUI states the range and no color", sets.vui("hevc", None, True), {}),
        (
            "rich",
            "with everything that can stand before the VUI: sub-layers, scaling lists, pcm, "
            "predicted reference picture sets, long-term pictures",
            sets.vui("hevc", (9, 18, 9), False),
            {"rich": True, "layers": 2},
        ),
    ):
        yield (
            "hevc-sps-" + name,
            "Sequence parameter set of H.265 (7.3.2.2.1, E.2.1) for 1920×1080, " + what,
            sets.hevc_sps(vui, **options),
            2,
        )
    for name, what, table in (
        ("no-vui", "Main, without VUI", sets.avc_sps(None)),
        (
            "full-vui",
            "High, fields of 1920×1080, a scaling list, all of the VUI before HRD parameters",
            sets.avc_sps(
                sets.vui("avc", (6, 6, 6), False, 0, (12, 11), True, True),
                100,
                0,
                40,
                fields=True,
                scaling=True,
            ),
        ),
        (
            "high-422",
            "High 4:2:2 of 10 bits, a color and full range",
            sets.avc_sps(sets.vui("avc", (1, 1, 1), True), 122, 0, 31, 2, 10),
        ),
    ):
        yield (
            "avc-sps-" + name,
            "Sequence parameter set of H.264 (7.3.2.1.1, E.1.1): " + what,
            table,
            1,
        )
    yield from messages()


def messages():
    """SEI messages: each alone, and some together."""
    L = boxes.Layout
    mastering = (137, "mastering display colour volume (D.2.28)", boxes.mastering())
    light = (144, "content light level (D.2.35)", boxes.light())
    ambient = (148, "ambient viewing environment (D.2.39)", boxes.ambient())
    transfer = (
        147,
        "alternative transfer characteristics (D.2.38)",
        L().u(8, 18, "preferred_transfer_characteristics"),
    )
    volume = (149, "content colour volume (D.2.40)", boxes.volume(True))
    recovery = (
        6,
        "recovery point (D.2.8)",
        L()
        .se(0, "recovery_poc_cnt")
        .flags("10", "exact_match_flag 1, broken_link_flag 0")
        .flags("10000", "payload_bit_equal_to_one and zeros"),
    )
    packing = (
        45,
        "frame packing arrangement (D.2.16)",
        L()
        .ue(0, "frame_packing_arrangement_id")
        .u(1, 0, "frame_packing_arrangement_cancel_flag")
        .u(7, 3, "frame_packing_arrangement_type: side by side,")
        .u(1, 0, "quincunx_sampling_flag")
        .u(6, 1, "content_interpretation_type")
        .flags("000000", "flags of flipping and fields")
        .flags("0" * 16, "grid positions")
        .u(8, 0, "frame_packing_arrangement_reserved_byte")
        .u(1, 1, "frame_packing_arrangement_persistence_flag")
        .u(1, 0, "upsampled_aspect_ratio_flag"),
    )
    plus = (
        4,
        "user data registered by T.35 (D.2.6): HDR10+ (ST 2094-40)",
        L()
        .u(8, 0xB5, "itu_t_t35_country_code")
        .u(16, 0x3C, "provider")
        .u(16, 1, "oriented code")
        .u(8, 4, "application_identifier")
        .raw(bytes(20), "not opened"),
    )
    avc_recovery = (
        6,
        "recovery point (H.264, D.1.8)",
        L()
        .ue(0, "recovery_frame_cnt")
        .flags("1000", "exact_match 1, broken_link 0, group 0")
        .flags("100", "bit_equal_to_one and zeros"),
    )
    for name, kind in (
        ("mastering", mastering),
        ("light", light),
        ("ambient", ambient),
        ("transfer", transfer),
        ("volume", volume),
        ("recovery", recovery),
        ("packing", packing),
        ("hdr10plus", plus),
    ):
        yield ("hevc-sei-" + name, "SEI message %s of H.265" % kind[1], sets.sei("hevc", kind), 2)
    yield (
        "hevc-sei-hdr10",
        "Two SEI messages in one NAL unit of H.265: 137, 144",
        sets.sei("hevc", mastering, light),
        2,
    )
    yield (
        "hevc-sei-long",
        "SEI messages of H.265 (7.3.5) whose type and size take more bytes than one",
        sets.sei("hevc", (265, "reserved", L().raw(bytes(300), "reserved")), transfer),
        2,
    )
    yield (
        "avc-sei-hdr10",
        "Three SEI messages in one NAL unit of H.264 (7.3.2.3): 6, 137, 144",
        sets.sei("avc", avc_recovery, mastering, light),
        1,
    )


def streams(made):
    """What gives a NAL unit by its name as it stands in a stream."""
    return lambda name: sets.in_stream(*made[name])


def records(made):
    """hvcC and avcC of what was made."""
    stream = streams(made)
    hevc = [
        (32, True, [stream("hevc-vps")]),
        (33, True, [stream("hevc-sps")]),
        (34, True, [stream("hevc-pps")]),
    ]
    sps = made["hevc-sps"][0]
    yield "hvcC", "hvcC (ISO/IEC 14496-15, 8.3.3.1) of hevc-vps, hevc-sps and hevc-pps", box(
        "hvcC", sets.hvcc(sps, hevc)
    )
    yield "hvcC-sei", "hvcC whose arrays are not complete, with SEI 148", box(
        "hvcC",
        sets.hvcc(
            sps,
            [(kind, False, units) for kind, _, units in hevc]
            + [(39, False, [stream("hevc-sei-ambient")])],
        ),
    )
    yield "avcC", "avcC (ISO/IEC 14496-15, 5.3.3.1.2) of avc-sps and avc-pps", box(
        "avcC", sets.avcc(stream("avc-sps"), [stream("avc-pps")], False)
    )
    yield "avcC-high", "avcC of profile High, with lengths of 2 bytes", box(
        "avcC",
        sets.avcc(stream("avc-sps-full-vui"), [stream("avc-pps"), stream("avc-pps")], True, 2),
    )


def plain_boxes():
    """Boxes of sample entries, edit lists and headers."""
    b = boxes
    yield "colr-nclx", "colr of MP4, HLG, limited (ISO/IEC 14496-12, 12.1.5)", b.colr(
        "nclx", (9, 18, 9), 0
    )
    yield "colr-nclx-full", "colr of MP4, BT.709, full range", b.colr("nclx", (1, 1, 1), 1)
    yield "colr-nclc", "colr of QuickTime, Display P3 (QuickTime File Format)", b.colr(
        "nclc", (12, 1, 1)
    )
    yield "colr-prof", "colr with an ICC profile (ISO 15076-1): sRGB, gamma 2.2", b.icc()
    yield "mdcv", "Mastering display (ISO/IEC 14496-12, 12.1.7; SMPTE ST 2086)", box(
        "mdcv", b.mastering()
    )
    yield "clli", "Content light level (ISO/IEC 14496-12, 12.1.6; CTA-861.3)", box(
        "clli", b.light()
    )
    yield "amve", "Ambient viewing environment (ISO/IEC 14496-12, 12.1.9)", box("amve", b.ambient())
    yield "cclv", "Content color volume (ISO/IEC 14496-12, 12.1.8)", box("cclv", b.volume(False))
    yield "pasp", "Pixel aspect ratio (ISO/IEC 14496-12, 12.1.4)", box(
        "pasp", b.words((12, "hSpacing"), (11, "vSpacing"))
    )
    yield "clap", "Clean aperture (ISO/IEC 14496-12, 12.1.4)", b.aperture()
    yield "fiel", "Fields (QuickTime File Format)", box(
        "fiel", b.Layout().u(8, 2, "fields").u(8, 14, "order")
    )
    yield "gama", "Gamma (QuickTime File Format)", box(
        "gama", b.words((144179, "gamma, of 65536:"))
    )
    yield "vexu", "Two eyes (Apple HEVC Stereo Video)", b.stereo()
    yield "hfov", "Horizontal field of view (Apple HEVC Stereo Video)", box(
        "hfov", b.words((63400, "degrees, of 1000:"))
    )
    yield "dvvC-84", "Dolby Vision record, profile 8.4", b.dolby_vision("dvvC", 8, 2, 0, 4)
    yield "dvcC-5", "Dolby Vision record, profile 5", b.dolby_vision("dvcC", 5, 6, 0, 0)
    yield "dvcC-7", "Dolby Vision record, profile 7", b.dolby_vision("dvcC", 7, 6, 1, 6)
    yield "elst", "Edit list (ISO/IEC 14496-12, 8.6.6): an empty edit, then another", b.edits(
        0, (64, -1), (64, 273)
    )
    yield "elst-long", "Edit list of version 1", b.edits(1, (1 << 33, 1 << 40))
    for kind in ("mvhd", "tkhd", "mdhd"):
        for version in (0, 1):
            yield kind + (
                "-long" if version else ""
            ), "Header (ISO/IEC 14496-12, 8), version %d" % version, b.header(
                kind, version, 600, 1200 if version == 0 else 1 << 33
            )


def movies(made):
    """Movies of two gray pictures, with the boxes of the sample entry that go together."""
    stream = streams(made)

    def sample(*names):
        units = [stream(name) for name in names]
        return b"".join(len(unit).to_bytes(4, "big") + unit for unit in units)

    edit = boxes.edits(0, (48, 0))

    def entry(*names):
        return [made[name][0] for name in names]

    hlg = sample("hevc-sei-recovery", "hevc-idr", "rpu-84")
    yield "movie-hlg", "A QuickTime movie of two gray pictures: Dolby Vision 8.4", boxes.movie(
        "qt  ",
        "hvc1",
        [hlg, hlg],
        entry(
            "hvcC-sei", "colr-nclc-hlg", "amve", "fiel-progressive", "pasp", "clap-whole", "dvvC-84"
        ),
        edit,
    )
    hdr10 = sample("hevc-sei-hdr10", "hevc-idr")
    yield "movie-hdr10", "An MP4 movie of two gray pictures with mdcv, clli and cclv", boxes.movie(
        "isom", "hvc1", [hdr10, hdr10], entry("hvcC", "colr-nclx", "mdcv", "clli", "cclv"), edit
    )
    avc = sample("avc-sei-hdr10", "avc-idr")
    yield "movie-avc", "A QuickTime movie of a gray picture in H.264, with gama", boxes.movie(
        "qt  ", "avc1", [avc], entry("avcC", "gama"), edit
    )


def fixtures():
    """All fixtures: the table, and the bytes before which no emulation prevention is."""
    made, texts = {}, {}

    def keep(name, what, table, header=0):
        made[name], texts[name] = (table, header), what

    for name, what, table, header in video():
        keep(name, what, table, header)
    for name, what, table in rpus.all_units():
        keep(name, what, table, 2)
    for source in (records(made), plain_boxes()):
        for name, what, table in source:
            keep(name, what, table)
    helpers = {
        "colr-nclc-hlg": boxes.colr("nclc", (9, 18, 9)),
        "fiel-progressive": box("fiel", boxes.Layout().u(8, 1, "fields").u(8, 0, "order")),
        "clap-whole": box(
            "clap",
            boxes.words(
                (64, "cleanApertureWidthN"),
                (1, "cleanApertureWidthD"),
                (60, "cleanApertureHeightN"),
                (1, "cleanApertureHeightD"),
                (0, "horizOffN"),
                (1, "horizOffD"),
                (0, "vertOffN"),
                (1, "vertOffD"),
            ),
        ),
    }
    for name, what, table in movies(made | {name: (table, 0) for name, table in helpers.items()}):
        keep(name, what, table)
    return made, texts


def text(name, what, table, header):
    """A fixture as a file."""
    lines = textwrap.wrap(what + ".", 98) + textwrap.wrap(readers.confirmation(name), 98)
    lines = ["# " + line for line in lines] + table.lines
    whole = sets.in_stream(table, header) if header else table.bytes
    if whole != table.bytes:
        lines.append("# The unit as it stands in a stream, with emulation prevention.")
        lines += ["> " + whole[start : start + 32].hex() for start in range(0, len(whole), 32)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/fixtures", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compares, and writes nothing")
    parser.add_argument(
        "--files", metavar="FOLDER", help="writes streams and movies for other readers"
    )
    options = parser.parse_args()
    made, texts = fixtures()
    misread = readers.differences(made)
    if misread:
        sys.exit("ffmpeg reads something else: " + " ".join(misread))
    if options.files:
        readers.write(made, options.files)
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    different = []
    for name, (table, header) in made.items():
        path, new = PLACE / (name + ".table"), text(name, texts[name], table, header)
        if not path.exists() or path.read_text() != new:
            different.append(name)
            if not options.check:
                path.write_text(new)
    strange = {path.stem for path in PLACE.glob("*.table")} - set(made)
    print(
        "%d fixtures, different: %s, strange: %s"
        % (len(made), " ".join(different) or "none", " ".join(sorted(strange)) or "none")
    )
    if options.check and (different or strange):
        sys.exit(1)


main()
