// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// What happened to the files of a batch.
struct BatchSummary: JSONObject {
  /// A file, with the status that a command for it alone would have ended with.
  struct File: Hashable, JSONObject {
    /// The path of the file to read, or of a folder that cannot be read.
    let input: String
    let status: Int32

    static let fields: [JSONField<File>] = [
      .init("input", "The path of the file to read, or of a folder that cannot be read.") {
        $0.input
      },
      .init("status", "The exit status that a command for this file alone would have.") {
        $0.status
      },
    ]
  }

  let files: Int
  let made: Int
  let skipped: Int
  let byAnotherRun: Int
  let unknown: [String]
  let changed: [String]
  let interrupted: [String]
  let left: Int
  let withLosses: [File]
  let skippedWithLosses: [File]
  let leftOut: Int
  let failed: [File]
  let failedBefore: [File]

  static let meaning = "What happened to the files of a batch."
  static let fields: [JSONField<BatchSummary>] = counts + lists

  private static let counts: [JSONField<BatchSummary>] = [
    .init("files", "The number of all files, and of folders that cannot be read.", .count) {
      $0.files
    },
    .init("made", "How many outputs were made.", .count) { $0.made },
    .init("skipped", "How many files had outputs already, made with the same settings.", .count) {
      $0.skipped
    },
    .init("byAnotherRun", "How many outputs another run is making or has made.", .count) {
      $0.byAnotherRun
    },
    .init("unknown", "How many outputs existed without a record of what made them.", .count) {
      $0.unknown.count
    },
    .init("leftOut", "How many files --only left out.", .count) { $0.leftOut },
    .init("left", "How many files an interruption left untouched.", .count) { $0.left },
  ]

  private static let lists: [JSONField<BatchSummary>] = [
    .init("changed", "Outputs that were made before, and have been changed since then.") {
      $0.changed
    },
    .init("unknownOutputs", "Outputs that existed without a record of what made them.") {
      $0.unknown
    },
    .init("interrupted", "Files whose work was interrupted.") { $0.interrupted },
    .init(
      "withLosses",
      "Files whose work is done, but with a status other than 0. Status 1: the check or the "
        + "comparison found failures; 2: damaged frames were concealed."
    ) { $0.withLosses },
    .init(
      "skippedWithLosses",
      "Skipped files whose existing output is not flawless, with statuses as in withLosses."
    ) {
      $0.skippedWithLosses
    },
    .init("failed", "Files for which no output was made.") { $0.failed },
    .init(
      "failedBefore",
      "Files that an earlier run failed on, with the status from that run. They have not changed "
        + "since then and were not tried again."
    ) { $0.failedBefore },
  ]

  /// Whether the run was complete, had no failures and no losses, and found no outputs that may
  /// differ from what it would make. Failures of earlier runs do not count.
  var isFlawless: Bool {
    [withLosses, skippedWithLosses, failed].allSatisfy(\.isEmpty)
      && [interrupted, changed, unknown].allSatisfy(\.isEmpty) && left == 0
  }

  /// The summary as text.
  var text: String {
    var parts = ["\(files.counted("file")): \(made) done"]
    func addLosses(_ files: [File]) {
      guard !files.isEmpty else { return }
      // Status 1 means a loss if `compare` ends with it, and a failure if `validate` does.
      let kind = files.allSatisfy { $0.status == 1 } ? "failures or losses" : "losses"
      parts.append("\(files.count) of them with \(kind): \(files.text)")
    }
    addLosses(withLosses)
    if skipped > 0 { parts.append("\(skipped) done before") }
    if byAnotherRun > 0 { parts.append("\(byAnotherRun) by another run") }
    addLosses(skippedWithLosses)
    if leftOut > 0 { parts.append("\(leftOut) left out by --only") }
    if !unknown.isEmpty {
      // Another program may have filled the whole folder.
      let names = unknown.prefix(3).joined(separator: ", ") + (unknown.count > 3 ? ", …" : "")
      parts.append(
        "\(unknown.count) whose output has no record (--existing replace remakes "
          + "\(unknown.count == 1 ? "it" : "them")): \(names)")
    }
    if !interrupted.isEmpty {
      parts.append("\(interrupted.count) interrupted: \(interrupted.joined(separator: ", "))")
    }
    if left > 0 { parts.append("\(left) not begun") }
    if !changed.isEmpty {
      parts.append(
        "\(changed.count) whose output was changed after it was made (--existing replace remakes "
          + "\(changed.count == 1 ? "it" : "them")): \(changed.joined(separator: ", "))")
    }
    if !failed.isEmpty { parts.append("\(failed.count) failed: \(failed.text)") }
    if !failedBefore.isEmpty {
      parts.append("\(failedBefore.count) failed before: \(failedBefore.text)")
    }
    return parts.joined(separator: ", ")
  }
}

extension [BatchSummary.File] {
  /// The files with their statuses, as text.
  fileprivate var text: String {
    map { "\($0.input) (\($0.status))" }.joined(separator: ", ")
  }
}
