// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 10: a target display for the trims of level 8. It is used for displays that Dolby has not
/// numbered.
package struct Level10: Hashable, Sendable {
  /// `target_display_index`: the number by which level 8 refers to this display.
  package var targetDisplayIndex: UInt8
  /// `target_max_PQ`, 12 bits: the display's peak.
  package var targetMaxPQ: UInt16
  /// `target_min_PQ`, 12 bits: the display's black level.
  package var targetMinPQ: UInt16
  /// `target_primary_index`, as in ``Level9/sourcePrimaryIndex``.
  package var targetPrimaryIndex: UInt8
  /// `target_primary_red_x` to `target_primary_white_y`; present in blocks of 21 bytes.
  package var primaries: DisplayPrimaries?

  package init(
    targetDisplayIndex: UInt8, targetMaxPQ: UInt16, targetMinPQ: UInt16 = 0,
    targetPrimaryIndex: UInt8, primaries: DisplayPrimaries? = nil
  ) {
    self.targetDisplayIndex = targetDisplayIndex
    self.targetMaxPQ = targetMaxPQ
    self.targetMinPQ = targetMinPQ
    self.targetPrimaryIndex = targetPrimaryIndex
    self.primaries = primaries
  }
}

extension Level10: LevelSyntax {
  static var level: UInt8 { 10 }
  static var blank: Self {
    Self(targetDisplayIndex: 0, targetMaxPQ: 0, targetPrimaryIndex: 0)
  }
  // Nothing but the length of the block says whether primaries follow.
  var length: Int { primaries == nil ? 5 : 21 }

  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError) {
    try coder.u(&targetDisplayIndex, 8, "target_display_index")
    try coder.u(&targetMaxPQ, 12, "target_max_PQ")
    try coder.u(&targetMinPQ, 12, "target_min_PQ")
    try coder.u(&targetPrimaryIndex, 8, "target_primary_index")
    try DisplayPrimaries.code(&primaries, &coder, "target_primary", isPresent: length > 5)
  }
}
