// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// What a batch would do.
struct BatchPlanReport: JSONObject {
  /// What would be done with a file.
  enum Work: String, CaseIterable, Sendable {
    case encode, copy, done, failedBefore, leftOut, unknown, changed, refused
  }

  /// A file of the batch.
  struct File: JSONObject {
    let input: String
    var output: String?
    var work: Work
    /// The reason for ``work``, as the end of a sentence.
    var reason: String?
    var status: Int32?
    var seconds: Double?
    var notices: [Notice] = []
    /// How many pixels would be encoded, in all frames.
    var pixels = 0.0
    /// How many pixels an encoded frame has.
    var framePixels = 0.0

    static let fields: [JSONField<File>] = [
      .init("input", "The path of the file to read.") { $0.input },
      .init("output", "The path of the file to write; absent if the source cannot be read.") {
        $0.output
      },
      .init(
        "work",
        "What would be done: encode, copy (the video), done (nothing: it was done before), "
          + "failedBefore, leftOut (by --only), unknown (no record says what made the output), "
          + "changed (the output was changed after it was made), or refused."
      ) { $0.work.rawValue },
      .init("reason", "Why, in words; absent if there is nothing to say.") { $0.reason },
      .init(
        "status", "The exit status for a file that was done before, failed before or is refused."
      ) { $0.status },
      .init("duration", "The duration of the presentation, in seconds.") { $0.seconds },
      .init("notices", "Losses and assumptions.") { $0.notices },
    ]
  }

  /// A notice, and how many files it is about.
  struct Group: JSONObject {
    let notice: Notice
    let count: Int

    static let fields: [JSONField<Group>] = [
      .init("code", "The kind of the notice.") { $0.notice.code.rawValue },
      .init("text", "The text of the notice.") { $0.notice.text },
      .init("count", "How many files the notice is about.", .count) { $0.count },
    ]
  }

  let files: [File]
  /// How many seconds the run takes, and how many bytes all outputs have together, estimated from
  /// earlier runs or from samples; `nil` if too little could be measured.
  let estimate: (seconds: Double, size: UInt64)?
  /// The size of the files that would be read, in bytes.
  let size: UInt64

  static let meaning = "What a batch would do."
  static let fields: [JSONField<BatchPlanReport>] = [
    .init("files", "The files, in the order of the run.") { $0.files },
    .init("encodeCount", "How many files would be encoded.", .count) { $0.count(.encode) },
    .init("copyCount", "How many files would have their video copied.", .count) { $0.count(.copy) },
    .init("doneCount", "How many outputs were made before.", .count) { $0.count(.done) },
    .init("refusedCount", "How many files would fail.", .count) { $0.count(.refused) },
    .init("duration", "The length of the video to encode or copy, in seconds.") { $0.seconds },
    .init(
      "estimatedTime", "How long the run would take on this machine, in seconds; absent if unknown."
    ) { $0.estimate?.seconds },
    .init("estimatedSize", "The size of the outputs, in bytes; absent if unknown.") {
      $0.estimate?.size
    },
    .init("size", "The size of the files whose video would be encoded or copied, in bytes.") {
      $0.size
    },
    .init("notices", "Losses and assumptions, each text once.") { $0.groups },
  ]

  func count(_ work: Work) -> Int { files.count { $0.work == work } }

  /// The status that the run would end with, as far as it is known before the work.
  var status: ExitStatus {
    // Files that failed before do not count in a run either.
    ExitStatus(ofFiles: files.filter { $0.work != .failedBefore }.compactMap(\.status))
  }

  /// The length of the video to encode or copy, in seconds.
  var seconds: Double {
    files.reduce(0) { $0 + ([.encode, .copy].contains($1.work) ? $1.seconds ?? 0 : 0) }
  }

  /// The notices, each text once, in the order in which they come up.
  var groups: [Group] {
    var notices: [Notice] = []
    var counts: [String: Int] = [:]
    for file in files {
      var seen: Set<String> = []
      for notice in file.notices where seen.insert(notice.text).inserted {
        if counts[notice.text] == nil { notices.append(notice) }
        counts[notice.text, default: 0] += 1
      }
    }
    return notices.map { Group(notice: $0, count: counts[$0.text] ?? 0) }
  }
}

extension BatchPlanReport {
  /// The report as text: a line for each file, then the totals and the notices.
  var text: String {
    // A name may contain a line break.
    var lines = files.map { Console.escaped($0.text, keepingLines: false) }
    let words: [(Work, String)] = [
      (.encode, "to encode"), (.copy, "to copy"), (.done, "done before"),
      (.failedBefore, "failed before"), (.leftOut, "left out by --only"),
      (.unknown, "whose output has no record"),
      (.changed, "whose output was changed after it was made"),
      (.refused, "refused"),
    ]
    let counts = words.compactMap { work, words in
      count(work) > 0 ? "\(count(work)) \(words)" : nil
    }
    lines.append("\(files.count.counted("file")): \(counts.joined(separator: ", "))")
    if seconds > 0 {
      let estimate = estimate.map {
        ", about \($0.size.byteCountText) to write, about "
          + "\(ProgressDisplay.clock($0.seconds)) on this machine"
      }
      lines.append(
        "  \(ProgressDisplay.clock(seconds)) of video, \(size.byteCountText) to read"
          + (estimate ?? ""))
    }
    lines += groups.map { group in
      let name = group.notice.severity == .note ? "NOTE   " : "WARNING"
      return "  \(name)  \(group.count.counted("file")): \(group.notice.text)"
    }
    return lines.joined(separator: "\n")
  }
}

extension BatchPlanReport.File {
  /// The file as a line of text.
  fileprivate var text: String {
    // A reason often begins with the path, which the line has already: "a.mov is cut off: …".
    let end =
      reason.map { reason in
        guard reason.hasPrefix(input) else { return ": \(reason)" }
        let rest = reason.dropFirst(input.count)
        return rest.hasPrefix(" ") ? ": it\(rest)" : "\(rest)"
      } ?? ""
    switch work {
    case .encode: return "\(input) → \(output ?? ""): encode\(end)"
    case .copy: return "\(input) → \(output ?? ""): copy\(end)"
    case .done: return "\(input): done before"
    case .failedBefore: return "\(input): failed before (\(status ?? 0))"
    case .leftOut: return "\(input): left out by --only"
    case .unknown: return "\(input): no record says what made \(output ?? "")"
    case .changed: return "\(input): \(output ?? "") was changed after it was made"
    case .refused: return "\(input): refused (\(status ?? 0))\(end)"
    }
  }
}
