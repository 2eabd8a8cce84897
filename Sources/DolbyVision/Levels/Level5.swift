// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 5: the active area, as the distance in pixels from each side of the frame.
package struct Level5: Hashable, Sendable {
  /// `active_area_left_offset`, 13 bits.
  package var activeAreaLeftOffset: UInt16
  /// `active_area_right_offset`, 13 bits.
  package var activeAreaRightOffset: UInt16
  /// `active_area_top_offset`, 13 bits.
  package var activeAreaTopOffset: UInt16
  /// `active_area_bottom_offset`, 13 bits.
  package var activeAreaBottomOffset: UInt16

  /// Makes an active area. Without offsets it is the whole frame.
  package init(left: UInt16 = 0, right: UInt16 = 0, top: UInt16 = 0, bottom: UInt16 = 0) {
    activeAreaLeftOffset = left
    activeAreaRightOffset = right
    activeAreaTopOffset = top
    activeAreaBottomOffset = bottom
  }

  /// Whether the active area is the whole frame.
  package var isWholePicture: Bool { self == Self() }
}

extension Level5: LevelSyntax {
  static var level: UInt8 { 5 }
  static var blank: Self { Self() }
  // Four numbers of 13 bits are 52 bits, rounded up to whole bytes.
  var length: Int { 7 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&activeAreaLeftOffset, 13, "active_area_left_offset")
    try coder.u(&activeAreaRightOffset, 13, "active_area_right_offset")
    try coder.u(&activeAreaTopOffset, 13, "active_area_top_offset")
    try coder.u(&activeAreaBottomOffset, 13, "active_area_bottom_offset")
  }
}
