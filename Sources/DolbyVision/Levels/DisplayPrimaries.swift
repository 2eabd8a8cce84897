/// Chromaticities in levels 9 and 10: numbers of 16 bits with sign in units of 1/32767.
///
/// FFmpeg reads them with sign; libdovi without, but some gamuts have negative coordinates.
package struct DisplayPrimaries: Hashable, Sendable {
  /// x and y of red, green, blue and white, in this order.
  package var coordinates: [Int16]

  /// Chromaticities as they are coded; 8 numbers.
  package init(coordinates: [Int16]) { self.coordinates = coordinates }

  /// x and y of red, green, blue and white.
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
