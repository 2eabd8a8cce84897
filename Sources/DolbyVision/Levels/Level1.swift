// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 1: how bright the frame is within the active area, as 12-bit PQ (SMPTE ST 2084), 0 to
/// 4095.
package struct Level1: Hashable, Sendable {
  /// `min_PQ`, 12 bits.
  package var minPQ: UInt16
  /// `max_PQ`, 12 bits.
  package var maxPQ: UInt16
  /// `avg_PQ`, 12 bits.
  package var avgPQ: UInt16

  /// Makes the level from its fields, unchanged.
  package init(minPQ: UInt16, maxPQ: UInt16, avgPQ: UInt16) {
    self.minPQ = minPQ
    self.maxPQ = maxPQ
    self.avgPQ = avgPQ
  }

  /// Makes the level from measured brightness, within the limits that libdovi sets.
  ///
  /// - Parameter minimumAverage: ``ContentMappingVersion/minimumAveragePQ``, or 0 to keep the
  ///   average as it was measured.
  package init(measuredMinPQ: UInt16, maxPQ: UInt16, avgPQ: UInt16, minimumAverage: UInt16) {
    // The values that libdovi generates stay within these limits (`blocks/level1.rs`): black up to
    // 0.00026 cd/m² (12), a peak from 100 to 10 000 cd/m² (2081 to 4095), an average below the
    // peak.
    minPQ = min(measuredMinPQ, 12)
    self.maxPQ = min(max(maxPQ, 2081), 4095)
    self.avgPQ = min(max(avgPQ, minimumAverage), self.maxPQ - 1)
  }
}

extension ContentMappingVersion {
  /// The smallest average that libdovi generates: 2.4 cd/m² in CM v2.9, 10 cd/m² in CM v4.0.
  package var minimumAveragePQ: UInt16 {
    // Dolby's own tools write smaller averages, so this is a convention and not a rule.
    switch self {
    case .v29: 819
    case .v40: 1229
    }
  }
}

extension Level1: LevelSyntax {
  static var level: UInt8 { 1 }
  static var blank: Self { Self(minPQ: 0, maxPQ: 0, avgPQ: 0) }
  // Three numbers of 12 bits are 36 bits, rounded up to whole bytes.
  var length: Int { 5 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&minPQ, 12, "min_PQ")
    try coder.u(&maxPQ, 12, "max_PQ")
    try coder.u(&avgPQ, 12, "avg_PQ")
  }
}
