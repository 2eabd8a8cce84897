/// What an enhancement layer adds.
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

  /// What kind of enhancement layer the unit is for; nil for none, and where the mapping is that of
  /// an earlier unit.
  package var enhancementLayer: EnhancementLayer? {
    dataMapping?.nlq.map { $0.isMinimal(header.coefficientFormat) ? .minimal : .full }
  }
}
