// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
internal import Planning
internal import Transcoding

/// Prints what a command says on standard error besides its progress. Messages are lines of text,
/// or JSON objects if progress is JSON.
struct RunMessages: Sendable {
  /// Whether only errors are wanted.
  let isQuiet: Bool

  /// The file that the task works on, if it is one of many. Messages name that file.
  @TaskLocal static var input: String?

  /// A message as JSON. Besides `input`, exactly one of these keys is present.
  fileprivate struct Message: JSONObject {
    var input = RunMessages.input
    var message: String?
    var notice: Notice?
    var warning: String?
    var done: Result?
    var failed: Failure?
    var summary: BatchSummary?

    static let meaning = "A message. Besides input, exactly one property is present."
    static let fields: [JSONField<Message>] = [
      .init(
        "input",
        "The path of the file that the message is about, if the command has several files. A "
          + "failure names its file itself."
      ) {
        $0.input
      },
      .init("message", "A line that --verbose adds.") { $0.message },
      .init("notice", "A loss or an assumption.") { $0.notice },
      .init("warning", "A sentence that users should read.") { $0.warning },
      .init("done", "An output is complete.") { $0.done },
      .init("failed", "Nothing was made, or the command is wrong.") { $0.failed },
      .init("summary", "The last message: what happened to the files of a batch.") { $0.summary },
    ]
  }

  /// The reason why no output was made, as JSON. It names no file if the command itself is wrong.
  fileprivate struct Failure: JSONObject {
    let input: String?
    let status: Int32
    let message: String

    static let fields: [JSONField<Failure>] = [
      .init("input", "The path of the file to read; absent if the command itself is wrong.") {
        $0.input
      },
      .init("status", "The exit status that a command for this file alone would have.") {
        $0.status
      },
      .init("message", "What went wrong and what to do, in words.") { $0.message },
    ]
  }

  /// The result as JSON.
  fileprivate struct Result: JSONObject {
    let output: String
    let sourceSize: UInt64
    let size: UInt64
    let frameCount: Int
    let measuredFrameCount: Int
    let secondsElapsed: Double
    let concealedCount: Int
    let copiedKind: String?

    static let fields: [JSONField<Result>] = [
      .init("output", "The path of the output.") { $0.output },
      .init("sourceSize", "The size of the source, in bytes.") { $0.sourceSize },
      .init("size", "The size of the output, in bytes.") { $0.size },
      .init("frameCount", "The number of frames that were encoded.", .count) { $0.frameCount },
      .init(
        "measuredFrameCount", "The number of copied frames whose metadata was measured.", .count
      ) { $0.measuredFrameCount },
      .init("secondsElapsed", "How long the work took, in seconds.") { $0.secondsElapsed },
      .init(
        "concealedCount", "The number of damaged parts that were concealed or left out.", .count
      ) {
        $0.concealedCount
      },
      .init(
        "copiedKind",
        "The kind of the source's video, such as `SDR H.264`, if the video was copied because it "
          + "was of the wanted kind already; otherwise absent."
      ) { $0.copiedKind },
    ]
  }

  /// The schema of a line of standard error with `--progress json`.
  static let schema = JSONSchema(
    .anyOf([ProgressEvent.schema, Message.schema]),
    "A line of standard error with --progress json.")

  /// The schema of the line that says why there is no result.
  static let failureSchema = JSONSchema(
    .object([JSONProperty("failed", "Nothing was made, or the command is wrong.", Failure.schema)]),
    "The line that a failing command prints on standard error with --json.")

  /// Prints losses and assumptions of a plan or a run.
  func say(_ notices: [Notice]) {
    guard !isQuiet else { return }
    // If HDR metadata is lost because the user asked for SDR, that is only a note, and only plans
    // and reports show it. With two thousand clips, nobody wants to read it two thousand times.
    for notice in notices where notice.code != "metadataNotCarried" || notice.severity != .note {
      let remark = FileEvent.Remark(notice)
      if FileEvent.isPosted, !Console.speaksJSON {
        // The summary of the batch prints each notice once for all files.
        FileEvent(notice: remark).post()
      } else {
        Self.print(Message(notice: notice), or: "\(remark.label): \(remark.text)")
      }
    }
  }

  /// Prints what users have to know even if they want errors only.
  func tell(_ text: String) { Self.print(Message(warning: text), or: text) }

  /// Prints what users should know.
  func warn(_ text: String) {
    if !isQuiet { tell(text) }
  }

  /// Prints a line for users who want to know everything.
  static func detail(_ text: String) { print(Message(message: text), or: text) }

  /// Prints a report of several lines for users who want to know everything.
  static func detail(report text: String) {
    if Console.speaksJSON {
      Console.printObject(Message(message: text))
    } else {
      Console.printErrorReport(text)
    }
  }

  /// Prints a line that another process of this program has written to standard error.
  static func forward(_ line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    // The program's own lines are JSON objects already, but libraries print plain lines.
    if Console.speaksJSON, !text.hasPrefix("{") {
      Console.printObject(Message(message: text))
    } else {
      Console.printError(text)
    }
  }

  /// Prints a line about the output of a command that shows no progress: `bars.mov: 1920×1080, 4.0
  /// s, 2.1 MB`.
  func made(_ output: String, _ facts: String...) {
    guard !isQuiet else { return }
    let size = PosixPath.size(of: output).byteCountText
    Console.printError("\(output): \((facts + [size]).joined(separator: ", "))")
  }

  /// Prints the result: `out.mp4: 1080×1920 hevc, HDR (HLG), 78 frames, 4.1 MB → 2.3 MB, 12 s
  /// (0.20×)`.
  func finish(
    _ session: TranscodeSession, _ result: TranscodeResult, from input: String, to output: String,
    seconds: Double?, copying kind: String?
  ) {
    guard !isQuiet else { return }
    let sizes = (PosixPath.size(of: input), PosixPath.size(of: output))
    let progress = session.progress
    let seconds = seconds ?? progress.secondsElapsed
    guard !Console.speaksJSON else {
      let done = Result(
        output: output, sourceSize: sizes.0, size: sizes.1, frameCount: result.frameCount,
        measuredFrameCount: result.measuredFrameCount, secondsElapsed: seconds,
        concealedCount: result.concealedCount, copiedKind: kind)
      return Console.printObject(Message(done: done))
    }
    var facts: [String] = []
    if let encoding = session.report.video?.encoding {
      facts.append("\(encoding.width)×\(encoding.height) \(encoding.codec)")
      facts.append(encoding.dynamicRange)
      facts.append(result.frameCount.counted("frame"))
    } else {
      facts.append(
        kind.map { "copied: it is \($0) already" }
          ?? result.sampleCounts.reduce(0, +).counted("sample") + ", copied")
      if result.measuredFrameCount > 0 {
        facts.append("\(result.measuredFrameCount.counted("frame")) measured")
      }
    }
    facts.append("\(sizes.0.byteCountText) → \(sizes.1.byteCountText)")
    // If the work was divided, the session only joined segments, which is fast. Print the speed of
    // the whole run.
    let speed = progress.speed * progress.secondsElapsed / max(seconds, 0.001)
    let time =
      seconds < 60
      ? "\(seconds.text(decimals: seconds < 10 ? 1 : 0)) s" : ProgressDisplay.clock(seconds)
    facts.append("\(time) (\(speed.text(decimals: speed < 10 ? 2 : 0))×)")
    Console.printError("\(output): \(facts.joined(separator: ", "))")
  }

  /// Prints why nothing was made.
  ///
  /// - Parameter input: the file to read; `nil` if the command itself is wrong.
  /// - Returns: the status.
  @discardableResult
  static func fail(_ input: String?, _ status: ExitStatus, _ text: String) -> ExitStatus {
    let failure = Failure(input: input, status: status.rawValue, message: text)
    // `failed` names the file itself, so the message does not name it again.
    $input.withValue(input) { print(Message(input: nil, failed: failure), or: text) }
    return status
  }

  /// Prints why nothing was made, with the option that helps.
  @discardableResult
  static func fail(_ input: String?, _ error: TranscodingError) -> ExitStatus {
    fail(input, ExitStatus(error.kind), error.advice)
  }

  /// Prints the summary of many files.
  ///
  /// - Parameter notices: losses and assumptions, with the files that they are about.
  func finish(
    _ summary: BatchSummary, _ notices: [(remark: FileEvent.Remark, inputs: [String])] = []
  ) {
    for (remark, inputs) in notices {
      let (label, text) = (remark.label, remark.text)
      warn(
        inputs.count > 1
          ? "\(label) about \(inputs.count) files: \(text)" : "\(inputs[0]): \(label): \(text)")
    }
    // Users who want errors only still have to know if something went wrong.
    guard Console.speaksJSON || !isQuiet || !summary.isFlawless else { return }
    Self.print(Message(summary: summary), or: summary.text)
  }

  /// Prints a message as JSON, or as a line that names the file that it is about.
  private static func print(_ message: Message, or text: String) {
    let isObject = message.failed == nil ? Console.speaksJSON : Console.failsInJSON
    guard !isObject else { return Console.printObject(message) }
    // Most messages name their file already.
    let name = input.flatMap { text.contains($0) ? nil : "\($0): " }
    Console.printError("candela: \(name ?? "")\(text)")
  }
}
