// SPDX-License-Identifier: GPL-2.0-or-later
/// The bounds of a field in the files of a job. Anybody with access to the folder may have written
/// these files, so a field is trusted only within its bounds. The bounds are narrow enough that
/// sums of values cannot overflow.
struct FieldBounds<File, Number: Comparable & Sendable>: Sendable {
  /// The path of the field. `[]` stands for every element of a list.
  let key: String
  /// The smallest and the largest value; for a text or a list, the bounds of its length.
  let bounds: ClosedRange<Number>
  /// Returns the field's values in a file. A value is `nil` if its element lacks the field.
  private let values: @Sendable (File) -> [Number?]
  /// The verb between the field and its value in a message.
  private let verb: String

  init(
    _ key: String, _ bounds: ClosedRange<Number>, verb: String = "is",
    _ values: @escaping @Sendable (File) -> [Number?]
  ) {
    (self.key, self.bounds, self.verb, self.values) = (key, bounds, verb, values)
  }

  /// Returns the field's path and what is wrong with it in a file; `nil` if nothing is wrong.
  func fault(in file: File) -> (key: String, problem: String)? {
    for (index, value) in values(file).enumerated() {
      guard let value, !bounds.contains(value) else { continue }
      let list = key.firstRange(of: "[]")
      let place = list.map { "\(key[..<$0.lowerBound])[\(index)]\(key[$0.upperBound...])" }
      return (
        place ?? key, "\(verb) \(value), not \(bounds.lowerBound) to \(bounds.upperBound)"
      )
    }
    return nil
  }
}

extension Array {
  /// Returns the first fault in a file; `nil` if there is none.
  func fault<File, Number>(
    in file: File
  ) -> (key: String, problem: String)? where Element == FieldBounds<File, Number> {
    // A list in a damaged file may be long, so stop at the first fault.
    lazy.compactMap { $0.fault(in: file) }.first
  }
}

extension FieldBounds where Number == Int64 {
  /// Returns bounds for a text's length in bytes.
  static func text(
    _ key: String, _ bounds: ClosedRange<Int64>, _ texts: @escaping @Sendable (File) -> [String?]
  ) -> FieldBounds {
    length(key, bounds) { texts($0).map { $0?.utf8.count } }
  }

  static func length(
    _ key: String, _ bounds: ClosedRange<Int64>, _ lengths: @escaping @Sendable (File) -> [Int?]
  ) -> FieldBounds {
    FieldBounds(key, bounds, verb: "has a length of") { lengths($0).map { $0.map(Int64.init) } }
  }

  static func count(
    _ key: String, _ bounds: ClosedRange<Int64>, _ counts: @escaping @Sendable (File) -> [Int?]
  ) -> FieldBounds {
    FieldBounds(key, bounds) { counts($0).map { $0.map(Int64.init) } }
  }
}
