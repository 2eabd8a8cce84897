// SPDX-License-Identifier: GPL-2.0-or-later
/// Bounds of a field in the files of a job. Anybody who may write into the folder can have written
/// them: what a field says is believed within its bounds alone, and no sum of such numbers
/// overflows.
struct FieldBounds<File, Number: Comparable & Sendable>: Sendable {
  /// The path of the field; `[]` stands for every element of a list.
  let key: String
  /// The least and the largest that it may be; of texts and lists, of their length.
  let bounds: ClosedRange<Number>
  /// Its values in a file, nil where it is absent.
  private let values: @Sendable (File) -> [Number?]
  /// The verb between the field and its value.
  private let verb: String

  init(
    _ key: String, _ bounds: ClosedRange<Number>, verb: String = "is",
    _ values: @escaping @Sendable (File) -> [Number?]
  ) {
    (self.key, self.bounds, self.verb, self.values) = (key, bounds, verb, values)
  }

  /// Fault of the field in a file: its path, and the fault behind its name; nil for none.
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
  /// The first fault of a file; nil for none.
  func fault<File, Number>(
    in file: File
  ) -> (key: String, problem: String)? where Element == FieldBounds<File, Number> {
    lazy.compactMap { $0.fault(in: file) }.first
  }
}

extension FieldBounds where Number == Int64 {
  /// Bounds of a text's bytes.
  static func text(
    _ key: String, _ bounds: ClosedRange<Int64>, _ texts: @escaping @Sendable (File) -> [String?]
  ) -> FieldBounds {
    length(key, bounds) { texts($0).map { $0?.utf8.count } }
  }

  /// Bounds of the length of a list.
  static func length(
    _ key: String, _ bounds: ClosedRange<Int64>, _ lengths: @escaping @Sendable (File) -> [Int?]
  ) -> FieldBounds {
    FieldBounds(key, bounds, verb: "has a length of") { lengths($0).map { $0.map(Int64.init) } }
  }

  /// Bounds of a count.
  static func count(
    _ key: String, _ bounds: ClosedRange<Int64>, _ counts: @escaping @Sendable (File) -> [Int?]
  ) -> FieldBounds {
    FieldBounds(key, bounds) { counts($0).map { $0.map(Int64.init) } }
  }
}

/// The most that anything in a job is.
enum Most {
  /// Frames of a segment: 155 hours of 60 a second.
  static let frames: Int64 = 1 << 25
  /// Frames of a source, and samples.
  static let sourceFrames: Int64 = 1 << 40
  /// A time, in ticks: two of them can be added.
  static let ticks: Int64 = 1 << 62 - 1
  /// Segments of a job.
  static let segments: Int64 = 100_000
  /// Bytes of a path.
  static let path: Int64 = 4096
  /// Bytes of another text.
  static let text: Int64 = 4096
  /// Bytes of a sample.
  static let sample = 1 << 30
  /// Bytes of what a segment's file says of itself.
  static let facts = 16 << 20
  /// Bytes of a lease.
  static let lease = 1 << 16
}
