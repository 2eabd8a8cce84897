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

/// The largest numbers that may occur in a job.
enum JobLimits {
  /// The frames of a segment. This is enough for 155 hours at 60 frames a second.
  static let frames: Int64 = 1 << 25
  /// The frames or samples of a source.
  static let sourceFrames: Int64 = 1 << 40
  /// A time in ticks. The sum of two such times does not overflow.
  static let ticks: Int64 = 1 << 62 - 1
  static let segments: Int64 = 100_000
  static let path: Int64 = 4096
  /// Bytes of any text that is not a path.
  static let text: Int64 = 4096
  static let sample = 1 << 30
  /// Bytes of the ``SegmentFacts`` in a segment's file.
  static let facts = 16 << 20
  static let lease = 1 << 16
}
