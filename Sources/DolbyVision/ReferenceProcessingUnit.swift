// SPDX-License-Identifier: GPL-2.0-or-later
/// A reference processing unit (RPU): the Dolby Vision metadata of one frame
/// (ETSI GS CCM 001 V1.1.1; what that leaves out as libdovi 3.4 and FFmpeg 8 read it).
///
/// It holds the values of the wire, valid or not: reading and writing it again gives the same
/// bytes. ``issues`` names those that are not valid.
package struct ReferenceProcessingUnit: Hashable, Sendable {
  /// The header.
  package var header: RPUHeader
  /// Mapping of the base layer.
  package var mapping: MappingSource
  /// Data for displays; nil where `vdr_dm_metadata_present_flag` is 0.
  package var displayManagement: DisplayManagementData?
  /// `rpu_alignment_zero_bit`: the bits up to the next byte behind the last element; 0 but in odd
  /// streams.
  package var alignmentBits: UInt8
  /// Bytes between the last element and the check sum; some writers leave some there.
  package var dataBeforeCheckSum: [UInt8]
  /// Bytes 0 behind the last byte 0x80, as a byte stream may have them behind a NAL unit (H.265,
  /// B.2): some software keeps them. They do not belong into a sample of a movie.
  package var trailingZeroCount: Int

  /// Source of a mapping.
  package enum MappingSource: Hashable, Sendable {
    /// It is in the unit.
    case coded(DataMapping)
    /// It is that of an earlier unit: `use_prev_vdr_rpu_flag` and `prev_vdr_rpu_id`.
    case previous(id: UInt32)
  }

  /// A unit from its parts.
  package init(
    header: RPUHeader = RPUHeader(), mapping: MappingSource,
    displayManagement: DisplayManagementData?, alignmentBits: UInt8 = 0,
    dataBeforeCheckSum: [UInt8] = [], trailingZeroCount: Int = 0
  ) {
    self.header = header
    self.mapping = mapping
    self.displayManagement = displayManagement
    self.alignmentBits = alignmentBits
    self.dataBeforeCheckSum = dataBeforeCheckSum
    self.trailingZeroCount = trailingZeroCount
  }

  /// The mapping, if it is in the unit.
  package var dataMapping: DataMapping? {
    if case .coded(let mapping) = mapping { mapping } else { nil }
  }
}

extension ReferenceProcessingUnit {
  /// The elements between the prefix and the alignment: `rpu_data`.
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
    guard hasDisplayManagement else { return }
    var data = displayManagement ?? DisplayManagementData(color: nil)
    try data.code(&coder, header)
    displayManagement = data
  }
}

/// Kind of an enhancement layer, by what it adds.
package enum EnhancementLayer: Hashable, Sendable {
  /// MEL: nothing; its residuals are 0.
  case minimal
  /// FEL: residuals.
  case full
}

extension ReferenceProcessingUnit {
  /// The profile that the header is of (libdovi, `get_dovi_profile`; FFmpeg,
  /// `ff_dovi_guess_profile_hevc`): 4, 5, 7 or 8; nil for others.
  ///
  /// The header does not tell 8.1, 8.2 and 8.4 from each other: the base layer's transfer function
  /// does. Profile 10 (AV1) looks like 5 or 8, and profile 20 (MV-HEVC) like 5.
  package var profile: UInt8? {
    switch header.vdrRPUProfile {
    case 0: header.blVideoFullRangeFlag ? 5 : nil
    case 1 where header.elSpatialResamplingFilterFlag && !header.disableResidualFlag:
      header.vdrBitDepth == 12 ? 7 : 4
    case 1: 8
    default: nil
    }
  }

  /// Kind of enhancement layer that the unit is for; nil for none, and where the mapping is that of
  /// an earlier unit.
  package var enhancementLayer: EnhancementLayer? {
    dataMapping?.nlq.map { $0.isMinimal(header.coefficientFormat) ? .minimal : .full }
  }
}
