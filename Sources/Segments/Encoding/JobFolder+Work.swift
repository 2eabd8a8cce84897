// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore
internal import Planning
internal import Settings

/// Works on one segment of a job.
extension JobFolder {
  /// Encodes a segment unless it is already encoded.
  ///
  /// - Parameter threads: the number of threads of the decoder, and of the encoder if it is x265 or
  ///   SVT-AV1; 0 to choose by the number of cores that this process may use.
  /// - Returns: whether the segment was missing before.
  /// - Throws: ``TranscodingError`` if there is no usable job, or if segments that this host
  ///   encodes would not fit the others.
  package func encode(_ number: Int, threads: Int) async throws -> Bool {
    let job = try jobForThisHost()
    let threads = threads > 0 ? threads : WorkModel.threads(cores: WorkerCount.cores)
    guard job.segments.indices.contains(number) else {
      throw TranscodingError(
        .invalidSettings,
        "there is no segment \(number): the job has segments 0 to \(job.segments.count - 1)")
    }
    let path = segmentPath(number)
    let planned = job.segments[number]
    guard try await !SegmentFile.missing(among: [planned], of: job, in: self).isEmpty else {
      return false
    }
    try await Pipeline.onThread("check") { _ in try job.checkFiles() }
    let source = try await SegmentSource(
      input: job.input.path, output: job.output, settings: TranscodeSettings(job.settings),
      options: job.transcodeOptions)
    // A lease does not lock other processes out. That does no harm, because two processes that
    // encode the same segment get the same samples.
    let lease = LeaseHolder(self, number: number)
    defer { lease.release() }
    let clock = ContinuousClock.now
    let (segment, writer): (EncodedSegment, SegmentWriter)
    do {
      (segment, writer) = try await Self.encode(
        planned.frames, of: source, threads: threads, lease
      ) { try SegmentWriter(path: path, timescale: job.timescale) }
    } catch let error as TranscodingError where error.code == .unfitSegment {
      // The run that started this worker sees only its exit code, which cannot say that the segment
      // is unfit. Without the mark, the run would fail instead of letting one process encode the
      // whole file.
      try markUnfit(number, because: error.message)
      throw error
    }
    let seconds = clock.duration(to: .now) / .seconds(1)
    try await Pipeline.onThread("store") { _ in
      try writer.finish(SegmentFacts(segment, of: job, number: number, seconds: seconds))
    }
    return true
  }

  /// Encodes the frames of a segment. As long as they leave the coded picture buffer (the decoder's
  /// buffer for encoded frames) too empty, encodes them again at a lower rate.
  private static func encode(
    _ range: SegmentRange, of source: SegmentSource, threads: Int, _ lease: LeaseHolder,
    to makeWriter: () throws -> SegmentWriter
  ) async throws -> (EncodedSegment, SegmentWriter) {
    var lowered: LoweredRate?
    while true {
      let writer = try makeWriter()
      let segment = try await source.encode(
        range, lowered: lowered, threads: threads, to: writer.write, encoded: lease.advance)
      lowered = try source.loweredRate(lowered, of: range, after: segment)
      if lowered == nil { return (segment, writer) }
      lease.restart()
    }
  }
}
