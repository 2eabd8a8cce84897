// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 11: the kind of content.
package struct Level11: Hashable, Sendable {
  /// `content_type`, 8 bits, 0 to 15: 0 unspecified, 1 movies, 2 games, 3 sport, 4 user-generated.
  package var contentType: UInt8
  /// Three reserved bits, normally 0.
  package var reservedBits: UInt8
  package var referenceModeFlag: Bool
  /// `whitepoint`, 4 bits: 0 for D65.
  package var whitepoint: UInt8
  /// The third byte. Some phones write a value other than 0.
  package var reservedByte2: UInt8
  /// The fourth byte, normally 0.
  package var reservedByte3: UInt8

  package init(
    contentType: UInt8, referenceModeFlag: Bool = false, whitepoint: UInt8 = 0,
    reservedBits: UInt8 = 0, reservedByte2: UInt8 = 0, reservedByte3: UInt8 = 0
  ) {
    self.contentType = contentType
    self.reservedBits = reservedBits
    self.referenceModeFlag = referenceModeFlag
    self.whitepoint = whitepoint
    self.reservedByte2 = reservedByte2
    self.reservedByte3 = reservedByte3
  }

  /// A movie in reference mode with D65, which is libdovi's default.
  package static let referenceCinema = Self(contentType: 1, referenceModeFlag: true)
  /// User-generated content, as phones declare it.
  package static let userGenerated = Self(contentType: 4)
}

extension Level11: LevelSyntax {
  static var level: UInt8 { 11 }
  static var blank: Self { Self(contentType: 0) }
  var length: Int { 4 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&contentType, 8, "content_type")
    // This is how libdovi reads the second byte (`blocks/level11.rs`). A check with Dolby's
    // verifier confirmed it. FFmpeg follows a patent instead: white point in the high half, flag in
    // bit 3.
    try coder.u(&reservedBits, 3, "reserved")
    try coder.flag(&referenceModeFlag, "reference_mode_flag")
    try coder.u(&whitepoint, 4, "whitepoint")
    try coder.u(&reservedByte2, 8, "reserved_byte2")
    try coder.u(&reservedByte3, 8, "reserved_byte3")
  }
}
