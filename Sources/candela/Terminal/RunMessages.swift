// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
internal import Planning
internal import Transcoding

/// What a command says on standard error besides its progress: lines of text, or JSON objects if
/// progress is JSON.
struct RunMessages: Sendable {
  /// Whether only errors are wanted.
  let isQuiet: Bool

  /// The file of many that the task works on, for messages to name; `nil` for a single one.
  @TaskLocal static var input: String?

  /// A message as JSON. Besides the file that it is about, one of these keys is present.
  private struct Message: Encodable {
    var input = RunMessages.input
    var message: String?
    var notice: Notice?
    var warning: String?
    var done: Result?
    var failed: Failure?
    var summary: BatchSummary?
  }

  /// A file for which no output was made, as JSON; without a file if the command itself is wrong.
  private struct Failure: Encodable {
    let input: String?
    let status: Int32
    let message: String
  }

  /// The result as JSON.
  private struct Result: Encodable {
    let output: String
    let sourceSize: UInt64
    let size: UInt64
    let frameCount: Int
    let secondsElapsed: Double
    let concealedCount: Int
  }

  /// Prints losses and assumptions of a plan or a run.
  func say(_ notices: [Notice]) {
    guard !isQuiet else { return }
    for notice in notices {
      Self.print(Message(notice: notice), or: "note: \(notice.advice)")
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

  /// Prints a line of another process of this program.
  static func forward(_ line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    // Our own lines have their form already, but libraries print there as well.
    if Console.speaksJSON, !text.hasPrefix("{") {
      Console.printObject(Message(message: text))
    } else {
      Console.printError(text)
    }
  }

  /// Prints a line about what a command without progress made: `bars.mov: 1920×1080, 4.0 s, 2.1
  /// MB`.
  func made(_ output: String, _ facts: String...) {
    guard !isQuiet else { return }
    let size = PosixPath.size(of: output).byteCountText
    Console.printError("\(output): \((facts + [size]).joined(separator: ", "))")
  }

  /// Prints the result: `out.mp4: 1080×1920 hevc, HDR (HLG), 78 frames, 4.1 MB → 2.3 MB, 12 s
  /// (0.2×)`.
  func finish(
    _ session: TranscodeSession, _ result: TranscodeResult, from input: String, to output: String,
    seconds: Double?
  ) {
    guard !isQuiet else { return }
    let sizes = (PosixPath.size(of: input), PosixPath.size(of: output))
    let progress = session.progress
    let seconds = seconds ?? progress.secondsElapsed
    guard !Console.speaksJSON else {
      let done = Result(
        output: output, sourceSize: sizes.0, size: sizes.1, frameCount: result.frameCount,
        secondsElapsed: seconds, concealedCount: result.concealedCount)
      return Console.printObject(Message(done: done))
    }
    var facts: [String] = []
    if let encoding = session.report.video?.encoding {
      facts.append("\(encoding.width)×\(encoding.height) \(encoding.codec)")
      facts.append(encoding.dynamicRange)
      facts.append(result.frameCount.counted("frame"))
    } else {
      facts.append(result.sampleCounts.reduce(0, +).counted("sample") + ", copied")
    }
    facts.append("\(sizes.0.byteCountText) → \(sizes.1.byteCountText)")
    // A session that only joins segments is fast. What counts is the speed of the whole run.
    let speed = progress.speed * progress.secondsElapsed / max(seconds, 0.001)
    let time =
      seconds < 60
      ? "\(seconds.text(decimals: seconds < 10 ? 1 : 0)) s" : ProgressDisplay.clock(seconds)
    facts.append("\(time) (\(speed.text(decimals: speed < 10 ? 2 : 0))×)")
    Console.printError("\(output): \(facts.joined(separator: ", "))")
  }

  /// Says why nothing was made.
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

  /// Says why nothing was made, with the option that helps.
  @discardableResult
  static func fail(_ input: String?, _ error: TranscodingError) -> ExitStatus {
    fail(input, ExitStatus(error.kind), error.advice)
  }

  /// Prints the summary of many files.
  func finish(_ summary: BatchSummary) {
    // Users who want errors only still have to know that not all is well.
    guard Console.speaksJSON || !isQuiet || !summary.isFlawless else { return }
    Self.print(Message(summary: summary), or: summary.text)
  }

  /// Prints a message as JSON, or as a line that names the file that it is about.
  private static func print(_ message: Message, or text: String) {
    guard !Console.speaksJSON else { return Console.printObject(message) }
    // Most messages name their file already.
    let name = input.flatMap { text.contains($0) ? nil : "\($0): " }
    Console.printError("candela: \(name ?? "")\(text)")
  }
}
