// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 9: the primaries of the mastering display.
package struct Level9: Hashable, Sendable {
  /// `source_primary_index`: 255 if the primaries are in ``primaries``; otherwise 0 for P3 with
  /// D65, 1 for BT.709, 2 for BT.2020, 3 for SMPTE C, 4 for BT.470 BG, 5 for DCI-P3, 6 for ACES, 7
  /// for S-Gamut and 8 for S-Gamut3.Cine (libdovi, `primaries.rs`).
  package var sourcePrimaryIndex: UInt8
  /// `source_primary_red_x` to `source_primary_white_y`; present in blocks of 17 bytes.
  package var primaries: DisplayPrimaries?

  package init(sourcePrimaryIndex: UInt8, primaries: DisplayPrimaries? = nil) {
    self.sourcePrimaryIndex = sourcePrimaryIndex
    self.primaries = primaries
  }
}

extension Level9: LevelSyntax {
  static var level: UInt8 { 9 }
  static var blank: Self { Self(sourcePrimaryIndex: 0) }
  // Nothing but the length of the block says whether primaries follow.
  var length: Int { primaries == nil ? 1 : 17 }

  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError) {
    try coder.u(&sourcePrimaryIndex, 8, "source_primary_index")
    try DisplayPrimaries.code(&primaries, &coder, "source_primary", isPresent: length > 1)
  }
}

/// Chromaticities in levels 9 and 10: signed 16-bit numbers in units of 1/32767.
package struct DisplayPrimaries: Hashable, Sendable {
  // libdovi reads unsigned coordinates, FFmpeg signed ones. They are signed here, because some
  // gamuts, such as ACES (AP0), have negative coordinates.
  /// x and y of red, green, blue and white, in this order.
  package var coordinates: [Int16]

  /// Makes the chromaticities from 8 coded numbers.
  package init(coordinates: [Int16]) { self.coordinates = coordinates }

  /// The coordinates as decimal numbers, in the same order.
  package var chromaticities: [Double] { coordinates.map { Double($0) / 32767 } }
}

extension DisplayPrimaries {
  static func code(
    _ primaries: inout Self?, _ coder: inout some SyntaxCoder, _ element: String, isPresent: Bool
  ) throws(DolbyVisionError) {
    var coordinates = primaries?.coordinates ?? []
    try coder.list(&coordinates, of: isPresent ? 8 : 0, bits: 16, element)
    primaries = isPresent ? Self(coordinates: coordinates) : nil
  }
}
