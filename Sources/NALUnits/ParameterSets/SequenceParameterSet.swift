// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// Statements of a sequence parameter set of H.264 (7.3.2.1) or H.265 (7.3.2.2) about the pictures.
package struct SequenceParameterSet: Hashable, Sendable {
  /// `seq_parameter_set_id`, `sps_seq_parameter_set_id`: its number.
  package var parameterSetID: UInt64 = 0
  /// `profile_idc`, `general_profile_idc`.
  package var profileIdc: Int
  /// `level_idc` (H.264: ten times the level; H.265: thirty times the level).
  package var levelIdc: Int
  /// `general_tier_flag` of H.265: true if the tier is High.
  package var isHighTier = false
  /// The constraint flags of H.264 in their byte.
  package var constraintFlags: UInt8 = 0
  /// `chroma_format_idc`: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chromaFormatIdc = 1
  /// Bits of a luma sample.
  package var bitDepthLuma = 8
  /// Bits of a chroma sample.
  package var bitDepthChroma = 8
  /// Luma samples in a row of the cropped picture.
  package var width = 0
  /// Luma rows of the cropped picture.
  package var height = 0
  /// The bits of `slice_pic_order_cnt_lsb` in HEVC: `log2_max_pic_order_cnt_lsb_minus4` + 4.
  var pictureOrderCountBits = 4
  /// `separate_colour_plane_flag`.
  var hasSeparateColorPlanes = false
  /// The bits of `frame_num` in H.264: `log2_max_frame_num_minus4` + 4.
  var frameNumberBits = 4
  /// `frame_mbs_only_flag` of H.264: true if no picture is coded as fields.
  var isFrameOnly = true
  /// Position of `vui_parameters_present_flag`, in bits of the payload.
  var vuiFlagPosition = 0
  /// The VUI; nil if not present.
  package var vui: VideoUsabilityInformation?

  /// Color, range and chroma location as the VUI states them.
  package var signal: SignalDescription { vui?.signal ?? SignalDescription() }

  /// The limit for counts in a parameter set; every real one is far below.
  static let largestCount: UInt64 = 1024

  /// A number that no valid parameter set exceeds, or an error in place of an endless loop.
  static func count(
    _ value: UInt64, at reader: BitReader, limit: UInt64 = largestCount
  ) throws(BitstreamError) -> Int {
    guard value <= limit else { throw .invalidExpGolomb(bitPosition: reader.position) }
    return Int(value)
  }

  /// Cuts the cropping window off a picture's size; a window that is no smaller is ignored.
  mutating func crop(
    left: UInt64, right: UInt64, top: UInt64, bottom: UInt64, unitX: Int, unitY: Int
  ) {
    let across = (left &+ right).multipliedReportingOverflow(by: UInt64(unitX))
    let down = (top &+ bottom).multipliedReportingOverflow(by: UInt64(unitY))
    guard !across.overflow, !down.overflow, across.partialValue < UInt64(width),
      down.partialValue < UInt64(height)
    else { return }
    width -= Int(across.partialValue)
    height -= Int(down.partialValue)
  }
}
