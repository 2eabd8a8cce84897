// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import FoundationEssentials
internal import MediaCore
internal import Transcoding

/// Words of a transcode on standard error beside its progress: lines for people, JSON objects
/// where progress is JSON, or nothing.
struct RunMessages: Sendable {
  /// True if messages are JSON objects, a line each.
  let isJSON: Bool
  /// True if nothing but errors is wanted.
  let isQuiet: Bool

  /// A message as JSON: one of its keys is there.
  private struct Message: Encodable {
    var notice: Notice?
    var warning: String?
    var done: Result?
    var failed: Failure?
    var summary: BatchSummary?
  }

  /// A file of many of which nothing was made, as JSON.
  private struct Failure: Encodable {
    let input: String
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

  /// Losses and assumptions of a plan or a run.
  func say(_ notices: [Notice]) {
    guard !isQuiet else { return }
    guard isJSON else { return Console.printNotes(notices) }
    for notice in notices { write(Message(notice: notice)) }
  }

  /// A fact that users have to know, also where they want errors alone.
  func tell(_ text: String) {
    if isJSON { write(Message(warning: text)) } else { Console.printError("candela: \(text)") }
  }

  /// A fact of the run that users should know.
  func warn(_ text: String) {
    if !isQuiet { tell(text) }
  }

  /// The result, as `out.mp4: 1080×1920 hevc, HDR (HLG), 78 frames, 4.1 MB → 2.3 MB, 12 s (0.2×)`.
  func finish(
    _ session: TranscodeSession, _ result: TranscodeResult, from input: String, to output: String,
    seconds: Double?
  ) {
    guard !isQuiet else { return }
    let sizes = (PosixPath.size(of: input), PosixPath.size(of: output))
    let progress = session.progress
    let seconds = seconds ?? progress.secondsElapsed
    guard !isJSON else {
      let done = Result(
        output: output, sourceSize: sizes.0, size: sizes.1, frameCount: result.frameCount,
        secondsElapsed: seconds, concealedCount: result.concealedCount)
      return write(Message(done: done))
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
    let speed = progress.speed * progress.secondsElapsed / max(seconds, 0.001)
    let time =
      seconds < 60
      ? "\(seconds.text(decimals: seconds < 10 ? 1 : 0)) s" : ProgressDisplay.clock(seconds)
    facts.append("\(time) (\(speed.text(decimals: speed < 10 ? 2 : 0))×)")
    Console.printError("\(output): \(facts.joined(separator: ", "))")
  }

  /// A failure of a file of many.
  func fail(_ input: String, _ status: ExitStatus, _ text: String) {
    guard isJSON else {
      return Console.printError("candela: " + (text.contains(input) ? text : "\(input): \(text)"))
    }
    write(Message(failed: Failure(input: input, status: status.rawValue, message: text)))
  }

  /// The result of many files.
  func finish(_ summary: BatchSummary) {
    if isJSON {
      write(Message(summary: summary))
    } else if !isQuiet || !summary.failed.isEmpty {
      Console.printError("candela: \(summary.text)")
    }
  }

  private func write(_ message: Message) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Versioned(report: message)) else { return }
    Console.printError(String(decoding: data, as: UTF8.self))
  }
}
