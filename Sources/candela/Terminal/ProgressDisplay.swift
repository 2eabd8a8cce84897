// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import MediaCore
internal import Transcoding

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// A bar if standard error is a terminal, otherwise lines.
  case auto
  /// A bar that is redrawn in place.
  case bar
  /// A line now and then: none in the first 10 s, then one a minute or at each 10 %, whichever is
  /// rarer.
  case lines
  /// One JSON object on each line.
  case json
  /// Progress is not shown.
  case none
}

/// Progress as JSON.
struct ProgressEvent: JSONObject {
  let progress: TranscodeProgress
  let files: Int?
  let filesDone: Int?

  static let meaning = TranscodeProgress.meaning
  static let fields =
    TranscodeProgress.fields.of { (event: ProgressEvent) in event.progress } + ofBatch

  private static let ofBatch: [JSONField<ProgressEvent>] = [
    .init("files", "The number of files; absent for a single file.", .count) { $0.files },
    .init(
      "filesDone", "How many files are done or have failed; absent for a single file.", .count
    ) { $0.filesDone },
  ]
}

/// Shows the progress of a session or of a batch on standard error.
struct ProgressDisplay: Sendable {
  let style: ProgressStyle
  private let progress: @Sendable () -> TranscodeProgress
  /// The batch to show; `nil` if a single session is shown.
  private let batch: BatchProgress?

  /// The batch that the task belongs to; `nil` if there is none. The display of the batch shows the
  /// progress of the task.
  @TaskLocal static var batch: BatchProgress?

  /// Whether the process that started this one shows the progress of the task.
  @TaskLocal static var isPosted = false

  private static let interval = Duration.milliseconds(200)

  init(style: ProgressStyle, progress: @escaping @Sendable () -> TranscodeProgress) {
    self.style = style == .auto ? (Console.isErrorTerminal ? .bar : .lines) : style
    self.progress = progress
    batch = nil
  }

  init(style: ProgressStyle, batch: BatchProgress) {
    self.style = style == .auto ? (Console.isErrorTerminal ? .bar : .lines) : style
    progress = { batch.progress }
    self.batch = batch
  }

  func showing<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    if let batch = Self.batch { return try await batch.counting(progress, body) }
    guard style != .none || Self.isPosted else { return try await body() }
    let isPosted = Self.isPosted
    let display = Task {
      var last: (seconds: Double, fraction: Double)?
      while !Task.isCancelled {
        try await Task.sleep(for: Self.interval)
        let progress = progress()
        if isPosted {
          FileEvent(progress: progress).post()
        } else if style != .lines || Self.isDue(progress, behind: &last) {
          show(progress)
        }
      }
    }
    defer {
      display.cancel()
      if style == .bar, !isPosted { Console.showBar(nil) }
    }
    // Wait for the display, so that it prints nothing after the last line.
    let result = try await body()
    display.cancel()
    _ = await display.result
    if isPosted {
      FileEvent(progress: progress()).post()
    } else if style == .json {
      // A program that reads JSON should see that the work has ended. A bar need not show it.
      show(progress())
    }
    return result
  }

  /// Returns whether a line should be printed now.
  ///
  /// - Parameter last: how far the work was when the last line was printed; `nil` before the first
  ///   line.
  private static func isDue(
    _ progress: TranscodeProgress, behind last: inout (seconds: Double, fraction: Double)?
  ) -> Bool {
    let (now, done) = (progress.secondsElapsed, progress.fraction ?? 1)
    // A short run needs no lines in a log.
    guard now >= 10 else { return false }
    if let last, now < last.seconds + 60 || done < min(last.fraction + 0.1, 1) { return false }
    last = (now, progress.fraction ?? 0)
    return true
  }

  private func show(_ progress: TranscodeProgress) {
    switch style {
    case .bar: Console.showBar(Self.bar(progress, batch?.text, width: Console.errorWidth))
    case .json:
      Console.printObject(
        ProgressEvent(progress: progress, files: batch?.total, filesDone: batch?.done))
    case .lines:
      let facts = (batch.map { [$0.text] } ?? []) + [Self.percent(progress)] + Self.facts(progress)
      Console.printError("candela: \(facts.joined(separator: "  "))")
    case .auto, .none: break
    }
  }

  /// Returns a line such as ` 42% ████······  936 frames  31.2 fps  1.04×  0:12 left`. On a narrow
  /// terminal, the line has no bar, and the first facts are left out.
  ///
  /// - Parameter files: the files of a batch that are done, as text; `nil` if there is no batch.
  static func bar(_ progress: TranscodeProgress, _ files: String?, width: Int) -> String {
    let percent = Self.percent(progress)
    var facts = Self.facts(progress)
    var text: String { ((files.map { [$0] } ?? []) + facts).joined(separator: "  ") }
    // A line that wraps could not be overwritten, so a narrow terminal gets only the last facts.
    while !facts.isEmpty, percent.count + 2 + text.count >= width { facts.removeFirst() }
    let room = width - percent.count - text.count - 6
    guard room >= 8, let fraction = progress.fraction else { return "\(percent)  \(text)" }
    let cells = min(room, 40)
    let full = Int((fraction * Double(cells)).rounded(.down))
    let bar = String(repeating: "█", count: full) + String(repeating: "·", count: cells - full)
    return "\(percent) \(bar)  \(text)"
  }

  private static func percent(_ progress: TranscodeProgress) -> String {
    progress.fraction.map { ($0 * 100).text(decimals: 0, width: 3) + "%" } ?? "  …"
  }

  private static func facts(_ progress: TranscodeProgress) -> [String] {
    [
      "\(progress.frames) frames", "\(progress.framesPerSecond.text(decimals: 1)) fps",
      "\(progress.speed.text(decimals: 2))×",
    ] + (progress.secondsLeft.map { ["\(clock($0)) left"] } ?? [])
  }

  static func clock(_ seconds: Double) -> String {
    // `Int` traps for a `Double` that it cannot represent, and a stalled run may have infinite time
    // left.
    let whole = Int(min(max(seconds.rounded(), 0), 1e9))
    let minutes = whole / 60
    let seconds = (whole % 60).text(digits: 2)
    return minutes < 60
      ? "\(minutes):\(seconds)" : "\(minutes / 60):\((minutes % 60).text(digits: 2)):\(seconds)"
  }
}
