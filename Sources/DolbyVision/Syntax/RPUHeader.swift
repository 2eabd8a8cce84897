// SPDX-License-Identifier: GPL-2.0-or-later
/// The start of `rpu_data_header`, up to `disable_residual_flag` (ETSI GS CCM 001). It describes
/// the layers, and the format of the mapping's numbers.
package struct RPUHeader: Hashable, Sendable {
  /// `rpu_format`, 11 bits: 18 in all known streams. The highest three bits are 0.
  package var rpuFormat: UInt16 = 18
  /// `vdr_rpu_profile`, 4 bits: 0 for profile 5, 1 for profiles 4, 7 and 8.
  package var vdrRPUProfile: UInt8 = 1
  /// `vdr_rpu_level`, 4 bits: 0 in valid units.
  package var vdrRPULevel: UInt8 = 0
  /// `chroma_resampling_explicit_filter_flag`: 0 in valid units.
  package var chromaResamplingExplicitFilterFlag = false
  /// `coefficient_data_type`, 2 bits: 0 for fixed-point, 1 for floating-point numbers.
  package var coefficientDataType: UInt8 = 0

  // The standard allows 13 to 23 bits. Other values can be read, too, and `issues` reports them.
  /// `coefficient_log2_denom`, 0 to 32: the number of fraction bits; coded for fixed point only.
  package var coefficientLog2Denom: UInt8 = 23
  /// `vdr_rpu_normalized_idc`, 2 bits.
  package var vdrRPUNormalizedIDC: UInt8 = 1
  /// `BL_video_full_range_flag`: 1 in profile 5.
  package var blVideoFullRangeFlag = false
  /// `BL_bit_depth_minus8`, 0 to 8.
  package var blBitDepthMinus8: UInt8 = 2
  /// `EL_bit_depth_minus8`, 0 to 8.
  package var elBitDepthMinus8: UInt8 = 2

  // ETSI GS CCM 001 does not have this field. libdovi and FFmpeg find it above the low 8 bits of
  // the number that codes `EL_bit_depth_minus8`.
  /// `ext_mapping_idc`, 8 bits.
  package var extMappingIDC: UInt8 = 0
  /// `vdr_bit_depth_minus8`, 0 to 8.
  package var vdrBitDepthMinus8: UInt8 = 4
  package var spatialResamplingFilterFlag = false

  // libdovi and FFmpeg call these bits `dm_compression`; in ETSI GS CCM 001 they are still
  // reserved.
  /// `reserved_zero_3bits`: 1 if the metadata for displays has neither a static part nor static
  /// blocks. Values above 1 are not supported.
  package var reservedZero3Bits: UInt8 = 0
  /// `el_spatial_resampling_filter_flag`: 1 with an enhancement layer.
  package var elSpatialResamplingFilterFlag = false
  /// `disable_residual_flag`: 0 with an enhancement layer.
  package var disableResidualFlag = true

  /// Makes the header that all known writers use for profile 8.
  package init() {}

  /// How many bits code the fraction of a number in the mapping, beside the Exp-Golomb code of its
  /// integer; `nil` if numbers are coded in floating point, IEEE 754 single precision.
  package var fractionBits: Int? { coefficientDataType == 0 ? Int(coefficientLog2Denom) : nil }

  /// Bits per sample in the base layer.
  package var blBitDepth: Int { Int(blBitDepthMinus8) + 8 }
  /// Bits per sample in the enhancement layer.
  package var elBitDepth: Int { Int(elBitDepthMinus8) + 8 }
  /// Bits per sample of the reconstructed signal.
  package var vdrBitDepth: Int { Int(vdrBitDepthMinus8) + 8 }

  /// Whether the metadata for displays has neither a static part nor static blocks.
  package var isDisplayManagementCompressed: Bool { reservedZero3Bits == 1 }
}

extension RPUHeader {
  mutating func code(_ coder: inout some SyntaxCoder) throws(DolbyVisionError) {
    // No stream is known that has an `rpu_type` other than 2 or lacks `vdr_seq_info`. FFmpeg and
    // libdovi refuse such streams, too, because the syntax of the rest was never published.
    try constant(2, 6, "rpu_type", &coder)
    let position = coder.bitPosition
    try coder.u(&rpuFormat, 11, "rpu_format")
    guard rpuFormat & 0x700 == 0 else {
      throw .unsupported(
        element: "rpu_format", bitPosition: position, observed: Int64(rpuFormat))
    }
    try coder.u(&vdrRPUProfile, 4, "vdr_rpu_profile")
    try coder.u(&vdrRPULevel, 4, "vdr_rpu_level")
    try constant(1, 1, "vdr_seq_info_present_flag", &coder)
    try codeCoefficients(&coder)
    try codeDepths(&coder)
    try coder.flag(&elSpatialResamplingFilterFlag, "el_spatial_resampling_filter_flag")
    try coder.flag(&disableResidualFlag, "disable_residual_flag")
  }

  private mutating func codeCoefficients(_ coder: inout some SyntaxCoder) throws(DolbyVisionError) {
    try coder.flag(&chromaResamplingExplicitFilterFlag, "chroma_resampling_explicit_filter_flag")
    let position = coder.bitPosition
    try coder.u(&coefficientDataType, 2, "coefficient_data_type")
    switch coefficientDataType {
    case 0: try coder.ue(&coefficientLog2Denom, "coefficient_log2_denom", in: 0...32)
    // Floating-point numbers have no fraction bits, so no count of such bits is coded.
    case 1: coefficientLog2Denom = 0
    default:
      throw .unsupported(
        element: "coefficient_data_type", bitPosition: position,
        observed: Int64(coefficientDataType))
    }
    try coder.u(&vdrRPUNormalizedIDC, 2, "vdr_rpu_normalized_idc")
    try coder.flag(&blVideoFullRangeFlag, "BL_video_full_range_flag")
  }

  private mutating func codeDepths(_ coder: inout some SyntaxCoder) throws(DolbyVisionError) {
    try coder.ue(&blBitDepthMinus8, "BL_bit_depth_minus8", in: 0...8)
    // One code contains two values. Only its low byte is a depth.
    var coded = UInt32(extMappingIDC) << 8 | UInt32(elBitDepthMinus8)
    let position = coder.bitPosition
    try coder.ue(&coded, "EL_bit_depth_minus8", in: 0...0xFFFF)
    guard coded & 0xFF <= 8 else {
      throw .outOfRange(
        element: "EL_bit_depth_minus8", bitPosition: position, observed: Int64(coded & 0xFF),
        expected: 0...8)
    }
    elBitDepthMinus8 = UInt8(coded & 0xFF)
    extMappingIDC = UInt8(coded >> 8)
    try coder.ue(&vdrBitDepthMinus8, "vdr_bit_depth_minus8", in: 0...8)
    try coder.flag(&spatialResamplingFilterFlag, "spatial_resampling_filter_flag")
    let reserved = coder.bitPosition
    try coder.u(&reservedZero3Bits, 3, "reserved_zero_3bits")
    guard reservedZero3Bits <= 1 else {
      throw .unsupported(
        element: "reserved_zero_3bits", bitPosition: reserved,
        observed: Int64(reservedZero3Bits))
    }
  }

  /// Codes an element that has the same value in every unit that can be read.
  private func constant(
    _ expected: UInt8, _ count: Int, _ element: String, _ coder: inout some SyntaxCoder
  ) throws(DolbyVisionError) {
    var value = expected
    let position = coder.bitPosition
    try coder.u(&value, count, element)
    guard value == expected else {
      throw .unsupported(element: element, bitPosition: position, observed: Int64(value))
    }
  }
}
