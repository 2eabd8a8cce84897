// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport

/// Lists the files that commands have to refuse, each with words of the error.
extension MediaSweepTests {
  /// The files that `plan` refuses. FFmpeg 7 can read the file that is filtered out below. Its
  /// table states more entries than it has, but the entries that are there are enough.
  static let unplannable = refusals.filter { name, _ in
    name != "damaged/UXP__test_case_1200326.mp4" || Tool.libavcodec < (61, 0)
  }

  private static let refusals = [
    "sdr/mp4parse-rust__video_colr_nclx_and_icc.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_hdr10.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_hdr10_full_range.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_hlg.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_hlg_full_range.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_rgb.mp4": "2×2 frames",
    "sdr/mp4parse-rust__video_colr_nclx_two_colr.mp4": "2×2 frames",
    "damaged/AFL__ffmpeg-h264-bad-ptr-800m.mp4": "the box 'trak' at byte 1375",
    "damaged/PHP-FFMpeg__WrongFile.mp4": "the box 'moov' is missing",
    "damaged/UXP__negative_duration.mp4": "no frame could be decoded",
    "damaged/UXP__test_case_1156505.mp4": "is cut off",
    "damaged/UXP__test_case_1181213.mp4": "is cut off",
    "damaged/UXP__test_case_1181220.mp4": "damaged",
    "damaged/UXP__test_case_1185230.mp4": "the box 'mdhd' has 3523727305",
    "damaged/UXP__test_case_1200326.mp4": "damaged",
    "damaged/UXP__test_case_1216748.mp4": "is cut off",
    "damaged/UXP__test_case_1296532.mp4": "is encrypted",
    "damaged/UXP__test_case_1301065-i64max.mp4": "it holds no samples",
    "damaged/UXP__test_case_1301065-u32max.mp4": "it holds no samples",
    "damaged/UXP__test_case_1301065.mp4": "it holds no samples",
    "damaged/file-type__fixture-corrupt.mkv": "damaged",
    "damaged/libwebm__block_ends_beyond_cluster.mkv": "is cut off",
    "damaged/libwebm__fixed_lacing_bad_lace_size.mkv": "is cut off",
    "damaged/mp4ff__init_truncated.mp4": "is cut off",
    "damaged/mp4parse-rust__chunk_out_of_range.mp4": "damaged",
    "damaged/mp4parse-rust__no_timescale.mp4": "the box 'mvhd' is missing",
    "damaged/streamio-ffmpeg__broken.mp4": "the box 'moov' is missing",
    "found/dovi_tool__p8_001_end_crc32.bin": "not a known kind",
    "found/crafted/300753.mp4": "is cut off",
    "found/crafted/bomb.png": "still image (PNG)",
    "found/crafted/full16k.png": "still image (PNG)",
    "found/crafted/stsz-stsc-retag.mp4": "is cut off",
  ]

  /// The files that `retag` refuses.
  static let unretaggable = [
    "hdr/dovi_tool__regular.hevc": "is not a movie file",
    "hdr/hdr10plus_tool__regular.mkv": "is not a movie file",
    "sdr/androidx__sample_fragmented.mp4": "is a fragmented movie",
    "sdr/androidx__sample_ac3_aac.mp4": "has no video",
    "sdr/mediabunny__multiple-aac-tracks.mp4": "has no video",
    "damaged/AFL__ffmpeg-h264-bad-ptr-800m.mp4": "is cut off",
    "damaged/PHP-FFMpeg__WrongFile.mp4": "the box 'moov' is missing",
    "damaged/UXP__test_case_1156505.mp4": "is cut off",
    "damaged/UXP__test_case_1181213.mp4": "is cut off",
    "damaged/UXP__test_case_1181220.mp4": "is cut off",
    "damaged/UXP__test_case_1185230.mp4": "the box 'mdhd' has 3523727305",
    "damaged/UXP__test_case_1200326.mp4": "'stco' states 36865 entries",
    "damaged/UXP__test_case_1216748.mp4": "is cut off",
    "damaged/UXP__test_case_1296532.mp4": "is a fragmented movie",
    "damaged/UXP__test_case_1301065-i64max.mp4": "has no video",
    "damaged/UXP__test_case_1301065-u32max.mp4": "has no video",
    "damaged/UXP__test_case_1301065.mp4": "has no video",
    "damaged/androidx__sample_mdat_too_long.mp4": "is cut off",
    "damaged/file-type__fixture-corrupt.mkv": "is not a movie file",
    "damaged/libwebm__block_ends_beyond_cluster.mkv": "is not a movie file",
    "damaged/libwebm__fixed_lacing_bad_lace_size.mkv": "is not a movie file",
    "damaged/mp4ff__init_truncated.mp4": "is cut off",
    "damaged/mp4parse-rust__chunk_out_of_range.mp4": "'stsc' is too short",
    "damaged/mp4parse-rust__no_timescale.mp4": "the box 'mvhd' is missing",
    "damaged/streamio-ffmpeg__broken.mp4": "the box 'moov' is missing",
    "found/androidx__sample_eac3.mp4": "has no video",
    "found/dovi_tool__p8_001_end_crc32.bin": "is not a movie file",
    "found/crafted/201450.mp4": "vp9 cannot be stored in .mov",
    "found/crafted/301295.mp4": "av1 cannot be stored in .mov",
    "found/crafted/bomb.png": "is not a movie file",
    "found/crafted/full16k.png": "is not a movie file",
    "found/crafted/300753.mp4": "is cut off",
    "found/crafted/stsz-stsc-retag.mp4": "is cut off",
  ]

  /// Files with damaged frames, for which `transcode` ends with status 2.
  static let incomplete: Set<String> = [
    "damaged/AFL__small_movie.mp4", "damaged/decord__corrupted.mp4",
    "found/androidx__sample_with_invalid_nalu.mp4",
    "found/shaka-packager__bear-1280x720-zero-stsz-entry.mp4",
  ]
}
