/// A fixed pattern of thresholds (B. E. Bayer, 1973), the same on every machine.
enum OrderedDither {
  /// The side of the pattern.
  static let size = 8
  /// The mask that brings a position into the pattern.
  static let mask = size - 1

  /// What is added to the code values of a row before their fractions are cut off: evenly spaced
  /// between 0 and 1, and neither of them, so that whole code values stay.
  static func row(_ line: Int) -> [Float] { rows[line & mask] }

  private static let rows: [[Float]] = (0..<size).map { y in
    (0..<size).map { x in (Float(rank(x, y)) + 0.5) / Float(size * size) }
  }

  /// The place of a cell in the order in which cells light up: the bits of x ⊕ y and y, interleaved
  /// from the lowest.
  private static func rank(_ x: Int, _ y: Int) -> Int {
    (0..<3).reduce(0) { rank, bit in
      rank << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
    }
  }
}
