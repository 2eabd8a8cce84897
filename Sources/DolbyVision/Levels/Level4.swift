// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 4: a brightness that is smoothed over time.
package struct Level4: Hashable, Sendable {
  // Phones write the smoothed average of level 1 here. So when level 1 is measured again, level 4
  // is outdated.

  /// `anchor_PQ`, 12 bits.
  package var anchorPQ: UInt16
  /// `anchor_power`, 12 bits.
  package var anchorPower: UInt16

  package init(anchorPQ: UInt16, anchorPower: UInt16) {
    self.anchorPQ = anchorPQ
    self.anchorPower = anchorPower
  }
}

extension Level4: LevelSyntax {
  static var level: UInt8 { 4 }
  static var blank: Self { Self(anchorPQ: 0, anchorPower: 0) }
  var length: Int { 3 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&anchorPQ, 12, "anchor_PQ")
    try coder.u(&anchorPower, 12, "anchor_power")
  }
}
