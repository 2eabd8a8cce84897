// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import Host
internal import LibAV
package import MediaCore
internal import Planning
internal import Transcoding
package import VideoEncoders
package import Writing

/// What is known about an encoded segment, besides its samples.
package struct EncodedSegment: Sendable {
  /// The parameter sets, with start codes; for AV1, the content of `av1C`. They are the same for
  /// all segments.
  package let parameterSets: [UInt8]
  /// The requested parameters, and those that the encoder used.
  package let report: EncoderParameterReport
  /// The light levels of its frames; `nil` if they were not measured.
  package let contentLightLevel: ContentLightLevel?
  /// What was counted while its frames were read.
  package let counts: FrameCounts
  package let frameCount: Int
  /// How full the coded picture buffer is after the last frame; `nil` without a buffer.
  let fullness: BufferFullness?
}

extension SegmentSource {
  /// Encodes one segment.
  ///
  /// - Parameters:
  ///   - lowered: the rate of the buffer, if the segment is encoded again; `nil` for the first try.
  ///   - threads: the number of threads of the decoder and of the pool of x265 or SVT-AV1; 0 for as
  ///     many as there are cores.
  ///   - sink: takes the samples, in decoding order.
  ///   - encoded: is called after each frame that was encoded.
  /// - Throws: ``TranscodingError``, with the code `unfitSegment` if a segment with a planned start
  ///   is damaged or has different frames than planned; `CancellationError`.
  package func encode(
    _ range: SegmentRange, lowered: LoweredRate? = nil, threads: Int,
    to sink: @escaping @Sendable (EncodedSample) throws -> Void,
    encoded: @escaping @Sendable () -> Void
  ) async throws -> EncodedSegment {
    let (reading, encoder) = try await Pipeline.onThread("open") { _ in
      try withMeaning {
        (
          Exclusive(try SegmentReading(self, range, threads: threads)),
          try plan(of: range, lowered).withPool(of: threads).openEncoder()
        )
      }
    }
    let pipeline = Pipeline()
    let decoded = pipeline.queue(of: VideoFrame.self, capacity: 4)
    let samples = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
    pipeline.start("read") {
      try withMeaning { try reading.use { try $0.run(into: decoded) } }
    }
    let frames = try FrameStages(video).start(in: pipeline, from: decoded)
    let first = range.start.map { MediaTime(value: $0, timescale: track.demuxed.timescale) }
    let result = Exclusive<EncodedSegment?>(nil)
    pipeline.start("encode") {
      let output = TrackWriter(index: 0, queue: samples) { _ in encoded() }
      // If a segment left the coded picture buffer too empty, it is encoded again with a model of
      // the buffer. Frames before the segment would change how full the modeled buffer is when the
      // segment begins, so this time they are not shown to the encoder. They are only noted,
      // because the metadata of the segment's first frame depends on them.
      try withMeaning {
        try Self.encode(
          frames, from: first, follows: lowered == nil, by: encoder, output, boxes)
      }
    }
    pipeline.start("write") {
      let segment = try withMeaning {
        try write(samples, of: range, to: sink, report: encoder.report)
      }
      result.use { $0 = segment }
    }
    try await pipeline.finish()
    guard let segment = result.use({ $0 }) else { throw CancellationError() }
    return try reading.use { try complete(segment, of: range, read: $0) }
  }

  /// Does work, and makes its errors name the source.
  private func withMeaning<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  /// Adds to a segment what its reader counted.
  ///
  /// - Throws: ``TranscodingError`` with the code `unfitSegment` if the segment does not have the
  ///   planned frames.
  private func complete(
    _ segment: EncodedSegment, of range: SegmentRange, read reading: SegmentReading
  ) throws -> EncodedSegment {
    if let fault = reading.fault { throw unfit(range, because: fault) }
    guard range.frameCount ?? segment.frameCount == segment.frameCount else {
      let wanted = range.frameCount.map { " instead of \($0.counted("frame"))" } ?? ""
      throw unfit(range, because: "it has \(segment.frameCount.counted("frame"))\(wanted)")
    }
    return EncodedSegment(
      parameterSets: segment.parameterSets, report: segment.report,
      contentLightLevel: segment.contentLightLevel, counts: reading.counts,
      frameCount: segment.frameCount, fullness: segment.fullness)
  }

  /// - Parameter follows: whether the encoder gets the frames before the segment.
  private static func encode(
    _ frames: FrameQueue, from first: MediaTime?, follows: Bool, by encoder: EncodingStage,
    _ output: TrackWriter, _ boxes: TrackBoxes
  ) throws {
    try encoder.open(output)
    while let frame = try frames.pop() {
      // Frames before the segment only teach the encoder about the scene that continues in the
      // segment. Their samples belong to the previous segment.
      if let first, frame.presentationTimeStamp < first {
        if follows { try encoder.follow(frame) } else { encoder.note(frame) }
      } else {
        try encoder.encode(frame, to: output)
      }
    }
    try encoder.finish(boxes, to: output)
  }

  /// The boxes of the track. Encoding a segment adds only measured values to them.
  private var boxes: TrackBoxes {
    var boxes = TrackBoxes(timeline: track.timeline)
    boxes.describe(encoding)
    return boxes
  }

  /// Hands samples on until the track ends.
  private func write(
    _ samples: BoundedQueue<MovieWriter.Item>, of range: SegmentRange,
    to sink: (EncodedSample) throws -> Void, report: EncoderParameterReport
  ) throws -> EncodedSegment {
    var parameterSets: [UInt8] = []
    var count = 0
    var fullness = encoder.buffer.flatMap { buffer in
      range.fullness.map { BufferFullness(buffer, share: $0) }
    }
    while let item = try samples.pop() {
      switch item.content {
      case .open(.encoded(let format)): parameterSets = format.parameterSets
      case .sample(let sample):
        try sink(sample)
        fullness?.take(sample)
        count += 1
      case .end(let boxes):
        return EncodedSegment(
          parameterSets: parameterSets, report: report,
          contentLightLevel: boxes.hdrMetadata.measuredContentLightLevel,
          counts: FrameCounts(), frameCount: count, fullness: fullness)
      case .open, .packet: break
      }
    }
    // The queue ends before the track only if the pipeline is cancelled.
    throw CancellationError()
  }

  func unfit(_ range: SegmentRange, because reason: String) -> TranscodingError {
    TranscodingError(
      .unusableInput,
      "\(asset.path): the segment from frame \(range.firstFrame) on cannot be encoded alone: "
        + reason, code: .unfitSegment)
  }
}
