// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import FoundationEssentials
internal import MediaCore
package import Transcoding

/// Number of processes that encode.
package enum WorkerCount: Hashable, Sendable {
  /// As many as suit the machine and the clip; often one, without segments.
  case auto
  /// As `auto`, where so many files are worked on at once, which share the machine.
  case shared(files: Int)
  /// One, without segments, or so many that each encode segments.
  case fixed(Int)

  /// The count that a text states: `auto`, or a number from 1 on.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let count = Int(text), (1...1024).contains(count) {
      self = .fixed(count)
    } else {
      return nil
    }
  }

  /// The text that states the count; nil where none does.
  package var spelling: String? {
    switch self {
    case .auto: "auto"
    case .fixed(let count): "\(count)"
    case .shared: nil
    }
  }

  /// One encoder keeps about so many cores busy.
  private static let coresOfEncoder = 8
  /// A worker keeps about so many busy: it has fewer threads, so that its samples are the same
  /// everywhere.
  private static let coresOfWorker = 2
  /// A clip that is longer, in seconds, is worth going on with after an interruption.
  private static let longClip = 60.0
  /// A clip that is shorter, in seconds, has too few segments for many cores.
  private static let shortClip = 20.0

  /// True if segments may be worth while for a plan: they are made where this says so, and where
  /// the source then has more than one.
  package func wantsSegments(_ plan: TranscodePlan, cores: Int = Self.cores) -> Bool {
    guard plan.encodesFrames else { return false }
    switch self {
    case .fixed(let count): return count > 1
    case .auto, .shared:
      let seconds = plan.secondsOfSource ?? 0
      return plan.segmentObstacle == nil
        && seconds > (cores > Self.coresOfEncoder ? Self.shortClip : Self.longClip)
    }
  }

  /// Number of workers that are wanted, whatever memory there is.
  private var wanted: Int {
    switch self {
    case .fixed(let count): count
    case .shared(let files): max(1, Self.cores / (Self.coresOfWorker * files))
    case .auto: max(2, (Self.cores + Self.coresOfWorker - 1) / Self.coresOfWorker)
    }
  }

  /// True if the number is not stated.
  package var isAutomatic: Bool {
    if case .fixed = self { return false }
    return true
  }

  /// True if one worker may take more memory than is stated: the part of a file that others are
  /// worked on beside.
  var exceedsMemory: Bool {
    if case .shared = self { return true }
    return false
  }

  /// Division of the work on a plan.
  package func division(of plan: TranscodePlan) -> Division {
    guard wantsSegments(plan) else {
      return Division(segments: false, workers: 1, obstacle: nil)
    }
    let obstacle = plan.segmentObstacle?.description
    return Division(
      segments: obstacle == nil, workers: obstacle == nil ? wanted : 1, obstacle: obstacle)
  }

  /// Division of work.
  package struct Division: Hashable, Sendable, Encodable {
    /// True if there are several segments where the source is long enough.
    package let segments: Bool
    /// Largest number of processes that encode.
    package let workers: Int
    /// Reason for a single segment; nil where nothing asks for several, or where there may be.
    package let obstacle: String?

    /// The division for people.
    package var text: String {
      if let obstacle { return "one segment: \(obstacle)" }
      return segments ? "segments, by \(workers) workers at most" : "one process"
    }
  }

  /// The cores that this process may use.
  package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Number of workers at once.
  ///
  /// - Parameters:
  ///   - segments: number of segments to encode.
  ///   - memory: the bytes that all processes may take.
  ///   - each: the bytes that a worker takes.
  /// - Throws: ``TranscodingError`` of kind `unavailable` where not even one has room.
  func count(segments: Int, memory: UInt64, each: UInt64) throws -> Int {
    let room = max(Int(clamping: memory / max(each, 1)), exceedsMemory ? 1 : 0)
    guard room > 0 else {
      throw TranscodingError(
        .unavailable,
        "one encoder takes about \(each >> 20) MB of memory, more than the \(memory >> 20) MB that "
          + "are allowed")
    }
    return max(min(wanted, room, segments), 1)
  }
}
