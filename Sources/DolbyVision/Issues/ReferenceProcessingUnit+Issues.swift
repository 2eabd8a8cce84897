// SPDX-License-Identifier: GPL-2.0-or-later
extension ReferenceProcessingUnit {
  /// A text for each value that is not valid, although the unit can be read and written. The text
  /// states the name of the syntax element, its value and the expected value. Empty for a valid
  /// unit.
  package var issues: [String] {
    // The rules are those of ETSI GS CCM 001 and of libdovi's `validate` functions, which are based
    // on the streams that exist.
    var issues = headerIssues
    if let mapping = dataMapping { issues += mapping.issues(header, profile: profile) }
    if let data = displayManagement { issues += data.issues }
    issues.check("rpu_alignment_zero_bit", alignmentBits, in: 0...0)
    return issues
  }

  private var headerIssues: [String] {
    var issues: [String] = []
    issues.check(
      profile != nil, "vdr_rpu_profile", header.vdrRPUProfile, "0 with full range, or 1")
    issues.check("vdr_rpu_level", header.vdrRPULevel, in: 0...0)
    issues.check(
      !header.chromaResamplingExplicitFilterFlag, "chroma_resampling_explicit_filter_flag", 1, "0")
    // Only fixed-point numbers have fraction bits.
    if header.coefficientDataType == 0 {
      issues.check("coefficient_log2_denom", header.coefficientLog2Denom, in: 13...23)
    }
    issues.check("BL_bit_depth_minus8", header.blBitDepthMinus8, in: 2...2)
    issues.check("EL_bit_depth_minus8", header.elBitDepthMinus8, in: 2...2)
    issues.check("vdr_bit_depth_minus8", header.vdrBitDepthMinus8, in: 0...6)
    issues.check(
      !header.isDisplayManagementCompressed || displayManagement != nil,
      "vdr_dm_metadata_present_flag", 0, "1 with compressed metadata")
    if profile == 5 {
      issues.check(header.disableResidualFlag, "disable_residual_flag", 0, "1 in profile 5")
    }
    // `prev_vdr_rpu_id` is 0 to 15, because it repeats the `vdr_rpu_id` of an earlier unit.
    if case .previous(let id) = mapping { issues.check("prev_vdr_rpu_id", id, in: 0...15) }
    return issues
  }
}

extension DataMapping {
  /// Returns the fields that are not valid in a unit with the given header.
  func issues(_ header: RPUHeader, profile: UInt8?) -> [String] {
    var issues: [String] = []
    issues.check("vdr_rpu_id", vdrRPUID, in: 0...15)
    issues.check("mapping_color_space", mappingColorSpace, in: 0...0)
    issues.check("mapping_chroma_format_idc", mappingChromaFormatIDC, in: 0...0)
    issues.check("num_x_partitions_minus1", numXPartitionsMinus1, in: 0...0)
    issues.check("num_y_partitions_minus1", numYPartitionsMinus1, in: 0...0)
    let maximum = 1 << header.blBitDepth - 1
    for curve in curves {
      issues.check("pred_pivot_value (last pivot)", curve.pivots.last ?? 0, in: 0...maximum)
    }
    // In profile 7 the second pivot is always the largest code value of the base layer (libdovi).
    if let nlq, profile == 7 {
      let last = nlq.nlqPredPivotValue.reduce(0) { $0 + Int($1) }
      issues.check("nlq_pred_pivot_value (last pivot)", last, in: maximum...maximum)
    }
    return issues
  }
}

extension [String] {
  /// Adds an issue if a value is out of range.
  mutating func check<Value: FixedWidthInteger>(
    _ element: String, _ value: Value, in range: ClosedRange<Value>
  ) {
    guard !range.contains(value) else { return }
    let expected =
      range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    append("\(element) is \(value), expected \(expected)")
  }

  /// Adds an issue if a condition is not met.
  mutating func check(
    _ condition: Bool, _ element: String, _ observed: some CustomStringConvertible,
    _ expected: String
  ) {
    if !condition { append("\(element) is \(observed), expected \(expected)") }
  }
}
