// SPDX-License-Identifier: GPL-2.0-or-later
internal import Shots

/// The largest numbers that may occur in a job.
extension SegmentJob {
  /// The frames of a segment. This is enough for 155 hours at 60 frames a second.
  static let mostFrames: Int64 = 1 << 25
  /// The frames or samples of a source.
  static let mostSourceFrames: Int64 = 1 << 40
  /// A time in ticks. The sum of two such times does not overflow.
  static let mostTicks: Int64 = 1 << 62 - 1
  static let mostSegments: Int64 = 100_000
  /// Bytes of a path.
  static let longestPath: Int64 = 4096
  /// Bytes of any text that is not a path.
  static let longestText: Int64 = 4096
}

/// The bounds of the fields of `job.json`.
extension SegmentJob {
  private typealias Whole = FieldBounds<SegmentJob, Int64>
  private typealias Real = FieldBounds<SegmentJob, Double>

  /// Bounds of integers, and of the lengths of texts and lists.
  static let wholeBounds: [FieldBounds<SegmentJob, Int64>] =
    fileBounds + statementBounds + segmentBounds

  private static let fileBounds: [FieldBounds<SegmentJob, Int64>] = [
    .text("input.path", 1...longestPath) { [$0.input.path] },
    Whole("input.size", 0...mostTicks) { [Int64(clamping: $0.input.size)] },
    Whole("input.modified", .min ... .max) { [Int64($0.input.modified)] },
    .text("input.digest", 64...64) { [$0.input.digest] },
    .length("files", 0...1000) { [$0.files.count] },
    .text("files[].path", 1...longestPath) { $0.files.map(\.path) },
    Whole("files[].size", 0...mostTicks) { $0.files.map { Int64(clamping: $0.size) } },
    Whole("files[].modified", .min ... .max) { $0.files.map { Int64($0.modified) } },
    .text("files[].digest", 64...64) { $0.files.map(\.digest) },
    .text("output", 1...longestPath) { [$0.output] },
  ]

  private static let statementBounds: [FieldBounds<SegmentJob, Int64>] = [
    .text("id", 64...64) { [$0.id] },
    .text("options.sourceColor", 0...longestText) { [$0.options.sourceColor] },
    .text("options.onError", 0...longestText) { [$0.options.onError] },
    .text("options.from", 0...longestText) { [$0.options.from] },
    .text("options.to", 0...longestText) { [$0.options.to] },
    .text("software.candela", 0...longestText) { [$0.software.candela] },
    .length("software.libraries", 0...1000) { [$0.software.libraries.count] },
    Whole("timescale", 1...Int64(Int32.max)) { [Int64($0.timescale)] },
    .text("obstacle", 0...longestText) { [$0.obstacle] },
    .length("shots.shots", 1...mostFrames) { [$0.shots?.shots.count] },
    .length("shots.shots[].keys", 1...mostFrames) { job in
      (job.shots?.shots ?? []).map { $0.keys.count }
    },
  ]

  private static let segmentBounds: [FieldBounds<SegmentJob, Int64>] = [
    .length("segments", 1...mostSegments) { [$0.segments.count] },
    .count("segments[].number", 0...mostSegments - 1) { $0.segments.map(\.number) },
    .length("segments[].rpus", 2...2) { $0.segments.map { $0.rpus?.count } },
    .count("segments[].frames.firstFrame", 0...mostSourceFrames) { job in
      job.segments.map(\.frames.firstFrame)
    },
    .count("segments[].frames.frameCount", 1...mostFrames) { job in
      job.segments.map(\.frames.frameCount)
    },
    times("segments[].frames.start") { $0.start },
    times("segments[].frames.end") { $0.end },
    times("segments[].frames.before") { $0.before },
    times("segments[].frames.decoding.start") { $0.decoding?.start },
    times("segments[].frames.decoding.last") { $0.decoding?.last },
    .count("segments[].frames.decoding.samples", 0...mostSourceFrames) { job in
      // One number is checked for each range: the lower bound if it is negative, otherwise the
      // upper bound, which is the larger one.
      job.segments.map { segment in
        segment.frames.decoding.map { decoding in
          decoding.samples.lowerBound < 0
            ? decoding.samples.lowerBound : decoding.samples.upperBound
        }
      }
    },
  ]

  private static func times(
    _ key: String, _ time: @escaping @Sendable (SegmentRange) -> Int64?
  ) -> FieldBounds<SegmentJob, Int64> {
    Whole(key, -mostTicks...mostTicks) { $0.segments.map { time($0.frames) } }
  }

  /// Bounds of numbers that need not be integers.
  static let realBounds: [FieldBounds<SegmentJob, Double>] = [
    Real("segments[].frames.fullness", 0...1) { $0.segments.map(\.frames.fullness) },
    Real("shots.shots[].start", -1e12...1e12) { ($0.shots?.shots ?? []).map(\.start) },
    Real("shots.shots[].peak", 1e-6...1e6) { ($0.shots?.shots ?? []).map(\.peak) },
    // For each shot, one number is checked: the smallest if it is negative, otherwise the largest.
    Real("shots.shots[].keys[].time", -1e12...1e12) { job in
      (job.shots?.shots ?? []).map { farthest($0.keys.map(\.time)) }
    },
    Real("shots.shots[].shoulder", 1e-6...1e6) { ($0.shots?.shots ?? []).map(\.shoulder) },
    Real("shots.shots[].brightest", 0...1e6) { ($0.shots?.shots ?? []).map(\.brightest) },
    Real("shots.shots[].keys[].white", 0...1) { job in
      (job.shots?.shots ?? []).map { farthest($0.keys.map(\.white)) }
    },
  ]

  private static func farthest(_ numbers: [Double]) -> Double? {
    numbers.min().flatMap { $0 < 0 ? $0 : nil } ?? numbers.max()
  }
}
