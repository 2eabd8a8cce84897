/// Level 9: the primaries of the mastering display.
package struct Level9: Hashable, Sendable {
  /// `source_primary_index`: 0 P3 with D65, 1 BT.709, 2 BT.2020, 3 SMPTE C, 4 BT.470 BG, 5 DCI-P3,
  /// 6 ACES, 7 S-Gamut, 8 S-Gamut3.Cine (libdovi, `primaries.rs`); 255 for ``primaries``.
  package var sourcePrimaryIndex: UInt8
  /// `source_primary_red_x` to `source_primary_white_y`, in a block of 17 bytes; nil in one of 1.
  package var primaries: DisplayPrimaries?

  /// Primaries by their number, or as they are.
  package init(sourcePrimaryIndex: UInt8, primaries: DisplayPrimaries? = nil) {
    self.sourcePrimaryIndex = sourcePrimaryIndex
    self.primaries = primaries
  }
}

extension Level9: LevelSyntax {
  static var level: UInt8 { 9 }
  static var blank: Self { Self(sourcePrimaryIndex: 0) }
  var length: Int { primaries == nil ? 1 : 17 }

  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError) {
    try coder.u(&sourcePrimaryIndex, 8, "source_primary_index")
    try DisplayPrimaries.code(&primaries, &coder, "source_primary", isPresent: length > 1)
  }
}
