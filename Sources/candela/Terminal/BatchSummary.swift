// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Result of a batch.
struct BatchSummary: Encodable {
  /// A file with the status that a single command would have ended with.
  struct File: Hashable, Encodable {
    /// The path of the file to read, or of a folder that cannot be read.
    let input: String
    let status: Int32
  }

  /// Number of all files, and of folders that cannot be read.
  let files: Int
  /// Number of outputs that were made.
  let made: Int
  /// Number of files whose outputs were there, by the same settings.
  let skipped: Int
  /// Number of files whose outputs another run makes, or has made meanwhile.
  let byAnotherRun: Int
  /// Number of files whose outputs were there, and nothing tells what made them.
  let unknown: Int
  /// Outputs that were made before, and that something else changed since.
  let changed: [String]
  /// Files whose work was interrupted.
  let interrupted: [String]
  /// Number of files that an interruption left.
  let left: Int
  /// Files with an output that is not all that it was to be: 1, the comparison found losses; 2,
  /// damaged frames were concealed.
  let withLosses: [File]
  /// The same of those whose outputs were there.
  let skippedWithLosses: [File]
  /// Files without an output.
  let failed: [File]

  /// True if every output is there, and what it was to be.
  var isFlawless: Bool {
    [withLosses, skippedWithLosses, failed].allSatisfy(\.isEmpty)
      && [interrupted, changed].allSatisfy(\.isEmpty) && left == 0
  }

  /// The result for people.
  var text: String {
    var parts = ["\(files.counted("file")): \(made) done"]
    func addLosses(_ files: [File]) {
      if !files.isEmpty { parts.append("\(files.count) of them with losses: \(files.text)") }
    }
    addLosses(withLosses)
    if skipped > 0 { parts.append("\(skipped) done before") }
    if byAnotherRun > 0 { parts.append("\(byAnotherRun) by another run") }
    addLosses(skippedWithLosses)
    if unknown > 0 { parts.append("\(unknown) there before, made by something else") }
    if !interrupted.isEmpty {
      parts.append("\(interrupted.count) interrupted: \(interrupted.joined(separator: ", "))")
    }
    if left > 0 { parts.append("\(left) left") }
    if !changed.isEmpty {
      parts.append(
        "\(changed.count) changed by something else: \(changed.joined(separator: ", ")); "
          + "--existing replace makes \(changed.count == 1 ? "it" : "them") again")
    }
    if !failed.isEmpty { parts.append("\(failed.count) failed: \(failed.text)") }
    return parts.joined(separator: ", ")
  }
}

extension [BatchSummary.File] {
  /// The files for people.
  fileprivate var text: String {
    map { "\($0.input) (\($0.status))" }.joined(separator: ", ")
  }
}
