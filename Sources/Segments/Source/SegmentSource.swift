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

/// A source whose frames are encoded in segments: what of it every segment has to know.
package struct SegmentSource: Sendable {
  /// The work that is planned for the whole.
  package let plan: TranscodePlan
  /// The settings that the encoder gets.
  package var encoder: VideoEncoderSettings { encoding.encoder }
  /// The size and the format of the source's frames.
  package var sourceFrame: (VideoDimensions, PixelFormat) {
    let facts = encoding.pictures.facts
    return (facts.size, facts.format)
  }
  /// The shots that tone curves are fitted to; nil where there is one curve.
  package var shots: ShotPlan? { encoding.shots }
  /// True if each frame carries a Dolby Vision RPU.
  package var hasRPUs: Bool { encoding.hdrMetadata.dolbyVision != nil }

  let asset: MediaAsset
  let options: TranscodeOptions
  let video: VideoPlan
  let encoding: EncodingPlan

  /// Looks at a file and decides, as a session does.
  ///
  /// - Parameter output: the path of the file that the segments are joined to.
  /// - Throws: ``TranscodingError`` as a session would; of kind `invalidSettings` where no frames
  ///   are encoded.
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
        .invalidSettings, "\(input): no frames are encoded, so that there are no segments")
    }
    (self.video, self.encoding) = (video, encoding)
  }

  /// Number of frames before a segment that its encoder has to know: the last, where a frame's part
  /// of the output depends on the frame before, or more for the rate control, where a scene goes
  /// on.
  ///
  /// - Parameter beginsScene: true if they are of another scene.
  func framesAhead(isStill: Bool, beginsScene: Bool) -> Int {
    let learnt =
      beginsScene ? 0 : encoding.codec.encoder.framesAhead(encoder, isStill: isStill)
    return max(learnt, encoding.hdrMetadata.computesRPUs ? 1 : 0)
  }

  /// Reason that the frames cannot be encoded in several segments; nil for none.
  var obstacle: SegmentObstacle? {
    asset.missingData != nil || asset.endsInsidePacket ? .damagedSource : plan.segmentObstacle
  }

  /// The track whose frames are encoded.
  var track: AssetTrack { video.track }

  /// A reader for some samples of the track.
  ///
  /// - Parameters:
  ///   - span: the samples; nil for all.
  ///   - threads: number of threads that decode, 0 for as many as there are cores; nil to read
  ///     samples as they are.
  ///   - firstWanted: when the first frame begins that is wanted; nil for all.
  func reader(
    of span: SampleSpan?, threads: Int?, concealsDamage: Bool = true,
    needing kinds: [any DynamicHDRMetadataKind.Type] = [], firstWanted: MediaTime? = nil
  ) throws -> AssetReading {
    let part = span.map { track.presenting(track.timeline, span: $0) }
    let output = try TrackReading(
      track: part ?? track, decodes: threads != nil, concealsDamage: concealsDamage,
      needing: kinds, threads: threads ?? 0, firstWanted: firstWanted)
    return try AssetReading(
      part.map { asset.part(tracks: [$0], chapters: []) } ?? asset, for: [output])
  }

  /// The bounds of all frames as one segment.
  package static let whole = SegmentRange(firstFrame: 0)
}

/// The frames of a segment.
package struct SegmentRange: Hashable, Sendable, Codable {
  /// The number of the first among those that are presented, from 0.
  package var firstFrame: Int
  /// Number of frames; nil where only decoding tells, of a source in one segment.
  package var frameCount: Int?
  /// Start time of the first, in ticks of the track's media; nil for the first of all.
  package var start: Int64?
  /// Start time of the frame behind the segment; nil for the end of the media.
  package var end: Int64?
  /// Start time of the first of the frames before the segment that are read for the encoder to know
  /// them; nil for none.
  package var before: Int64?
  /// Samples that have to be decoded for them; nil for all.
  package var decoding: Decoding?
  /// Share of the coded picture buffer that is full before the first frame; nil where none is asked
  /// for.
  package var fullness: Double?

  /// The frames from one to the end.
  init(firstFrame: Int) { self.firstFrame = firstFrame }

  /// The samples that have to be decoded: from a sync sample on, with those that lead it or
  /// without. Times are in ticks of the track's media.
  package struct Decoding: Hashable, Sendable, Codable {
    /// The numbers of the first sample and of the one behind the last that is presented, in the
    /// order of decoding.
    package let samples: Range<Int>
    /// Presentation time of the first.
    package let start: Int64
    /// Presentation time of the last sample that is read.
    package let last: Int64
    /// True if samples are left out that are presented before the first.
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
