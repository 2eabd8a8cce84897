// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 3: offsets that CM v4.0 adds to the minimum, maximum and average of level 1, in code
/// values of PQ with 12 bits. A field holds the offset plus 2048: 0 is -2048, 2048 changes nothing,
/// 4095 is +2047.
package struct Level3: Hashable, Sendable {
  /// `min_PQ_offset`, 12 bits.
  package var minPQOffset: UInt16
  /// `max_PQ_offset`, 12 bits.
  package var maxPQOffset: UInt16
  /// `avg_PQ_offset`, 12 bits.
  package var avgPQOffset: UInt16

  /// Offsets; 2048 changes nothing.
  package init(minPQOffset: UInt16 = 2048, maxPQOffset: UInt16 = 2048, avgPQOffset: UInt16 = 2048) {
    self.minPQOffset = minPQOffset
    self.maxPQOffset = maxPQOffset
    self.avgPQOffset = avgPQOffset
  }
}

extension Level3: LevelSyntax {
  static var level: UInt8 { 3 }
  static var blank: Self { Self() }
  var length: Int { 5 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&minPQOffset, 12, "min_PQ_offset")
    try coder.u(&maxPQOffset, 12, "max_PQ_offset")
    try coder.u(&avgPQOffset, 12, "avg_PQ_offset")
  }
}
