// SPDX-License-Identifier: GPL-2.0-or-later
extension DataMapping {
  /// The mapping of profile 8.1, which leaves a PQ base layer as it is.
  package static let profile81 = DataMapping(
    curves: (0..<3).map { _ in
      ReshapingCurve(
        predPivotValue: [0, 1023],
        pieces: [.polynomial([Coefficient(0, 0), Coefficient(1, 0)])])
    })
}

extension ReferenceProcessingUnit {
  /// The unit for frames that were already reshaped to PQ with BT.2020 colors. The extension
  /// blocks, which describe the frame, stay.
  package var profile81: ReferenceProcessingUnit {
    var unit = self
    unit.header = RPUHeader()
    unit.header.coefficientLog2Denom =
      header.coefficientDataType == 0 ? header.coefficientLog2Denom : 23
    unit.mapping = .coded(.profile81)
    if let color = displayManagement?.color {
      unit.displayManagement?.color = color.ofProfile8
    }
    // The padding belonged to a unit of another length.
    (unit.alignmentBits, unit.trailingZeroCount) = (0, 0)
    return unit
  }

  /// Makes the metadata of a black frame. If the base layer is PQ, this is profile 8.1 with the
  /// mastering display and the light levels; otherwise, it is profile 8.4 as phones write it.
  package static func unlit(
    for layer: DataMapping.BaseLayerSignal?, level6: Level6, minPQ: UInt16, maxPQ: UInt16
  ) -> ReferenceProcessingUnit {
    let dark = Level1(minPQ: 0, maxPQ: 0, avgPQ: 0)
    return layer?.namesDisplay == true
      ? .profile81(level1: dark, level6: level6, minPQ: minPQ, maxPQ: maxPQ)
      : .profile84(level1: dark, isSceneRefresh: false, level6: nil, level11: .userGenerated)
  }

  /// Makes the metadata of a frame in profile 8.1, for a PQ base layer: levels 1, 5 and 6, which
  /// all belong to CM v2.9.
  ///
  /// - Parameters:
  ///   - level1: how bright the frame is.
  ///   - level6: the mastering display and the light levels.
  ///   - minPQ: the black level of the mastering display, as a PQ signal of 12 bits.
  ///   - maxPQ: the peak of the mastering display, as a PQ signal of 12 bits.
  package static func profile81(
    level1: Level1, level6: Level6, minPQ: UInt16, maxPQ: UInt16
  ) -> ReferenceProcessingUnit {
    var data = DisplayManagementData(color: ColorMetadata(sourceMinPQ: minPQ, sourceMaxPQ: maxPQ))
    data.level1 = level1
    data.level5 = Level5()
    data.level6 = level6
    return ReferenceProcessingUnit(mapping: .coded(.profile81), displayManagement: data)
  }
}

extension ReferenceProcessingUnit {
  /// The unit for the base layer alone. A unit of profile 7 becomes one of profile 8.1, and a unit
  /// of profile 8 stays as it is. `nil` for other profiles.
  ///
  /// Everything but the enhancement layer stays: the mapping, and the data for displays. So a unit
  /// with a minimal enhancement layer, whose residuals are all 0, is converted without any loss.
  package var forBaseLayerAlone: ReferenceProcessingUnit? {
    guard profile == 7 else { return profile == 8 ? self : nil }
    // A full layer adds its residuals to the mapped base layer, not to the base layer itself. So
    // without residuals, the mapped base layer comes closest to what the author saw, and the
    // mapping must stay. By default, libdovi 3.3 replaces the mapping with an identity mapping.
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
