// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorTagging
internal import DolbyVision
package import ISOBMFF
package import LibAV
public import MediaCore
package import NALUnits

/// One track of an asset, with all that its places say of it.
public struct AssetTrack: Sendable {
  /// The file that the track is in.
  package let path: String
  /// The track as the demuxer reports it.
  package let demuxed: DemuxedTrack
  /// Parts of the media that are presented, and their times.
  package private(set) var timeline: EditTimeline
  /// The samples that the timeline needs, where it is that of a part of the presentation; nil for
  /// all, or where nothing tells.
  package private(set) var span: SampleSpan?
  /// The boxes of a movie file's track; nil for other files.
  package let box: Movie.Track?
  /// The facts about video; nil for other tracks.
  package let video: VideoFacts?

  /// The kind of media in the track.
  public var mediaType: MediaType { demuxed.kind }

  /// A track from its parts.
  package init(
    path: String, demuxed: DemuxedTrack, timeline: EditTimeline, box: Movie.Track?,
    video: VideoFacts?
  ) {
    self.path = path
    self.demuxed = demuxed
    self.timeline = timeline
    self.box = box
    self.video = video
  }

  /// The track of a part of the presentation.
  package func presenting(_ timeline: EditTimeline, span: SampleSpan?) -> AssetTrack {
    var track = self
    (track.timeline, track.span) = (timeline, span)
    return track
  }

  /// The bytes of the samples by the tables of a movie, as many as the timeline presents of them;
  /// nil where no table tells.
  package var dataSize: Double? {
    // Not by Double.init, which of a UInt64 takes the bits.
    guard let size = box?.dataSize.map({ Double($0) }) else { return nil }
    if let span {
      return size * Double(span.samples.count)
        / Double(max(demuxed.sampleCount, span.samples.count, 1))
    }
    guard demuxed.kind == .audio, let whole = demuxed.duration?.seconds, whole > 0,
      let shown = timeline.duration?.seconds
    else { return size }
    return size * min(shown / whole, 1)
  }

  /// The four characters of the sample entry; nil where the container has none.
  public var sampleEntry: String? { box?.sampleEntries.first.map { "\($0.format)" } }
  /// The transformation matrix of `tkhd`, nine numbers; nil where the container has none.
  package var matrix: [Int32]? { box?.header.matrix }
  /// The transformation matrix of any container; nil where it states none.
  package var statedMatrix: [Int32]? { box == nil ? demuxed.displayMatrix : matrix }

  /// True if players show the track unless they are told not to (flag 1 of `tkhd`); true where the
  /// container does not say.
  package var isEnabled: Bool { box.map { $0.header.flags & 1 == 1 } ?? true }

  /// The duration of the track's presentation; nil if unknown.
  public var presentedDuration: MediaTime? {
    if let duration = timeline.duration { return duration }
    guard let start = timeline.mediaStart, let length = demuxed.duration else { return nil }
    let first = demuxed.startTime ?? .zero
    // Of fragments that begin late, libavformat's duration is the time at which the last ends.
    let isEnd = box != nil && demuxed.sampleCount == 0 && first > Self.longestDelay
    return max((isEnd ? length : first + length) - start, .zero)
  }

  /// Frames are presented later than they are decoded by less than that.
  private static let longestDelay = MediaTime(value: 1, timescale: 1)

  /// The duration to take for a frame whose duration is unknown.
  package var usualFrameDuration: MediaTime {
    guard let rate = demuxed.averageFrameRate, let ticks = Int32(exactly: rate.numerator)
    else { return MediaTime(value: 1, timescale: 30) }
    return MediaTime(value: Int64(rate.denominator), timescale: ticks)
  }
}

/// The facts about a video track, from its boxes, its bitstream and its first frame.
package struct VideoFacts: Equatable, Sendable {
  /// The claims of all places about color, range and chroma location.
  package let claims: [SignalClaim]
  /// The tags that are believed.
  package let tags: ResolvedTags
  /// The content of the bitstream's parameter sets; nil for codecs that are not read here.
  package let bitstream: BitstreamSummary?
  /// Samples in a row and rows of a decoded frame.
  package let size: VideoDimensions
  /// Depth and subsampling of a decoded frame.
  package let format: PixelFormat
  /// True if samples are R'G'B'.
  package let isRGB: Bool
  /// True if frames have an opacity, which is not read.
  package let hasAlpha: Bool
  /// True if the first frame holds captions (ATSC A/53).
  package let hasCaptions: Bool
  /// The order of the fields, or that frames are progressive.
  package let fieldOrder: FieldOrder
  /// Static HDR metadata, wherever it was found.
  package let hdrMetadata: HDRMetadata

  /// Facts from their parts.
  package init(
    claims: [SignalClaim], tags: ResolvedTags, bitstream: BitstreamSummary?,
    size: VideoDimensions, format: PixelFormat, isRGB: Bool, hasAlpha: Bool,
    hasCaptions: Bool = false, fieldOrder: FieldOrder, hdrMetadata: HDRMetadata
  ) {
    self.claims = claims
    self.tags = tags
    self.bitstream = bitstream
    self.size = size
    self.format = format
    self.isRGB = isRGB
    self.hasAlpha = hasAlpha
    self.hasCaptions = hasCaptions
    self.fieldOrder = fieldOrder
    self.hdrMetadata = hdrMetadata
  }
}

extension VideoFacts {
  /// The chroma location that is believed, where it says something else than none does: an unstated
  /// one is read as left, and only 4:2:0 has one.
  package var meaningfulChromaLocation: ChromaLocation? {
    guard format.chromaSubsampling == .cs420, tags.signal.chromaLocation != .left else {
      return nil
    }
    return tags.signal.chromaLocation
  }
}
