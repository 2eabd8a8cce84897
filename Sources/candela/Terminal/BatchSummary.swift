// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// What became of the files of a batch.
struct BatchSummary: Encodable {
  /// A file, with the status that a command for it alone would have ended with.
  struct File: Hashable, Encodable {
    /// The path of the file to read, or of a folder that cannot be read.
    let input: String
    let status: Int32
  }

  /// The number of all files, and of folders that cannot be read.
  let files: Int
  /// How many outputs were made.
  let made: Int
  /// How many files had their outputs already, by the same settings.
  let skipped: Int
  /// How many outputs another run makes, or has made meanwhile.
  let byAnotherRun: Int
  /// How many outputs existed without a record of what made them.
  let unknown: Int
  /// Outputs that were made before, and that something else has changed since.
  let changed: [String]
  let interrupted: [String]
  /// How many files an interruption left untouched.
  let left: Int
  /// Files whose output is not all that it should be. 1: the comparison found losses; 2: damaged
  /// frames were concealed.
  let withLosses: [File]
  /// The same for files that had their outputs already.
  let skippedWithLosses: [File]
  let failed: [File]

  /// Whether every output exists and is what it should be.
  var isFlawless: Bool {
    [withLosses, skippedWithLosses, failed].allSatisfy(\.isEmpty)
      && [interrupted, changed].allSatisfy(\.isEmpty) && left == 0
  }

  /// The summary as text.
  var text: String {
    var parts = ["\(files.counted("file")): \(made) done"]
    func addLosses(_ files: [File]) {
      if !files.isEmpty { parts.append("\(files.count) of them with losses: \(files.text)") }
    }
    addLosses(withLosses)
    if skipped > 0 { parts.append("\(skipped) done before") }
    if byAnotherRun > 0 { parts.append("\(byAnotherRun) by another run") }
    addLosses(skippedWithLosses)
    if unknown > 0 { parts.append("\(unknown) already there, made by something else") }
    if !interrupted.isEmpty {
      parts.append("\(interrupted.count) interrupted: \(interrupted.joined(separator: ", "))")
    }
    if left > 0 { parts.append("\(left) left") }
    if !changed.isEmpty {
      parts.append(
        "\(changed.count) changed by something else: \(changed.joined(separator: ", ")); "
          + "--existing replace remakes \(changed.count == 1 ? "it" : "them")")
    }
    if !failed.isEmpty { parts.append("\(failed.count) failed: \(failed.text)") }
    return parts.joined(separator: ", ")
  }
}

extension [BatchSummary.File] {
  /// The files with their statuses, as text.
  fileprivate var text: String {
    map { "\($0.input) (\($0.status))" }.joined(separator: ", ")
  }
}
