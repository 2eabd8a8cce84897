// SPDX-License-Identifier: GPL-2.0-or-later
/// A reference processing unit (RPU): the Dolby Vision metadata of one frame (ETSI GS CCM 001
/// V1.1.1).
///
/// It contains the coded values, valid or not, so that a unit that is read and written again has
/// the same bytes. ``issues`` lists the values that are not valid.
package struct ReferenceProcessingUnit: Hashable, Sendable {
  // ETSI's document does not cover everything that is in use. The rest follows libdovi 3.4 and
  // FFmpeg 8, which agree on the streams that exist.

  package var header: RPUHeader
  /// How the base layer is mapped to the Dolby Vision signal.
  package var mapping: MappingSource
  /// Data for displays; `nil` if `vdr_dm_metadata_present_flag` is 0.
  package var displayManagement: DisplayManagementData?
  /// `rpu_alignment_zero_bit`: the bits after the last element, up to the next byte. Normally 0.
  package var alignmentBits: UInt8
  /// Bytes between the last element and the checksum, which some writers leave there.
  package var dataBeforeChecksum: [UInt8]

  // A byte stream may have zeros after a NAL unit (H.265, B.2), and some software keeps them. They
  // must not go into a sample of a movie.
  /// How many zero bytes follow the final 0x80.
  package var trailingZeroCount: Int

  /// Where the mapping comes from.
  package enum MappingSource: Hashable, Sendable {
    /// The unit itself contains the mapping.
    case coded(DataMapping)
    /// The mapping of an earlier unit is used (`use_prev_vdr_rpu_flag`, `prev_vdr_rpu_id`).
    case previous(id: UInt32)
  }

  package init(
    header: RPUHeader = RPUHeader(), mapping: MappingSource,
    displayManagement: DisplayManagementData?, alignmentBits: UInt8 = 0,
    dataBeforeChecksum: [UInt8] = [], trailingZeroCount: Int = 0
  ) {
    self.header = header
    self.mapping = mapping
    self.displayManagement = displayManagement
    self.alignmentBits = alignmentBits
    self.dataBeforeChecksum = dataBeforeChecksum
    self.trailingZeroCount = trailingZeroCount
  }

  /// The mapping, if the unit itself has one.
  package var dataMapping: DataMapping? {
    if case .coded(let mapping) = mapping { mapping } else { nil }
  }
}

extension ReferenceProcessingUnit {
  /// Codes `rpu_data`, the elements between the prefix and the alignment.
  mutating func code(_ coder: inout some SyntaxCoder) throws(DolbyVisionError) {
    try header.code(&coder)
    var hasDisplayManagement = displayManagement != nil
    try coder.flag(&hasDisplayManagement, "vdr_dm_metadata_present_flag")
    var usesPrevious = dataMapping == nil
    try coder.flag(&usesPrevious, "use_prev_vdr_rpu_flag")
    if usesPrevious {
      var id: UInt32 = 0
      if case .previous(let known) = mapping { id = known }
      try coder.ue(&id, "prev_vdr_rpu_id")
      mapping = .previous(id: id)
    } else {
      var coded = dataMapping ?? DataMapping(curves: [])
      try coded.code(&coder, header)
      mapping = .coded(coded)
    }
    // While reading, `displayManagement` is still `nil` here, so there is nothing to clear.
    guard hasDisplayManagement else { return }
    var data = displayManagement ?? DisplayManagementData(color: nil)
    try data.code(&coder, header)
    displayManagement = data
  }
}

/// The kind of an enhancement layer, by what it adds to the base layer.
package enum EnhancementLayer: Hashable, Sendable {
  /// A minimal layer (MEL), whose residuals are all 0.
  case minimal
  /// A full layer (FEL) with residuals.
  case full
}

extension ReferenceProcessingUnit {
  /// The profile that the header stands for: 4, 5, 7 or 8, or `nil` for any other header.
  package var profile: UInt8? {
    // libdovi's `get_dovi_profile` and FFmpeg's `ff_dovi_guess_profile_hevc` decide the same way.
    // The header is the same in 8.1, 8.2 and 8.4, which differ in their base layers and mappings.
    // Profile 10 (AV1) looks like 5 or 8, and profile 20 (MV-HEVC) like 5.
    switch header.vdrRPUProfile {
    case 0: header.blVideoFullRangeFlag ? 5 : nil
    case 1 where header.elSpatialResamplingFilterFlag && !header.disableResidualFlag:
      header.vdrBitDepth == 12 ? 7 : 4
    case 1: 8
    default: nil
    }
  }

  /// The kind of enhancement layer that the unit is for. `nil` if there is none, or if the mapping
  /// is in an earlier unit.
  package var enhancementLayer: EnhancementLayer? {
    dataMapping?.nlq.map { $0.isMinimal(fractionBits: header.fractionBits) ? .minimal : .full }
  }
}
