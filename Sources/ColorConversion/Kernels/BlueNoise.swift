/// A fixed pattern of thresholds without low frequencies, which the eye sees least: the same on
/// every machine, and at every place whatever is computed where.
enum BlueNoise {
  /// The side of the pattern.
  static let side = 64

  /// For each row of the pattern, twice in a row so that it can be read from any column: what is
  /// added to code values before they are rounded to nearest. Evenly spaced between −0.5 and 0.5,
  /// and neither of them, so that whole code values stay.
  static let thresholds: [Float] = {
    let digits = ranks.utf8.filter { $0 != 10 }.map { Int($0) - ($0 > 57 ? 87 : 48) }
    return (0..<side).flatMap { row in
      (0..<2 * side).map { column in
        let place = 3 * (row * side + column % side)
        let rank = digits[place] << 8 | digits[place + 1] << 4 | digits[place + 2]
        return (Float(rank) + 0.5) / Float(side * side) - 0.5
      }
    }
  }()

  /// The place in ``thresholds`` where a row of a component begins. The chroma components have the
  /// pattern elsewhere, so that their noise is not that of luma.
  static func start(ofLine line: Int, component: Int) -> Int {
    let (row, column) = [(0, 0), (21, 43), (43, 21)][component]
    return ((line + row) % side) * 2 * side + column
  }
}
