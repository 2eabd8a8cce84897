internal import CodePoints

/// How many samples something is true of, and what it was the first time.
struct Tally: Sendable {
  private(set) var count = 0
  private var first: (sample: Int, what: String)?

  /// Counts a sample.
  ///
  /// - Parameter sample: its index in the order of decoding.
  mutating func add(_ sample: Int, _ what: @autoclosure () -> String = "") {
    count += 1
    first = first ?? (sample, what())
  }

  /// The count and the first of them; nil where there is none.
  func text(of total: Int) -> String? {
    guard let first else { return nil }
    let place = "\(count) of \(total.counted("sample")), the first number \(first.sample + 1)"
    return first.what.isEmpty ? place : "\(place): \(first.what)"
  }
}
