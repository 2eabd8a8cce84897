// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import VideoEncoders
internal import Writing

/// What a segment's file says about the segment. In the file, these facts come after the samples.
struct SegmentFacts: Sendable, Codable {
  /// The identifier of the segment's job.
  let job: String
  /// The segment's number in the job, from 0.
  let number: Int
  let frameCount: Int
  /// The timescale of the samples' times, in ticks a second.
  let timescale: Int32
  /// The parameter sets, with start codes; for AV1, the content of `av1C`.
  let parameterSets: Data
  /// The encoder's name and version.
  let encoder: String
  /// The options that were set: names and values.
  let requested: [[String]]
  /// The options that the encoder used: names and values.
  let effective: [[String]]
  /// MaxCLL and MaxFALL of its frames; `nil` if they were not measured.
  let lightLevels: [UInt16]?
  /// What was counted while its frames were read.
  let counts: FrameCounts
  /// Duration of the work, in seconds.
  let seconds: Double

  init(_ segment: EncodedSegment, of job: SegmentJob, number: Int, seconds: Double) {
    (self.job, self.number, self.seconds) = (job.id, number, seconds)
    frameCount = segment.frameCount
    timescale = job.timescale
    parameterSets = Data(segment.parameterSets)
    encoder = segment.report.encoder
    requested = segment.report.requested.map { [$0.name, $0.value] }
    effective = segment.report.effective.map { [$0.name, $0.value] }
    lightLevels = segment.contentLightLevel.map {
      [$0.maxContentLightLevel, $0.maxPicAverageLightLevel]
    }
    counts = segment.counts
  }

  /// Returns why a file with these facts is not the given segment of a job; `nil` if it is that
  /// segment.
  func fault(as number: Int, of job: SegmentJob) -> String? {
    if let fault = Self.wholeBounds.fault(in: self) ?? Self.realBounds.fault(in: self) {
      return "is damaged: \(fault.key) \(fault.problem)"
    }
    let frames = job.segments[number].frames
    // Damaged frames and repaired times make a segment unfit. The exception is a segment without a
    // planned start: it is the only one, and its frames were not listed.
    let isAlone = frames.start == nil
    guard self.job == job.id, self.number == number, timescale == job.timescale else {
      return "is not segment \(number) of this job"
    }
    guard frames.frameCount ?? frameCount == frameCount else {
      return "has \(frameCount.counted("frame")), not the planned number"
    }
    guard isAlone || counts.concealed == 0 && counts.repairedTimes == 0 else {
      return "has damaged frames or repaired times, which only a job of one segment accepts"
    }
    return nil
  }

  /// The light levels; `nil` if they were not measured.
  var contentLightLevel: ContentLightLevel? {
    guard let lightLevels, lightLevels.count == 2 else { return nil }
    return ContentLightLevel(
      maxContentLightLevel: lightLevels[0], maxPicAverageLightLevel: lightLevels[1])
  }

  var report: EncoderParameterReport {
    func pairs(_ lists: [[String]]) -> [(name: String, value: String)] {
      lists.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
    }
    return EncoderParameterReport(
      encoder: encoder, requested: pairs(requested), effective: pairs(effective))
  }
}

/// The bounds of the facts' fields.
extension SegmentFacts {
  private typealias Whole = FieldBounds<SegmentFacts, Int64>
  private typealias Real = FieldBounds<SegmentFacts, Double>

  /// Bounds of integers, and of the lengths of texts and lists.
  static let wholeBounds: [FieldBounds<SegmentFacts, Int64>] = [
    .text("job", 64...64) { [$0.job] },
    .count("number", 0...SegmentJob.mostSegments - 1) { [$0.number] },
    .count("frameCount", 1...SegmentJob.mostFrames) { [$0.frameCount] },
    Whole("timescale", 1...Int64(Int32.max)) { [Int64($0.timescale)] },
    .length("parameterSets", 1...1 << 20) { [$0.parameterSets.count] },
    .text("encoder", 1...SegmentJob.longestText) { [$0.encoder] },
    .length("requested", 0...10_000) { [$0.requested.count] },
    .length("effective", 0...10_000) { [$0.effective.count] },
    .length("lightLevels", 2...2) { [$0.lightLevels?.count] },
    .count("counts.concealed", 0...SegmentJob.mostFrames) { [$0.counts.concealed] },
    .count("counts.hidden", 0...SegmentJob.mostFrames) { [$0.counts.hidden] },
    .count("counts.repairedTimes", 0...SegmentJob.mostFrames) { [$0.counts.repairedTimes] },
  ]

  /// Bounds of numbers that need not be integers.
  static let realBounds: [FieldBounds<SegmentFacts, Double>] = [
    Real("seconds", 0...1e9) { [$0.seconds] }
  ]
}
