// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
package import Planning
internal import Reading

extension WorkerCount {
  /// Clips longer than this, in seconds, are divided into segments even if the user names no number
  /// of workers, because an interrupted run can then resume with the missing segments. The number
  /// of cores plays no part in this, so that a clip becomes the same file on every machine.
  private static let longClip = 60.0

  /// Returns whether segments may be worthwhile for a plan. Even if they are, a short source has
  /// only one segment.
  package func wantsSegments(_ plan: TranscodePlan) -> Bool {
    guard plan.encodesFrames else { return false }
    switch self {
    case .fixed(let count): return count > 1
    case .auto, .shared:
      return plan.segmentObstacle == nil && plan.secondsOfSource ?? 0 > Self.longClip
    }
  }

  /// Returns how many workers suit segments with these numbers of frames if memory is no limit.
  ///
  /// - Parameter model: predicts the work on a number of cores.
  func wanted(forFrames counts: [Int], cores: Int, _ model: (Int) -> WorkModel) -> Int {
    func best(_ cores: Int) -> Int {
      let model = model(cores)
      return model.workers(for: model.costs(ofFrames: counts))
    }
    return switch self {
    case .fixed(let count): count
    case .shared(let files): best(max(cores / max(files, 1), 1))
    case .auto: max(best(cores), 2)
    }
  }

  /// Whether one worker may take more memory than the stated limit.
  var exceedsMemory: Bool {
    // In a batch (`shared`), the limit is for all files together. Each file gets at least one
    // worker, however much memory that takes.
    if case .shared = self { return true }
    return false
  }

  /// Divides the work on a plan.
  ///
  /// - Parameter cores: the number of cores that the work may use.
  package func division(of plan: TranscodePlan, cores: Int = Self.cores) -> Division {
    let one = Division(segments: false, workers: 1, obstacle: nil, oneProcessIsFaster: false)
    guard wantsSegments(plan), let work = WorkModel.Work(plan) else { return one }
    if let obstacle = plan.segmentObstacle?.description {
      return Division(segments: false, workers: 1, obstacle: obstacle, oneProcessIsFaster: false)
    }
    let counts = work.usualSegments
    // Without a duration, nobody knows yet how many segments there are.
    let isKnown = work.frames > 0
    guard counts.count > 1 || !isKnown else {
      // Unless the user names a number of workers, this process encodes a single segment itself.
      let obstacle = isAutomatic ? nil : SegmentObstacle.fewFrames.description
      return Division(segments: false, workers: 1, obstacle: obstacle, oneProcessIsFaster: false)
    }
    let suitable = wanted(forFrames: counts, cores: cores) { WorkModel(work, cores: $0) }
    let workers = isKnown ? min(suitable, counts.count) : suitable
    let model = WorkModel(work, cores: cores)
    return Division(
      segments: true, workers: workers, obstacle: nil,
      oneProcessIsFaster: model.processIsFaster(thanSegments: counts, workers: workers))
  }

  /// How work is divided.
  package struct Division: Hashable, Sendable, Encodable {
    /// Whether there are several segments, as far as the duration tells.
    package let segments: Bool
    /// The maximum number of processes that encode at the same time.
    package let workers: Int
    /// Why there is a single segment although the user asked for several workers; otherwise `nil`.
    package let obstacle: String?
    /// Whether, according to the model, one process without segments would finish clearly sooner
    /// than several workers.
    package let oneProcessIsFaster: Bool

    /// The division as text.
    package var text: String {
      if let obstacle { return "one segment: \(obstacle)" }
      guard segments else { return "one process" }
      return "segments, at most \(workers.counted("worker"))"
        + (oneProcessIsFaster ? "; one process would be faster" : "")
    }
  }

  /// The number of cores that this process may use.
  package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Returns how many workers run at once.
  ///
  /// - Parameters:
  ///   - wanted: number of workers that would suit the work.
  ///   - segments: number of segments to encode.
  ///   - memory: the memory, in bytes, that all processes may take together.
  ///   - each: the memory, in bytes, that a worker takes.
  /// - Throws: ``TranscodingError`` of kind `unavailable` if there is no room for even one worker.
  func count(wanted: Int, segments: Int, memory: UInt64, each: UInt64) throws -> Int {
    let room = max(Int(clamping: memory / max(each, 1)), exceedsMemory ? 1 : 0)
    guard room > 0 else {
      throw TranscodingError(
        .unavailable,
        "one encoder needs about \(each >> 20) MB of memory, more than the \(memory >> 20) MB "
          + "allowed; allow more memory")
    }
    return max(min(wanted, room, segments), 1)
  }
}

extension WorkerCount.Division: JSONObject {
  package static let fields: [JSONField<WorkerCount.Division>] = [
    .init("segments", "Whether there are several segments, as far as the duration tells.") {
      $0.segments
    },
    .init("workers", "How many processes encode at the same time, at most.", .count) { $0.workers },
    .init(
      "obstacle",
      "Why there is a single segment although the user asked for several workers; otherwise absent."
    ) { $0.obstacle },
    .init(
      "oneProcessIsFaster",
      "Whether one process without segments would finish clearly sooner, according to an estimate."
    ) { $0.oneProcessIsFaster },
  ]
}
