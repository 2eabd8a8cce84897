// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 3: offsets that CM v4.0 adds to the minimum, maximum and average of level 1, in 12-bit PQ.
/// A field contains the offset plus 2048, so 2048 changes nothing.
package struct Level3: Hashable, Sendable {
  // The offsets belong to the values of level 1. Once level 1 is measured again, they are wrong.

  /// `min_PQ_offset`, 12 bits.
  package var minPQOffset: UInt16
  /// `max_PQ_offset`, 12 bits.
  package var maxPQOffset: UInt16
  /// `avg_PQ_offset`, 12 bits.
  package var avgPQOffset: UInt16

  /// Makes the level from its fields, which are neutral by default.
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
