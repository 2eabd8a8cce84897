# SPDX-License-Identifier: GPL-2.0-or-later
"""Dolby Vision RPUs: rpu_data of ETSI GS CCM 001 V1.1.1, and CM v4.0 as FFmpeg 8 and libdovi 3.4
read it."""

from .layout import Layout

# The mapping that libdovi (profiles/profile84.rs) and phones have for HLG: pivots and coefficients
# as whole numbers and fractions of 2**23.
LUMA_84 = [63, 69, 230, 256, 256, 37, 16, 8, 7], [
    [(-1, 7978928), (1, 8332855), (-3, 4889184)],
    [(-1, 8269552), (1, 5186604), (-2, 3909327)],
    [(0, 1317527), (0, 5338528), (-1, 7440486)],
    [(0, 2119979), (0, 2065496), (0, 2288524)],
    [(0, 7982780), (-2, 5409990), (1, 1585336)],
    [(6, 3460436), (-14, 3197328), (8, 615464)],
    [(13, 3921968), (-30, 6820672), (16, 5546752)],
    [(28, 1947392), (-62, 1244640), (34, 6094272)],
]
CHROMA_84 = [
    (
        (1, 1150183),
        [
            [
                (-1, 87355),
                (-2, 6228986),
                (-5, 642500),
                (2, 1023296),
                (5, 6569512),
                (9, 5128216),
                (-12, 4317296),
            ],
            [
                (-1, 8299905),
                (-1, 5819931),
                (3, 2324124),
                (-1, 7273546),
                (-5, 1562484),
                (-12, 3679480),
                (18, 6357360),
            ],
            [
                (-1, 8172981),
                (0, 3261951),
                (-2, 5970055),
                (0, 927142),
                (2, 3525840),
                (7, 5110348),
                (-19, 6236848),
            ],
        ],
    ),
    (
        (-2, 6266112),
        [
            [
                (4, 193104),
                (0, 5369128),
                (5, 2553116),
                (-2, 8009648),
                (-8, 2772020),
                (-1, 3122453),
                (1, 2961581),
            ],
            [
                (-4, 6769788),
                (-1, 2565605),
                (-6, 7864496),
                (1, 4777288),
                (12, 649616),
                (0, 7036536),
                (-4, 1666406),
            ],
            [
                (1, 406265),
                (0, 2901521),
                (2, 2680224),
                (-1, 146340),
                (-8, 1008052),
                (-1, 4366810),
                (4, 5080852),
            ],
        ],
    ),
]
IDENTITY = [0, 1023], [[(0, 0), (1, 0)]]


def header(profile=1, full=False, vdr_depth=12, enhanced=False, resampled=None):
    """rpu_data_header up to disable_residual_flag."""
    t = Layout().u(8, 0x19, "rpu_nal_prefix").u(6, 2, "rpu_type").u(11, 18, "rpu_format")
    t.u(4, profile, "vdr_rpu_profile").u(4, 0, "vdr_rpu_level").u(1, 1, "vdr_seq_info_present_flag")
    t.u(1, 0, "chroma_resampling_explicit_filter_flag").u(2, 0, "coefficient_data_type")
    t.ue(23, "coefficient_log2_denom").u(2, 1, "vdr_rpu_normalized_idc")
    t.u(1, int(full), "BL_video_full_range_flag").ue(2, "BL_bit_depth_minus8")
    t.ue(2, "EL_bit_depth_minus8").ue(vdr_depth - 8, "vdr_bit_depth_minus8")
    t.u(1, 0, "spatial_resampling_filter_flag").u(3, 0, "reserved_zero_3bits")
    t.u(1, int(enhanced), "el_spatial_resampling_filter_flag")
    return t.u(1, int(not enhanced), "disable_residual_flag")


def number(t, value, meaning, signed=True):
    """A fixed-point number: its whole part, and 23 bits below."""
    whole, fraction = value
    (t.se if signed else t.ue)(whole, meaning + "_int")
    t.u(23, fraction, meaning)


def mapping(curves, nlq=None):
    """The rest of rpu_data_header, rpu_data_mapping and rpu_data_nlq."""
    t = Layout().u(1, 0, "use_prev_vdr_rpu_flag").ue(0, "vdr_rpu_id").ue(0, "mapping_color_space")
    t.ue(0, "mapping_chroma_format_idc")
    for component, (pivots, _) in enumerate(curves):
        t.ue(len(pivots) - 2, "num_pivots_minus2[%d]" % component)
        for pivot in pivots:
            t.u(10, pivot, "pred_pivot_value")
    if nlq:
        t.u(3, 0, "nlq_method_idc").u(10, 0, "nlq_pred_pivot_value").u(
            10, 1023, "nlq_pred_pivot_value"
        )
    t.ue(0, "num_x_partitions_minus1").ue(0, "num_y_partitions_minus1")
    for component, (_, pieces) in enumerate(curves):
        for piece in pieces:
            if isinstance(piece, tuple):
                constant, rows = piece
                t.ue(1, "mapping_idc[%d], MMR:" % component).u(2, len(rows) - 1, "mmr_order_minus1")
                number(t, constant, "mmr_constant")
                for row in rows:
                    for value in row:
                        number(t, value, "mmr_coef")
            else:
                t.ue(0, "mapping_idc[%d], polynomial:" % component)
                t.ue(len(piece) - 2, "poly_order_minus1")
                if len(piece) == 2:
                    t.u(1, 0, "linear_interp_flag")
                for value in piece:
                    number(t, value, "poly_coef")
    for component, (offset, maximum, slope, threshold) in enumerate(nlq or []):
        t.u(10, offset, "nlq_offset[%d]" % component)
        number(t, maximum, "vdr_in_max", False)
        number(t, slope, "linear_deadzone_slope", False)
        number(t, threshold, "linear_deadzone_threshold", False)
    return t


def color(peak, black=62, space=0, chroma=0, full=1, matrices=None):
    """The static part of vdr_dm_data_payload."""
    ycc, offsets, lms = matrices or (
        [9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0],
        [1 << 24, 1 << 27, 1 << 27],
        [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962],
    )
    t = Layout().ue(0, "affected_dm_metadata_id").ue(0, "current_dm_metadata_id")
    t.ue(1, "scene_refresh_flag")
    for value in ycc:
        t.i(16, value, "YCCtoRGB_coef, of 8192:")
    for value in offsets:
        t.u(32, value, "YCCtoRGB_offset")
    for value in lms:
        t.i(16, value, "RGBtoLMS_coef, of 16384:")
    t.u(16, 65535, "signal_eotf").u(16, 0, "signal_eotf_param0").u(16, 0, "signal_eotf_param1")
    t.u(32, 0, "signal_eotf_param2").u(5, 12, "signal_bit_depth").u(2, space, "signal_color_space")
    t.u(2, chroma, "signal_chroma_format").u(2, full, "signal_full_range_flag")
    return t.u(12, black, "source_min_PQ").u(12, peak, "source_max_PQ").u(10, 42, "source_diagonal")


# The fields of extension blocks: bits and names by level.
LEVELS = {
    1: [(12, "min_PQ"), (12, "max_PQ"), (12, "avg_PQ")],
    2: [
        (12, "target_max_PQ"),
        (12, "trim_slope"),
        (12, "trim_offset"),
        (12, "trim_power"),
        (12, "trim_chroma_weight"),
        (12, "trim_saturation_gain"),
        (13, "ms_weight"),
    ],
    3: [(12, "min_PQ_offset"), (12, "max_PQ_offset"), (12, "avg_PQ_offset")],
    4: [(12, "anchor_PQ"), (12, "anchor_power")],
    5: [
        (13, "active_area_left_offset"),
        (13, "active_area_right_offset"),
        (13, "active_area_top_offset"),
        (13, "active_area_bottom_offset"),
    ],
    6: [
        (16, "max_display_mastering_luminance"),
        (16, "min_display_mastering_luminance"),
        (16, "max_content_light_level"),
        (16, "max_frame_average_light_level"),
    ],
    8: [
        (8, "target_display_index"),
        (12, "trim_slope"),
        (12, "trim_offset"),
        (12, "trim_power"),
        (12, "trim_chroma_weight"),
        (12, "trim_saturation_gain"),
        (12, "ms_weight"),
        (12, "target_mid_contrast"),
        (12, "clip_trim"),
    ],
    9: [(8, "source_primary_index")],
    10: [
        (8, "target_display_index"),
        (12, "target_max_PQ"),
        (12, "target_min_PQ"),
        (8, "target_primary_index"),
    ],
    11: [
        (8, "content_type"),
        (8, "reserved, reference_mode_flag, whitepoint"),
        (8, "reserved_byte2"),
        (8, "reserved_byte3"),
    ],
    254: [(8, "dm_mode"), (8, "dm_version_index")],
    255: [
        (8, "dm_run_mode"),
        (8, "dm_run_version"),
        (8, "dm_debug0"),
        (8, "dm_debug1"),
        (8, "dm_debug2"),
        (8, "dm_debug3"),
    ],
}


def blocks(t, values):
    """num_ext_blocks and the blocks of one version of content mapping, behind a table."""
    t.ue(len(values), "num_ext_blocks").align("dm_alignment_zero_bit")
    for level, numbers in values:
        fields = LEVELS[level][: len(numbers)]
        bits = sum(count for count, _ in fields)
        t.ue((bits + 7) // 8, "ext_block_length").u(8, level, "ext_block_level")
        for (count, name), value in zip(fields, numbers):
            t.u(count, value, name)
        t.flags("0" * (-bits % 8), "ext_dm_alignment_zero_bit")


def crc(data):
    """rpu_data_crc32: CRC-32/MPEG-2."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value


def unit(head, maps, light, v29, v40=None):
    """The NAL unit, header included (UNSPEC62)."""
    t = Layout().add(head).u(1, 1, "vdr_dm_metadata_present_flag").add(maps).add(light)
    blocks(t, v29)
    if v40 is not None:
        blocks(t, v40)
    t.align("rpu_alignment_zero_bit")
    t.u(32, crc(t.bytes[1:]), "rpu_data_crc32").u(8, 0x80, "the last byte")
    return (
        Layout()
        .flags("01111100", "nal_unit_type 62: an RPU")
        .u(8, 1, "nuh_temporal_id_plus1")
        .add(t)
    )


def all_units():
    """Names, what they are, and the units."""
    whole = (5, [0, 0, 0, 0])
    trims = [
        (2, [2081, 2048, 2048, 2048, 2048, 2048, 2048]),
        (2, [2851, 2100, 2000, 2300, 2048, 1900, 8191]),
    ]
    mastering = (6, [1000, 1, 940, 200])
    ycc = [IDENTITY] * 3
    hlg = [LUMA_84] + [([0, 1023], [piece]) for piece in CHROMA_84]
    ipt = (
        [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545],
        [0, 1 << 27, 1 << 27],
        [17081, -349, -349, -349, 17081, -349, -349, -349, 17081],
    )
    reshaped = (
        [0, 512, 511],
        [[(0, 100000), (0, 8000000), (0, 250000)], [(-1, 8300000), (1, 150000), (0, 90000)]],
    )
    chroma = [
        (
            [0, 1023],
            [
                (
                    (0, 4194304),
                    [
                        [
                            (0, 1000),
                            (0, 8000000),
                            (-1, 8000000),
                            (0, 0),
                            (0, 7),
                            (-1, 8388607),
                            (0, 4194304),
                        ]
                    ]
                    * 2,
                )
            ],
        )
    ] * 2
    minimal = [(0, (1, 0), (0, 0), (0, 0))] * 3
    full = [
        (512, (0, 8388607), (0, 4194304), (0, 65536)),
        (512, (1, 0), (0, 2097152), (0, 0)),
        (512, (2, 1), (0, 0), (0, 1)),
    ]
    version = (254, [0, 2])
    v40 = [
        (3, [2048, 2060, 2048]),
        (8, [1, 2100, 2048, 1900, 2048, 2048, 2048]),
        (8, [20, 2048, 2048, 2048, 2048, 2048, 2048, 2011, 2040]),
        (9, [0]),
        (10, [20, 3079, 62, 0]),
        (11, [1, 0x10, 0, 0]),
        version,
    ]
    return [
        (
            "rpu-84",
            "Profile 8.4, for HLG: the mapping of phones, CM v4.0",
            unit(
                header(),
                mapping(hlg),
                color(3079),
                [(1, [0, 3044, 2077]), whole, (6, [1000, 1, 0, 0])],
                [(9, [0]), (11, [4, 0, 0, 0]), version],
            ),
        ),
        (
            "rpu-81-v29",
            "Profile 8.1, for PQ: a mapping that changes nothing, CM v2.9 with trims",
            unit(
                header(),
                mapping(ycc),
                color(3079),
                [(1, [7, 2828, 1120])]
                + trims
                + [(4, [1120, 643]), (5, [0, 0, 280, 280]), mastering],
            ),
        ),
        (
            "rpu-81-v40",
            "Profile 8.1, for PQ: CM v4.0 with every level but 255",
            unit(
                header(),
                mapping(ycc),
                color(3079),
                [(1, [7, 2828, 1120])] + trims + [(4, [1120, 643]), whole, mastering],
                v40,
            ),
        ),
        (
            "rpu-5",
            "Profile 5: IPT with full range, a curve of two pieces and MMR, CM v2.9",
            unit(
                header(profile=0, full=True),
                mapping([reshaped] + chroma),
                color(3079, 7, space=2, chroma=2, matrices=ipt),
                [(1, [2, 3383, 610]), whole, mastering, (255, [1, 2, 3, 4, 5, 6])],
            ),
        ),
        (
            "rpu-7-mel",
            "Profile 7 with a minimal enhancement layer: residuals of 0",
            unit(
                header(enhanced=True),
                mapping(ycc, minimal),
                color(3696),
                [(1, [0, 3000, 1300]), whole, mastering],
            ),
        ),
        (
            "rpu-7-fel",
            "Profile 7 with a full enhancement layer: residuals in a dead zone",
            unit(
                header(enhanced=True),
                mapping([reshaped] + chroma, full),
                color(3696),
                [(1, [0, 3000, 1300]), whole, mastering],
            ),
        ),
    ]
