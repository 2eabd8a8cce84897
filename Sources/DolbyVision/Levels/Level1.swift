// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 1: how bright the frame is, within the active area.
///
/// The numbers are PQ (SMPTE ST 2084) in 12 bits: 0 to 4095.
package struct Level1: Hashable, Sendable {
  /// `min_PQ`.
  package var minPQ: UInt16
  /// `max_PQ`.
  package var maxPQ: UInt16
  /// `avg_PQ`.
  package var avgPQ: UInt16

  /// Brightness as it is stated.
  package init(minPQ: UInt16, maxPQ: UInt16, avgPQ: UInt16) {
    self.minPQ = minPQ
    self.maxPQ = maxPQ
    self.avgPQ = avgPQ
  }

  /// Measured brightness, brought within the bounds that libdovi keeps when it generates
  /// (`blocks/level1.rs`): a minimum of 0 to 12 (0 to 0.01 cd/m²), a maximum of 2081 to 4095
  /// (100 to 10 000 cd/m²), an average of at least `minimumAverage` and below the maximum.
  ///
  /// - Parameter minimumAverage: ``ContentMappingVersion/minimumAveragePQ``, or 0 for an average
  ///   as it was measured.
  package init(measuredMinPQ: UInt16, maxPQ: UInt16, avgPQ: UInt16, minimumAverage: UInt16) {
    minPQ = min(measuredMinPQ, 12)
    self.maxPQ = min(max(maxPQ, 2081), 4095)
    self.avgPQ = min(max(avgPQ, minimumAverage), self.maxPQ - 1)
  }
}

extension ContentMappingVersion {
  /// The least average that libdovi generates: 819 (2.4 cd/m²) in CM v2.9 and 1229 (10 cd/m²) in
  /// CM v4.0. Dolby's own tools write smaller ones.
  package var minimumAveragePQ: UInt16 {
    switch self {
    case .v29: 819
    case .v40: 1229
    }
  }
}

extension Level1: LevelSyntax {
  static var level: UInt8 { 1 }
  static var blank: Self { Self(minPQ: 0, maxPQ: 0, avgPQ: 0) }
  var length: Int { 5 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&minPQ, 12, "min_PQ")
    try coder.u(&maxPQ, 12, "max_PQ")
    try coder.u(&avgPQ, 12, "avg_PQ")
  }
}
