// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// What a sequence parameter set of H.264 (7.3.2.1) or H.265 (7.3.2.2) says about the pictures.
package struct SequenceParameterSet: Hashable, Sendable {
  /// `seq_parameter_set_id` or `sps_seq_parameter_set_id`.
  package var parameterSetID: UInt64 = 0
  /// `profile_idc` or `general_profile_idc`.
  package var profileIdc: Int
  /// `level_idc`: ten times the level in H.264, thirty times in H.265.
  package var levelIdc: Int
  /// `general_tier_flag` of H.265: whether the tier is High.
  package var isHighTier = false
  /// The byte of the constraint flags in H.264.
  package var constraintFlags: UInt8 = 0
  /// `chroma_format_idc`: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chromaFormatIdc = 1
  /// Bits per luma sample.
  package var bitDepthLuma = 8
  /// Bits per chroma sample.
  package var bitDepthChroma = 8
  /// The width of the cropped picture in luma samples.
  package var width = 0
  /// The height of the cropped picture in luma samples.
  package var height = 0
  /// The number of bits of `slice_pic_order_cnt_lsb` in HEVC (`log2_max_pic_order_cnt_lsb_minus4` +
  /// 4).
  var pictureOrderCountBits = 4
  /// `separate_colour_plane_flag`.
  var hasSeparateColorPlanes = false
  /// The number of bits of `frame_num` in H.264 (`log2_max_frame_num_minus4` + 4).
  var frameNumberBits = 4
  /// `frame_mbs_only_flag` of H.264: whether no picture is coded as fields.
  var isFrameOnly = true

  // Everything before the flag of the VUI is copied when the VUI is changed.
  /// Where `vui_parameters_present_flag` is in the payload, in bits.
  var vuiFlagPosition = 0
  /// The VUI, if the set has one.
  package var vui: VideoUsabilityInformation?

  /// Color, range and chroma location, as the VUI declares them.
  package var signal: SignalDescription { vui?.signal ?? SignalDescription() }

  // A damaged count could be 2^32 and keep a loop running for minutes.
  /// Returns the number, or throws if it is above the limit.
  static func count(
    _ value: UInt64, at reader: BitReader, limit: UInt64
  ) throws(BitstreamError) -> Int {
    guard value <= limit else { throw .invalidExpGolomb(bitPosition: reader.position) }
    return Int(value)
  }

  /// Reduces the picture's size by the offsets of the cropping window.
  mutating func crop(
    left: UInt64, right: UInt64, top: UInt64, bottom: UInt64, unitX: Int, unitY: Int
  ) {
    let across = (left &+ right).multipliedReportingOverflow(by: UInt64(unitX))
    let down = (top &+ bottom).multipliedReportingOverflow(by: UInt64(unitY))
    // A window that leaves nothing of the picture is damaged. Ignore it, because the picture can
    // still be decoded and shown.
    guard !across.overflow, !down.overflow, across.partialValue < UInt64(width),
      down.partialValue < UInt64(height)
    else { return }
    width -= Int(across.partialValue)
    height -= Int(down.partialValue)
  }
}
