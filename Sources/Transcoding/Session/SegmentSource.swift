// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ColorConversion
internal import LibAV
package import MediaCore
internal import NALUnits
package import Settings
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
    plan = try TranscodePlan(
      planning: asset, range: range, output: output, settings: settings, options: options)
    guard let video = plan.video, let encoding = video.encoding else {
      throw TranscodingError(
        .invalidSettings, "\(input): no frames are encoded, so that there are no segments")
    }
    (self.video, self.encoding) = (video, encoding)
  }

  /// True if a frame's part of the output depends on the frame before.
  var needsFrameBefore: Bool { encoding.hdrMetadata.computesRPUs }

  /// What keeps the frames from being encoded in several segments; nil for nothing.
  var obstacle: SegmentObstacle? {
    asset.missingData != nil || asset.endsInsidePacket ? .damagedSource : plan.segmentObstacle
  }

  /// The track whose frames are encoded.
  var track: AssetTrack { video.track }

  /// The bounds of all frames as one segment.
  package static let whole = SegmentRange(firstFrame: 0)
}

/// The frames of a segment.
package struct SegmentRange: Hashable, Sendable, Codable {
  /// The number of the first among those that are presented, from 0.
  package var firstFrame: Int
  /// How many there are; nil where only decoding tells, of a source in one segment.
  package var frameCount: Int?
  /// When the first begins, in ticks of the track's media; nil for the first of all.
  var start: Int64?
  /// When the first frame begins that comes after the segment; nil for the end of the media.
  var end: Int64?
  /// When the frame begins that is looked at and not encoded, because others depend on it; nil for
  /// none.
  var before: Int64?
  /// Where decoding begins; nil for the beginning.
  var decodingStart: DecodingStart?

  /// The frames from one to the end.
  init(firstFrame: Int) { self.firstFrame = firstFrame }
}
