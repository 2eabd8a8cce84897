// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Transcoding

/// Style in which progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// A bar where standard error is a terminal, nothing elsewhere.
  case auto
  /// A bar.
  case bar
  /// One JSON object a line.
  case json
  /// Nothing.
  case none
}

/// Shows the progress of a session on standard error until it is cancelled.
struct ProgressDisplay: Sendable {
  let style: ProgressStyle
  /// Progress of the work.
  let progress: @Sendable () -> TranscodeProgress

  private static let interval = Duration.milliseconds(200)

  init(style: ProgressStyle, progress: @escaping @Sendable () -> TranscodeProgress) {
    self.style = style == .auto ? (Console.isErrorTerminal ? .bar : .none) : style
    self.progress = progress
  }

  /// Runs `body` and shows its progress.
  func showing<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard style != .none else { return try await body() }
    let display = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: Self.interval)
        show(progress())
      }
    }
    defer {
      display.cancel()
      if style == .bar { Console.writeError("\r\u{1B}[K") }
    }
    let result = try await body()
    display.cancel()
    _ = await display.result
    if style == .json { show(progress()) }
    return result
  }

  private func show(_ progress: TranscodeProgress) {
    switch style {
    case .bar:
      Console.writeError("\r" + Self.bar(progress, width: Console.errorWidth) + "\u{1B}[K")
    case .json: Console.printError(Self.json(progress))
    case .auto, .none: break
    }
  }

  /// A line such as `  42% ████▌····· 31.2 fps 1.04× 0:12 left`, no wider than the terminal.
  static func bar(_ progress: TranscodeProgress, width: Int) -> String {
    let percent = progress.fraction.map { String(format: "%3.0f%%", $0 * 100) } ?? "  …"
    var facts = String(
      format: "%d frames  %.1f fps  %.2f×", progress.frames, progress.framesPerSecond,
      progress.speed)
    if let left = progress.secondsLeft { facts += "  \(clock(left)) left" }
    let room = width - percent.count - facts.count - 6
    guard room >= 8, let fraction = progress.fraction else { return "\(percent)  \(facts)" }
    let cells = min(room, 40)
    let full = Int((fraction * Double(cells)).rounded(.down))
    let bar = String(repeating: "█", count: full) + String(repeating: "·", count: cells - full)
    return "\(percent) \(bar)  \(facts)"
  }

  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    let minutes = whole / 60
    return minutes < 60
      ? String(format: "%d:%02d", minutes, whole % 60)
      : String(format: "%d:%02d:%02d", minutes / 60, minutes % 60, whole % 60)
  }

  static func json(_ progress: TranscodeProgress) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = (try? encoder.encode(Versioned(report: progress))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
