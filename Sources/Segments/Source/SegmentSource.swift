// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ColorConversion
internal import Host
internal import LibAV
package import MediaCore
internal import NALUnits
package import Planning
internal import Reading
package import Settings
package import Shots
package import VideoEncoders

/// A source whose frames are encoded in segments. It contains what the encoder of each segment has
/// to know about the whole file.
package struct SegmentSource: Sendable {
  /// The plan for the whole file.
  package let plan: TranscodePlan
  /// The settings of the encoder.
  package var encoder: VideoEncoderSettings { encoding.encoder }
  /// The size and the pixel format of the source's frames.
  package var sourceFrame: (VideoDimensions, PixelFormat) {
    let facts = encoding.frameSource.facts
    return (facts.size, facts.format)
  }
  /// The shots that tone curves are fitted to; `nil` if one curve serves all frames.
  package var shots: ShotPlan? { encoding.shots }
  /// Whether each frame carries a Dolby Vision RPU.
  package var hasRPUs: Bool { encoding.hdrMetadata.dolbyVision != nil }

  let asset: MediaAsset
  let options: TranscodeOptions
  let video: VideoPlan
  let encoding: EncodingPlan

  /// Reads a file and makes a plan, as a session does.
  ///
  /// - Parameter output: the path of the file that the segments are joined to.
  /// - Throws: the same ``TranscodingError`` as a session, and one of kind `invalidSettings` if no
  ///   frames are encoded.
  package init(
    input: String, output: String, settings: TranscodeSettings, options: TranscodeOptions
  ) async throws {
    var options = options
    options.isSegmented = true
    self.options = options
    let (asset, range) = try await MediaAsset.load(
      path: input, range: options.range, where: settings.tracks.video.contains)
    self.asset = asset
    plan = try await TranscodePlan.planned(
      asset, range: range, output: output, settings: settings, options: options)
    guard let video = plan.video, let encoding = video.encoding else {
      throw TranscodingError(
        .invalidSettings, "\(input): no frames are encoded, so there are no segments")
    }
    (self.video, self.encoding) = (video, encoding)
  }

  /// Returns how many of the frames before a segment its encoder has to know.
  ///
  /// - Parameters:
  ///   - isStill: whether the frames before the segment hardly differ.
  ///   - beginsScene: whether those frames belong to a different scene than the segment.
  func framesAhead(isStill: Bool, beginsScene: Bool) -> Int {
    // x264 gives a key frame the mean quality of the frames before it, so x264 has to encode some
    // of them first. Frames of another scene would teach it nothing.
    let learnt =
      beginsScene ? 0 : encoding.codec.encoder.framesAhead(encoder, isStill: isStill)
    // Measured RPUs say whether a shot begins. It takes the previous frame to find that out.
    return max(learnt, encoding.hdrMetadata.computesRPUs ? 1 : 0)
  }

  /// Why the frames cannot be encoded in several segments; `nil` if they can.
  var obstacle: SegmentObstacle? {
    asset.missingData != nil || asset.endsInsidePacket ? .damagedSource : plan.segmentObstacle
  }

  var track: AssetTrack { video.track }

  /// Makes a reader for some samples of the track.
  ///
  /// - Parameters:
  ///   - span: the samples; `nil` for all.
  ///   - threads: number of decoding threads, 0 for as many as there are cores; `nil` to read
  ///     samples without decoding them.
  ///   - leavesReshaping: whether frames of Dolby Vision 5 or 10.0 are reshaped later, by the
  ///     conversion, and not by the reader.
  ///   - firstWanted: the start time of the first frame that is needed; `nil` if all are needed.
  func reader(
    of span: SampleSpan?, threads: Int?, concealsDamage: Bool = true,
    needing kinds: [any DynamicHDRMetadataKind.Type] = [], leavesReshaping: Bool = false,
    firstWanted: MediaTime? = nil
  ) throws -> AssetReading {
    let part = span.map { track.presenting(track.timeline, span: $0) }
    let output = try TrackReading(
      track: part ?? track, decodes: threads != nil, concealsDamage: concealsDamage,
      needing: kinds, leavesReshaping: leavesReshaping, threads: threads ?? 0,
      firstWanted: firstWanted)
    return try AssetReading(
      part.map { asset.part(tracks: [$0], chapters: []) } ?? asset, for: [output])
  }

  /// All frames as one segment.
  package static let whole = SegmentRange(firstFrame: 0)
}

package struct SegmentRange: Hashable, Sendable, Codable {
  /// The first frame's number among all presented frames, from 0.
  package var firstFrame: Int
  /// The number of frames; `nil` if it is known only after decoding, or if an obstacle made listing
  /// them unnecessary. In these cases, there is a single segment.
  package var frameCount: Int?
  /// When the first frame starts, in ticks of the track's media; `nil` if ``frameCount`` is `nil`.
  package var start: Int64?
  /// When the frame after the segment starts, in the same ticks; `nil` at the end of the media.
  package var end: Int64?
  /// The encoder may need some of the frames before the segment. This is when the first of them
  /// starts, in the same ticks; `nil` if it needs none.
  package var before: Int64?
  /// The samples to decode for the frames; `nil` for all.
  package var decoding: Decoding?
  /// How full the coded picture buffer is before the first frame, 0…1; `nil` without a buffer.
  package var fullness: Double?

  /// Makes a segment of all frames from a given one to the end.
  init(firstFrame: Int) { self.firstFrame = firstFrame }

  /// The samples to decode. They begin at a sync sample. Times are in ticks of the track's media.
  package struct Decoding: Hashable, Sendable, Codable {
    /// The numbers of the samples in decoding order: from the first sample to the last one that is
    /// presented.
    package let samples: Range<Int>
    /// The presentation time of the first sample.
    package let start: Int64
    /// The presentation time of the last sample that is read.
    package let last: Int64
    /// Whether to leave out samples that follow the first one but are presented before it.
    let dropsLeading: Bool

    init(_ span: SampleSpan, timescale: Int32) {
      samples = span.samples
      start = span.start.converted(to: timescale).value
      last = span.lastDecoded.converted(to: timescale).value
      dropsLeading = span.dropsLeading
    }

    func span(timescale: Int32) -> SampleSpan {
      let last = MediaTime(value: last, timescale: timescale)
      return SampleSpan(
        samples: samples, start: MediaTime(value: start, timescale: timescale), last: last,
        lastDecoded: last, dropsLeading: dropsLeading, hiddenCount: 0)
    }
  }
}
