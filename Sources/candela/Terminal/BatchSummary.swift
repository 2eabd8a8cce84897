// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Result of a batch.
struct BatchSummary: Encodable {
  /// A file that no output was made of.
  struct Failure: Encodable {
    let input: String
    let status: Int32
  }

  /// Number of all files.
  let files: Int
  /// Number of outputs that were made.
  let made: Int
  /// Number of files whose outputs were there, by the same settings.
  let skipped: Int
  /// Number of files whose outputs were there, and nothing tells what made them.
  let unknown: Int
  /// Number of files that an interruption left.
  let left: Int
  /// Files without an output, with the statuses that single commands would have ended with.
  let failed: [Failure]

  /// The result for people.
  var text: String {
    var parts = ["\(files.counted("file")): \(made) done"]
    if skipped > 0 { parts.append("\(skipped) done before") }
    if unknown > 0 { parts.append("\(unknown) there before, made by something else") }
    if left > 0 { parts.append("\(left) left") }
    if !failed.isEmpty {
      let names = failed.map { "\($0.input) (\($0.status))" }.joined(separator: ", ")
      parts.append("\(failed.count) failed: \(names)")
    }
    return parts.joined(separator: ", ")
  }
}
