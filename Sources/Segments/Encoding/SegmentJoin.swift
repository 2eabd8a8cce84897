// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore
package import Planning
internal import Settings
package import Transcoding
internal import Writing

/// Joins the segments of a job to the output.
package struct SegmentJoin: Sendable {
  private let folder: JobFolder
  private let job: SegmentJob

  /// A join of a job.
  ///
  /// - Throws: ``TranscodingError`` where there is no job that can be used.
  package init(_ folder: JobFolder) throws {
    self.folder = folder
    job = try folder.jobForThisHost()
  }

  /// The segments that are missing.
  package func missing() -> [Int] {
    job.segments.map(\.number).filter {
      !SegmentFile.isComplete($0, of: job, in: folder)
    }
  }

  /// A session that writes the output, with the frames of the segments.
  ///
  /// - Parameter change: changes of the session's default options.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where a segment is missing, damaged, or
  ///   of another job.
  package func session(_ change: (inout TranscodeOptions) -> Void) async throws
    -> TranscodeSession
  {
    for file in [job.input] + job.files { try file.check() }
    var options = job.transcodeOptions
    options.isSegmented = true
    change(&options)
    let encoded = try await Pipeline.onThread("join") { [self] checkpoint in
      try video(checkpoint)
    }
    return try await TranscodeSession(
      input: job.input.path, output: job.output, settings: TranscodeSettings(job.settings),
      options: options, encoded: encoded)
  }

  /// The frames of all segments, as if one encoder had made them.
  private func video(_ checkpoint: Pipeline.Checkpoint) throws -> EncodedVideo {
    let missing = job.segments.map(\.number).filter {
      PosixPath.kind(of: folder.segmentPath($0)) == .nothing
    }
    guard missing.isEmpty else {
      let list = missing.prefix(8).map { "\($0)" }.joined(separator: ", ")
      throw TranscodingError(
        .unusableInput,
        "\(folder.path): \(missing.count.counted("segment is", "segments are")) missing: \(list)"
          + (missing.count > 8 ? ", …" : ""))
    }
    let files = try job.segments.map { segment in
      try checkpoint()
      return try SegmentFile(segment.number, of: job, in: folder)
    }
    try check(files)
    let decodeTimes = DecodeOrder(files.map(\.rows)).times
    let timescale = job.timescale
    return EncodedVideo(
      parameterSets: Array(files[0].facts.parameterSets), report: files[0].facts.report,
      contentLightLevel: Self.lightLevel(files.map(\.facts)),
      counts: Self.counts(files.map(\.facts), ofAll: files.count == 1)
    ) {
      var reader = SegmentsReader(files, decodeTimes, timescale: timescale)
      return { try reader.next() }
    }
  }

  /// - Throws: ``TranscodingError`` where segments do not belong together.
  private func check(_ files: [SegmentFile]) throws {
    for (segment, file) in zip(job.segments, files) {
      let facts = file.facts
      var fault: String?
      if facts.parameterSets != files[0].facts.parameterSets {
        fault = "has other parameter sets than the first"
      } else if facts.encoder != files[0].facts.encoder
        || facts.effective != files[0].facts.effective
      {
        fault = "was encoded with other parameters than the first"
      }
      guard let fault else { continue }
      throw TranscodingError(
        .unusableInput,
        "\(folder.segmentPath(segment.number)) \(fault); remove it, and encode the segment again")
    }
  }

  /// The largest of all: both are bounds.
  private static func lightLevel(_ facts: [SegmentFacts]) -> ContentLightLevel? {
    let levels = facts.compactMap(\.contentLightLevel)
    guard levels.count == facts.count,
      let brightest = levels.map(\.maxContentLightLevel).max(),
      let mean = levels.map(\.maxPicAverageLightLevel).max()
    else { return nil }
    return ContentLightLevel(maxContentLightLevel: brightest, maxPicAverageLightLevel: mean)
  }

  /// The sums. Frames before a segment are hidden from its reader, and not from the presentation.
  private static func counts(_ facts: [SegmentFacts], ofAll isOne: Bool) -> FrameCounts {
    var sum = FrameCounts()
    for counts in facts.map(\.counts) {
      sum.concealed += counts.concealed
      sum.repairedTimes += counts.repairedTimes
      sum.hidden += isOne ? counts.hidden : 0
    }
    return sum
  }
}
