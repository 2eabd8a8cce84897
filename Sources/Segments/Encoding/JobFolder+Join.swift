// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore
package import Planning
internal import Settings
package import Transcoding
internal import Writing

/// Joins the segments of a job.
extension JobFolder {
  /// Makes a session that writes the output of the job, with the frames of its segments.
  ///
  /// - Parameter change: changes the options that the session takes from the job.
  /// - Throws: ``TranscodingError`` if there is no usable job; of kind `unusableInput` if a segment
  ///   is missing or damaged, or belongs to another job.
  package func joiningSession(
    _ change: (inout TranscodeOptions) -> Void
  ) async throws -> TranscodeSession {
    let job = try jobForThisHost()
    var options = job.transcodeOptions
    // The plan must be the workers' plan, which is made for segments.
    options.isSegmented = true
    change(&options)
    let encoded = try await Pipeline.onThread("join") { checkpoint in
      try job.checkFiles()
      return try video(of: job, checkpoint)
    }
    return try await TranscodeSession(
      input: job.input.path, output: job.output, settings: TranscodeSettings(job.settings),
      options: options, encoded: encoded)
  }

  /// Returns the frames of all segments, as if one encoder had made them.
  private func video(
    of job: SegmentJob, _ checkpoint: Pipeline.Checkpoint
  ) throws -> EncodedVideo {
    let missing = job.segments.map(\.number).filter {
      PosixPath.kind(of: segmentPath($0)) == .nothing
    }
    guard missing.isEmpty else {
      let list = missing.prefix(8).map { "\($0)" }.joined(separator: ", ")
      throw TranscodingError(
        .unusableInput,
        "\(path): \(missing.count.counted("segment is", "segments are")) missing: \(list)"
          + (missing.count > 8 ? ", …" : "")
          + "; encode \(missing.count == 1 ? "it" : "them") first")
    }
    let files = try job.segments.map { segment in
      try checkpoint()
      return try SegmentFile(segment.number, of: job, in: self)
    }
    try check(files, of: job)
    let decodeTimes = SegmentFile.decodeTimes(of: files.map(\.rows))
    let timescale = job.timescale
    return EncodedVideo(
      parameterSets: Array(files[0].facts.parameterSets), report: files[0].facts.report,
      contentLightLevel: Self.lightLevel(files.map(\.facts)),
      counts: Self.counts(files.map(\.facts), ofAll: files.count == 1)
    ) { Self.reader(of: files, at: decodeTimes, timescale: timescale) }
  }

  /// Returns a function that reads the next sample each time it is called, in the order of the
  /// segments, and returns `nil` after the last sample.
  ///
  /// - Parameter decodeTimes: decode times of all samples, in ticks.
  private static func reader(
    of files: [SegmentFile], at decodeTimes: [Int64], timescale: Int32
  ) -> () throws -> EncodedSample? {
    // The next file, the next sample in it, and where that sample's data begins.
    var (file, row, place) = (0, 0, SegmentFile.firstPlace)
    var count = 0
    func time(_ ticks: Int64) -> MediaTime { MediaTime(value: ticks, timescale: timescale) }
    return {
      while files.indices.contains(file), row == files[file].rows.count {
        (file, row, place) = (file + 1, 0, SegmentFile.firstPlace)
      }
      guard files.indices.contains(file) else { return nil }
      let sample = files[file].rows[row]
      let bytes = try files[file].data(of: sample, at: place)
      defer { (row, place, count) = (row + 1, place + UInt64(sample.size), count + 1) }
      return EncodedSample(
        bytes: bytes, presentationTimeStamp: time(sample.time),
        decodeTimeStamp: time(decodeTimes[count]),
        duration: time(sample.duration), isSync: sample.isSync)
    }
  }

  /// - Throws: ``TranscodingError`` if segments do not belong together.
  private func check(_ files: [SegmentFile], of job: SegmentJob) throws {
    for (segment, file) in zip(job.segments, files) {
      let facts = file.facts
      var fault: String?
      // The sample entry contains the parameter sets for all samples of the track (ISO/IEC
      // 14496-15), so all segments must have the same sets.
      if facts.parameterSets != files[0].facts.parameterSets {
        fault = "has different parameter sets than the first segment"
      } else if facts.encoder != files[0].facts.encoder
        || facts.effective != files[0].facts.effective
      {
        fault = "was encoded with different parameters than the first segment"
      }
      guard let fault else { continue }
      throw TranscodingError(segmentAt: segmentPath(segment.number), fault)
    }
  }

  /// Returns the light levels of the whole video; `nil` if those of a segment were not measured.
  private static func lightLevel(_ facts: [SegmentFacts]) -> ContentLightLevel? {
    let levels = facts.compactMap(\.contentLightLevel)
    // MaxCLL and MaxFALL are maxima over all frames, so the largest values of the segments are the
    // values of the whole video. If one segment has no values, those of the whole video are
    // unknown.
    guard levels.count == facts.count,
      let brightest = levels.map(\.maxContentLightLevel).max(),
      let mean = levels.map(\.maxPicAverageLightLevel).max()
    else { return nil }
    return ContentLightLevel(maxContentLightLevel: brightest, maxPicAverageLightLevel: mean)
  }

  /// Returns the sums of the segments' counts.
  private static func counts(_ facts: [SegmentFacts], ofAll isOne: Bool) -> FrameCounts {
    var sum = FrameCounts()
    for counts in facts.map(\.counts) {
      sum.concealed += counts.concealed
      sum.repairedTimes += counts.repairedTimes
      // A segment's reader counts the frames before the segment as hidden, but other segments
      // present them. So the count of hidden frames is right only if there is a single segment.
      sum.hidden += isOne ? counts.hidden : 0
    }
    return sum
  }
}
