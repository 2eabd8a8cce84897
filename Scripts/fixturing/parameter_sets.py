# SPDX-License-Identifier: GPL-2.0-or-later
"""Parameter sets of HEVC and H.264, SEI messages and configuration records."""

import re
import subprocess
import tempfile

from .layout import Layout, box, escaped


def encoded(codec, fmt, options, parameters):
    """The NAL units of one gray picture of 64×64 out of an encoder, with the fields of its headers
    as ffmpeg's trace_headers reads them."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + ("/a.hevc" if codec == "libx265" else "/a.h264")
        key = "-x265-params" if codec == "libx265" else "-x264-params"
        subprocess.run(
            [
                "ffmpeg",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "color=gray:s=64x64:r=25",
                "-frames:v",
                "1",
                "-pix_fmt",
                fmt,
                "-c:v",
                codec,
                "-preset",
                "ultrafast",
            ]
            + options
            + [key, ":".join(parameters), path],
            check=True,
        )
        return traced(path), units(open(path, "rb").read())


def units(stream):
    """What lies between start codes."""
    parts = re.split(b"\x00*\x00\x00\x01", stream)[1:]
    return [part.rstrip(b"\x00") for part in parts]


def traced(path):
    """Fields of the NAL units of a stream, by the name that trace_headers gives the unit."""
    log = subprocess.run(
        [
            "ffmpeg",
            "-v",
            "trace",
            "-i",
            path,
            "-c",
            "copy",
            "-bsf:v",
            "trace_headers",
            "-f",
            "null",
            "-",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    tables, current = {}, None
    for line in log.splitlines():
        found = re.match(r"\[trace_headers[^]]*\] (.*)", line)
        if not found:
            continue
        field = re.match(r"(\d+) +(\S+) +([01]+) = (-?\d+)", found[1])
        if field is None:
            name = found[1].strip()
            # Extradata and the first packet hold the same.
            current = tables.setdefault(name, Layout()) if name not in tables else Layout()
        elif current is not None:
            add(current, field[2], field[3], field[4])
    return tables


def add(table, name, bits, value):
    """Adds a field; the 32 flags of compatible profiles and reserved bits are said together."""
    base = name.split("[")[0]
    if (
        base in ("general_profile_compatibility_flag", "general_reserved_zero_35bits")
        and table.rows
        and table.rows[-1][1].startswith(base)
    ):
        table.rows[-1] = (table.rows[-1][0] + bits, base)
    elif name not in ("rbsp_stop_one_bit", "rbsp_alignment_zero_bit"):
        table.flags(bits, "%s %s" % (name, value))


def hevc_header(kind, meaning, layer=0):
    """nal_unit_header (H.265, 7.3.1.2)."""
    return (
        Layout()
        .flags("0" + format(kind, "06b"), "nal_unit_type %d: %s" % (kind, meaning))
        .u(6, layer, "nuh_layer_id")
        .u(3, 1, "nuh_temporal_id_plus1")
    )


def avc_header(kind, meaning, importance=3):
    """nal_unit (H.264, 7.3.1)."""
    return Layout().flags(
        "0" + format(importance, "02b") + format(kind, "05b"),
        "nal_ref_idc %d, nal_unit_type %d: %s" % (importance, kind, meaning),
    )


def hevc_profile(layers, high, profile, level):
    """profile_tier_level (H.265, 7.3.3) with every sub-layer's own level."""
    table = (
        Layout()
        .u(2, 0, "general_profile_space")
        .u(1, high, "general_tier_flag")
        .u(5, profile, "general_profile_idc")
        .u(32, 1 << (31 - profile), "general_profile_compatibility_flags")
        .flags("1001", "progressive 1, interlaced 0, non_packed 0, frame_only 1")
        .u(43, 0, "general_reserved_zero_43bits")
        .u(1, 0, "general_inbld_flag")
        .u(8, level, "general_level_idc")
    )
    for layer in range(layers):
        table.flags("01", "sub_layer_profile_present_flag[%d] 0, level 1" % layer)
    if layers:
        table.flags("00" * (8 - layers), "reserved_zero_2bits")
    for layer in range(layers):
        table.u(8, level - 30, "sub_layer_level_idc[%d]" % layer)
    return table


def hevc_sps(vui, layers=0, rich=False, width=1920, height=1088):
    """A sequence parameter set (H.265, 7.3.2.2.1) of 4:2:0 and 10 bits; a rich one has whatever
    stands before the VUI: scaling lists, pcm, reference picture sets, long-term pictures."""
    t = (
        hevc_header(33, "SPS_NUT")
        .u(4, 0, "sps_video_parameter_set_id")
        .u(3, layers, "sps_max_sub_layers_minus1")
        .u(1, 1, "sps_temporal_id_nesting_flag")
    )
    t.add(hevc_profile(layers, 1 if rich else 0, 2, 123))
    t.ue(3 if rich else 0, "sps_seq_parameter_set_id").ue(1, "chroma_format_idc")
    t.ue(width, "pic_width_in_luma_samples").ue(height, "pic_height_in_luma_samples")
    t.u(1, 1, "conformance_window_flag")
    for side, value in (("left", 0), ("right", 0), ("top", 0), ("bottom", 4)):
        t.ue(value, "conf_win_%s_offset" % side)
    t.ue(2, "bit_depth_luma_minus8").ue(2, "bit_depth_chroma_minus8")
    t.ue(4, "log2_max_pic_order_cnt_lsb_minus4")
    t.u(1, 1, "sps_sub_layer_ordering_info_present_flag")
    for layer in range(layers + 1):
        t.ue(4, "sps_max_dec_pic_buffering_minus1").ue(2, "sps_max_num_reorder_pics")
        t.ue(0, "sps_max_latency_increase_plus1")
    t.ue(0, "log2_min_luma_coding_block_size_minus3")
    t.ue(3, "log2_diff_max_min_luma_coding_block_size")
    t.ue(0, "log2_min_luma_transform_block_size_minus2")
    t.ue(3, "log2_diff_max_min_luma_transform_block_size")
    t.ue(0, "max_transform_hierarchy_depth_inter").ue(0, "max_transform_hierarchy_depth_intra")
    t.u(1, 1 if rich else 0, "scaling_list_enabled_flag")
    if rich:
        t.u(1, 1, "sps_scaling_list_data_present_flag").add(scaling_lists())
    t.flags("11", "amp_enabled_flag 1, sample_adaptive_offset_enabled_flag 1")
    t.u(1, 1 if rich else 0, "pcm_enabled_flag")
    if rich:
        t.u(4, 9, "pcm_sample_bit_depth_luma_minus1").u(4, 9, "pcm_sample_bit_depth_chroma_minus1")
        t.ue(0, "log2_min_pcm_luma_coding_block_size_minus3")
        t.ue(2, "log2_diff_max_min_pcm_luma_coding_block_size")
        t.u(1, 1, "pcm_loop_filter_disabled_flag")
    t.add(reference_sets() if rich else Layout().ue(0, "num_short_term_ref_pic_sets"))
    t.u(1, 1 if rich else 0, "long_term_ref_pics_present_flag")
    if rich:
        t.ue(2, "num_long_term_ref_pics_sps")
        for index in range(2):
            t.u(8, 16 * index + 5, "lt_ref_pic_poc_lsb_sps[%d]" % index)
            t.u(1, 1, "used_by_curr_pic_lt_sps_flag[%d]" % index)
    t.flags("11", "sps_temporal_mvp_enabled_flag 1, strong_intra_smoothing_enabled_flag 1")
    t.u(1, 0 if vui is None else 1, "vui_parameters_present_flag")
    if vui is not None:
        t.add(vui)
    return t.u(1, 0, "sps_extension_present_flag").stop()


def scaling_lists():
    """scaling_list_data (H.265, 7.3.4): one list is coded, all others are the default."""
    t = Layout()
    for size in range(4):
        for matrix in range(0, 6, 3 if size == 3 else 1):
            isCoded = (size, matrix) == (2, 3)
            t.u(1, 1 if isCoded else 0, "scaling_list_pred_mode_flag[%d][%d]" % (size, matrix))
            if isCoded:
                t.se(8, "scaling_list_dc_coef_minus8")
                for index in range(64):
                    t.se(
                        1 if index % 8 == 0 else -1 if index % 8 == 4 else 0,
                        "scaling_list_delta_coef",
                    )
            else:
                t.ue(0, "scaling_list_pred_matrix_id_delta")
    return t


def reference_sets():
    """st_ref_pic_set (H.265, 7.3.7): two that are coded, and between them two that are told from the
    one before; the first of these leaves a picture out."""
    t = Layout().ue(4, "num_short_term_ref_pic_sets")

    def coded(index, negative, positive):
        if index:
            t.u(1, 0, "inter_ref_pic_set_prediction_flag")
        t.ue(negative, "num_negative_pics").ue(positive, "num_positive_pics")
        for _ in range(negative):
            t.ue(0, "delta_poc_s0_minus1").u(1, 1, "used_by_curr_pic_s0_flag")
        for _ in range(positive):
            t.ue(0, "delta_poc_s1_minus1").u(1, 1, "used_by_curr_pic_s1_flag")

    def predicted(flags):
        t.u(1, 1, "inter_ref_pic_set_prediction_flag").u(1, 1, "delta_rps_sign")
        t.ue(4, "abs_delta_rps_minus1")
        for is_used, uses_delta in flags:
            t.u(1, is_used, "used_by_curr_pic_flag")
            if not is_used:
                t.u(1, uses_delta, "use_delta_flag")

    coded(0, 2, 1)
    predicted([(1, 1), (0, 0), (0, 1), (1, 1)])
    predicted([(1, 1), (0, 1), (1, 1), (0, 0)])
    coded(3, 1, 0)
    return t


def vui(codec, color=None, full=None, chroma=None, aspect=None, timing=False, overscan=False):
    """vui_parameters (H.264, E.1.1; H.265, E.2.1)."""
    t = Layout().u(1, 0 if aspect is None else 1, "aspect_ratio_info_present_flag")
    if aspect:
        t.u(8, 255, "aspect_ratio_idc").u(16, aspect[0], "sar_width").u(16, aspect[1], "sar_height")
    t.u(1, int(overscan), "overscan_info_present_flag")
    if overscan:
        t.u(1, 0, "overscan_appropriate_flag")
    t.u(1, 0 if full is None else 1, "video_signal_type_present_flag")
    if full is not None:
        t.u(3, 5, "video_format").u(1, int(full), "video_full_range_flag")
        t.u(1, 1 if color else 0, "colour_description_present_flag")
        for name, value in zip(
            ("colour_primaries", "transfer_characteristics", "matrix_coefficients"), color or ()
        ):
            t.u(8, value, name)
    t.u(1, 0 if chroma is None else 1, "chroma_loc_info_present_flag")
    if chroma is not None:
        t.ue(chroma, "chroma_sample_loc_type_top_field")
        t.ue(chroma, "chroma_sample_loc_type_bottom_field")
    if codec == "hevc":
        t.flags("0000", "neutral_chroma, field_seq, frame_field_info, default_display_window 0")
    t.u(
        1,
        int(timing),
        "vui_timing_info_present_flag" if codec == "hevc" else "timing_info_present_flag",
    )
    if timing:
        t.u(32, 1001, "num_units_in_tick").u(32, 30000 if codec == "hevc" else 60000, "time_scale")
        if codec == "hevc":
            t.flags("00", "vui_poc_proportional_to_timing_flag, vui_hrd_parameters_present_flag 0")
        else:
            t.u(1, 1, "fixed_frame_rate_flag")
    if codec == "hevc":
        return t.u(1, 0, "bitstream_restriction_flag")
    return t.flags("0000", "nal_hrd, vcl_hrd, pic_struct_present, bitstream_restriction 0")


def avc_sps(
    picture, profile=77, flags=0x40, level=31, chroma=1, depth=8, fields=False, scaling=False
):
    """A sequence parameter set (H.264, 7.3.2.1.1), 1280×720, or 1920×1080 in fields."""
    t = avc_header(7, "sequence parameter set").u(8, profile, "profile_idc")
    t.flags(format(flags, "08b"), "constraint_set flags and reserved_zero_2bits")
    t.u(8, level, "level_idc").ue(2, "seq_parameter_set_id")
    if profile >= 100:
        t.ue(chroma, "chroma_format_idc").ue(depth - 8, "bit_depth_luma_minus8")
        t.ue(depth - 8, "bit_depth_chroma_minus8").u(1, 0, "qpprime_y_zero_transform_bypass_flag")
        t.u(1, int(scaling), "seq_scaling_matrix_present_flag")
        if scaling:
            # The first list ends early: next scale 0 (7.3.2.1.1.1).
            t.u(1, 1, "seq_scaling_list_present_flag[0]").se(2, "delta_scale").se(
                -10, "delta_scale"
            )
            t.flags("0000000", "seq_scaling_list_present_flag[1…7] 0")
    t.ue(0, "log2_max_frame_num_minus4").ue(1, "pic_order_cnt_type")
    t.u(1, 0, "delta_pic_order_always_zero_flag").se(-1, "offset_for_non_ref_pic")
    t.se(0, "offset_for_top_to_bottom_field").ue(1, "num_ref_frames_in_pic_order_cnt_cycle")
    t.se(2, "offset_for_ref_frame[0]").ue(4, "max_num_ref_frames")
    t.u(1, 0, "gaps_in_frame_num_value_allowed_flag")
    t.ue(119 if fields else 79, "pic_width_in_mbs_minus1")
    t.ue(33 if fields else 44, "pic_height_in_map_units_minus1").u(
        1, int(not fields), "frame_mbs_only_flag"
    )
    if fields:
        t.u(1, 1, "mb_adaptive_frame_field_flag")
    t.u(1, 1, "direct_8x8_inference_flag").u(1, int(fields), "frame_cropping_flag")
    if fields:
        for side, value in (("left", 0), ("right", 0), ("top", 0), ("bottom", 2)):
            t.ue(value, "frame_crop_%s_offset" % side)
    t.u(1, 0 if picture is None else 1, "vui_parameters_present_flag")
    if picture is not None:
        t.add(picture)
    return t.stop()


def sei(codec, *messages):
    """A NAL unit of SEI messages (H.264, 7.3.2.3; H.265, 7.3.2.4): type, name, payload."""
    t = hevc_header(39, "PREFIX_SEI_NUT") if codec == "hevc" else avc_header(6, "SEI", 0)
    for kind, name, payload in messages:
        t.raw(b"\xff" * (kind // 255) + bytes([kind % 255]), "payload type %d: %s" % (kind, name))
        size = len(payload.bytes)
        t.raw(b"\xff" * (size // 255) + bytes([size % 255]), "payload size %d" % size)
        t.add(payload)
    return t.stop()


def hvcc(sps, arrays, lengthSize=4):
    """HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1): the content of hvcC.

    arrays: type, whether it is complete, bytes of the units."""
    bits = "".join(bits for bits, _ in sps.rows)
    profile = bits[24 : 24 + 96]
    t = Layout().u(8, 1, "configurationVersion")
    t.flags(profile[:8], "general_profile_space, tier flag, profile_idc %d" % int(profile[3:8], 2))
    t.flags(profile[8:40], "general_profile_compatibility_flags")
    t.flags(profile[40:88], "general_constraint_indicator_flags")
    t.u(8, int(profile[88:96], 2), "general_level_idc")
    t.flags("1111" + format(0, "012b"), "reserved, min_spatial_segmentation_idc 0")
    t.flags("11111100", "reserved, parallelismType 0").flags(
        "11111101", "reserved, chroma_format_idc 1"
    )
    t.flags("11111010", "reserved, bit_depth_luma_minus8 2")
    t.flags("11111010", "reserved, bit_depth_chroma_minus8 2").u(16, 0, "avgFrameRate")
    t.flags(
        "00" + "001" + "1" + format(lengthSize - 1, "02b"),
        "constantFrameRate 0, numTemporalLayers 1, temporalIdNested 1, lengthSizeMinusOne %d"
        % (lengthSize - 1),
    )
    t.u(8, len(arrays), "numOfArrays")
    for kind, isComplete, units in arrays:
        t.flags(
            "%d0" % int(isComplete) + format(kind, "06b"),
            "array_completeness %d, NAL_unit_type %d" % (int(isComplete), kind),
        )
        t.u(16, len(units), "numNalus")
        for unit in units:
            t.u(16, len(unit), "nalUnitLength").raw(unit, "nalUnit")
    return t


def avcc(sps, pictureSets, isHigh, lengthSize=4):
    """AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1.2): the content of avcC."""
    t = Layout().u(8, 1, "configurationVersion").u(8, sps[1], "AVCProfileIndication")
    t.u(8, sps[2], "profile_compatibility").u(8, sps[3], "AVCLevelIndication")
    t.flags(
        "111111" + format(lengthSize - 1, "02b"),
        "reserved, lengthSizeMinusOne %d" % (lengthSize - 1),
    )
    t.flags("11100001", "reserved, numOfSequenceParameterSets 1")
    t.u(16, len(sps), "sequenceParameterSetLength").raw(sps, "sequenceParameterSetNALUnit")
    t.u(8, len(pictureSets), "numOfPictureParameterSets")
    for unit in pictureSets:
        t.u(16, len(unit), "pictureParameterSetLength").raw(unit, "pictureParameterSetNALUnit")
    if isHigh:
        t.flags("11111101", "reserved, chroma_format 1").flags(
            "11111000", "reserved, bit_depth_luma_minus8 0"
        )
        t.flags("11111000", "reserved, bit_depth_chroma_minus8 0")
        t.u(8, 0, "numOfSequenceParameterSetExt")
    return t


def in_stream(table, header):
    """A NAL unit as streams have it; a header of 0 bytes is that of a unit that came out of one."""
    data = table.bytes
    return data[:header] + escaped(data[header:]) if header else data
