// SPDX-License-Identifier: GPL-2.0-or-later
extension ReferenceProcessingUnit {
  /// The unit for the base layer alone, in profile 8.1; `nil` if the unit is of neither profile 7
  /// nor profile 8.
  ///
  /// Everything but the enhancement layer stays: the mapping, and the data for displays. So a
  /// minimal enhancement layer, whose residuals are all 0, is converted without any loss.
  package var forBaseLayerAlone: ReferenceProcessingUnit? {
    guard profile == 7 else { return profile == 8 ? self : nil }
    // A full layer adds its residuals to the mapped base layer, not to the base layer itself. So
    // without residuals, the mapped base layer is the nearest that is left to the author's picture,
    // and the mapping must stay. libdovi 3.3 replaces it by an identity unless it is asked not to.
    var unit = self
    unit.header.elSpatialResamplingFilterFlag = false
    unit.header.disableResidualFlag = true
    if case .coded(var mapping) = mapping {
      mapping.nlq = nil
      unit.mapping = .coded(mapping)
    }
    // The padding belonged to a unit of another length.
    (unit.alignmentBits, unit.trailingZeroCount) = (0, 0)
    return unit
  }
}
