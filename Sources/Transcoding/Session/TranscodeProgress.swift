// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import MediaCore
internal import Synchronization

/// How far a session has come.
public struct TranscodeProgress: Sendable, Hashable, Codable {
  /// The share of the work that is done, 0…1; `nil` if the length of the source is unknown.
  public let fraction: Double?
  /// The share of the work that is done, 0…1, under the name that Foundation's `Progress` has for
  /// it; 0 if the length of the source is unknown.
  public var fractionCompleted: Double { fraction ?? 0 }
  /// The number of frames that have been encoded. If frames are copied and their metadata is
  /// measured, the number of frames that have been measured.
  public let frames: Int
  /// Frames a second, on average since the start.
  public let framesPerSecond: Double
  /// How many seconds of the source are done in a second of work.
  public let speed: Double
  /// Seconds since the start.
  public let secondsElapsed: Double
  /// Seconds that are left at this speed; `nil` if unknown.
  public let secondsLeft: Double?
}

extension TranscodeProgress {
  /// Sums up the progress of several sessions.
  ///
  /// - Parameters:
  ///   - fraction: the share of their whole work that is done.
  ///   - seconds: seconds of their sources that are done.
  package init(fraction: Double, frames: Int, seconds: Double, elapsed: Double) {
    self.init(
      fraction: fraction, frames: frames,
      framesPerSecond: elapsed > 0 ? Double(frames) / elapsed : 0,
      speed: elapsed > 0 ? seconds / elapsed : 0, secondsElapsed: elapsed,
      secondsLeft: fraction > 0 ? elapsed * (1 - fraction) / fraction : nil)
  }

  /// Reports the progress of work in segments, for which only frames are counted.
  ///
  /// - Parameters:
  ///   - reused: number of frames that an earlier run encoded.
  ///   - total: number of all frames; `nil` if unknown.
  ///   - duration: duration of all of them, in seconds; `nil` if unknown.
  package init(
    frames: Int, reused: Int, of total: Int?, lasting duration: Double?, elapsed: Double
  ) {
    // Frames of an earlier run cost this run no time, so they do not count toward its speed.
    let rate = elapsed > 0 ? Double(frames - reused) / elapsed : 0
    let part = total.flatMap { $0 > 0 ? min(Double(frames) / Double($0), 1) : nil }
    self.init(
      fraction: part, frames: frames, framesPerSecond: rate,
      speed: total.flatMap { total in duration.map { rate * $0 / Double(max(total, 1)) } } ?? 0,
      secondsElapsed: elapsed,
      secondsLeft: total.flatMap { rate > 0 ? Double(max($0 - frames, 0)) / rate : nil })
  }
}

/// Counts the work of a session. The session's threads write, and any thread may read.
final class ProgressMeter: Sendable {
  private struct State {
    var start: ContinuousClock.Instant?
    var end: ContinuousClock.Instant?
    var frames = 0
    var seconds = 0.0
  }

  private let state = Mutex(State())
  private let total: Double?

  /// - Parameter total: the duration of the presentation; `nil` if unknown.
  init(total: MediaTime?) {
    self.total = total.map(\.seconds)
  }

  func start() { state.withLock { $0.start = .now } }

  /// Restarts the counts, but not the clock.
  func restart() { state.withLock { ($0.frames, $0.seconds) = (0, 0) } }

  func finish() { state.withLock { $0.end = .now } }

  /// Notes that the presentation is done up to `time`.
  func advance(to time: MediaTime?, frames: Int) {
    state.withLock { state in
      state.frames += frames
      // Samples arrive in decoding order, so their times step back and forth.
      if let time { state.seconds = max(state.seconds, time.seconds) }
    }
  }

  var progress: TranscodeProgress {
    let state = state.withLock { $0 }
    let now = state.end ?? .now
    let elapsed = state.start.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
    let fraction = total.flatMap { $0 > 0 ? min(state.seconds / $0, 1) : nil }
    let speed = elapsed > 0 ? state.seconds / elapsed : 0
    // A source may turn out shorter than its tables say. Even then, everything is done at the end.
    return TranscodeProgress(
      fraction: state.end == nil ? fraction : 1, frames: state.frames,
      framesPerSecond: elapsed > 0 ? Double(state.frames) / elapsed : 0, speed: speed,
      secondsElapsed: elapsed,
      secondsLeft: total.flatMap { speed > 0 ? max($0 - state.seconds, 0) / speed : nil })
  }
}

extension TranscodeProgress: JSONObject {
  package static let meaning = "How far along the work is."
  package static let fields: [JSONField<TranscodeProgress>] = [
    .init(
      "fraction", "The share of the work that is done; absent if the source's length is unknown.",
      .share
    ) { $0.fraction },
    .init("frames", "How many frames have been encoded, or measured.", .count) { $0.frames },
    .init("framesPerSecond", "Frames a second, on average since the start.") {
      $0.framesPerSecond
    },
    .init("speed", "How many seconds of the source are done in a second of work.") { $0.speed },
    .init("secondsElapsed", "Seconds since the start.") { $0.secondsElapsed },
    .init("secondsLeft", "Seconds that are left at this speed; absent if unknown.") {
      $0.secondsLeft
    },
  ]
}
