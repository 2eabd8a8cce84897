// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorTagging
internal import DolbyVision
package import ISOBMFF
package import LibAV
public import MediaCore
package import NALUnits

/// One track of an asset, with everything that the file says about it.
public struct AssetTrack: Sendable {
  package let path: String
  /// The track as the demuxer reports it.
  package private(set) var demuxed: DemuxedTrack
  /// Which parts of the media are presented, and when.
  package private(set) var timeline: EditTimeline
  /// The samples that the timeline needs, if it is only a part of the presentation. `nil` if it
  /// needs all samples, or if the samples are unknown.
  package private(set) var span: SampleSpan?
  /// The samples that are needed to copy a part of a raw stream. Decoding the part needs all
  /// samples, because a raw stream's samples get times only when they are copied.
  private var rawSpan: SampleSpan?
  /// The boxes of a movie's track; `nil` for other files.
  package let box: Movie.Track?
  /// The facts about video; `nil` for other tracks.
  package private(set) var video: VideoFacts?
  /// Metadata from frames before a part, as far as it is still in force where the part begins.
  package private(set) var heldMetadata = FrameMetadata()
  /// The track with the enhancement layer of this track's frames. An array, because a structure
  /// cannot contain itself.
  private var layers: [AssetTrack] = []
  /// Whether the frames are the enhancement layer of another track's frames, judging by the RPUs.
  package private(set) var isPairedLayer = false
  private var layerDelay = MediaTime.zero

  /// The index of the sample entry that describes the first sample of a copy.
  package private(set) var copiedEntryIndex = 0

  /// The kind of media in the track.
  public var mediaType: MediaType { demuxed.kind }

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

  /// The track that has the enhancement layer of this track's frames, and the delay to add to that
  /// track's media times to get this track's media times. `nil` if no other track has the layer.
  package var enhancementLayer: (track: AssetTrack, delay: MediaTime)? {
    layers.first.map { ($0, layerDelay) }
  }

  /// Returns the track with its enhancement layer attached.
  package func enhanced(by layer: AssetTrack) -> AssetTrack {
    var track = self
    track.layers = [layer]
    // The delay between the media times never changes, but only the whole timelines give it. They
    // may later be cut to a part, so compute the delay now.
    track.layerDelay = (layer.timeline.delay ?? .zero) - (timeline.delay ?? .zero)
    return track
  }

  /// The track as the enhancement layer of another track.
  package var asEnhancementLayer: AssetTrack {
    var track = self
    track.isPairedLayer = true
    return track
  }

  /// Returns the track, limited to a part of the presentation.
  ///
  /// - Parameters:
  ///   - timeline: the timeline of the part.
  ///   - span: the samples that the part needs.
  ///   - rawSpan: the samples that a copy of the part needs, if the track is a raw stream.
  package func presenting(
    _ timeline: EditTimeline, span: SampleSpan?, rawSpan: SampleSpan? = nil
  ) -> AssetTrack {
    var track = self
    (track.timeline, track.span, track.rawSpan) = (timeline, span, rawSpan)
    return track
  }

  /// Returns the track of a part, with the metadata from earlier frames that is still in force
  /// where the part begins.
  package func holding(_ metadata: FrameMetadata) -> AssetTrack {
    var track = self
    track.heldMetadata = metadata
    for value in metadata.all where value.fault == nil {
      track.video?.hdrMetadata.frames.put(value)
    }
    return track
  }

  /// Returns the track for a copy that begins with a packet.
  ///
  /// - Throws: ``LibAVError``.
  package func beginning(with packet: Packet) throws(LibAVError) -> AssetTrack {
    var track = self
    track.demuxed = try demuxed.beginning(with: packet)
    if demuxed.kind == .video {
      track.copiedEntryIndex = box?.entryIndex(ofSample: copiedSpan?.samples.lowerBound ?? 0) ?? 0
    }
    return track
  }

  /// The sample entry that describes the first sample of a copy; `nil` if there is none.
  package var copiedEntry: SampleEntry? {
    let entries = box?.sampleEntries ?? []
    return entries.indices.contains(copiedEntryIndex) ? entries[copiedEntryIndex] : entries.first
  }

  /// The samples that a copy of the part takes; `nil` if it takes all samples.
  package var copiedSpan: SampleSpan? { span ?? rawSpan }

  /// The approximate size in bytes of the samples that the timeline presents, from the tables of a
  /// movie; `nil` if there are no tables.
  package var dataSize: Double? {
    // For a `UInt64`, `map(Double.init)` would choose the initializer that takes a bit pattern.
    guard let size = box?.dataSize.map({ Double($0) }) else { return nil }
    if let span {
      return size * Double(span.samples.count)
        / Double(max(demuxed.sampleCount, span.samples.count, 1))
    }
    guard let whole = demuxed.duration?.seconds, whole > 0, let shown = timeline.duration?.seconds
    else { return size }
    return size * min(shown / whole, 1)
  }

  /// The four characters of the sample entry; `nil` if the container has none.
  public var sampleEntry: String? { box?.firstUsedEntry.map { "\($0.format)" } }
  /// The nine numbers of the transformation matrix in `tkhd`; `nil` if the file is not a movie.
  package var matrix: [Int32]? { box?.header.matrix }
  /// The transformation matrix of any container; `nil` if it has none.
  package var statedMatrix: [Int32]? { box == nil ? demuxed.displayMatrix : matrix }

  /// Whether players show the track by default (flag 1 of `tkhd`); `true` if the container does not
  /// say.
  package var isEnabled: Bool { box.map { $0.header.flags & 1 == 1 } ?? true }

  /// The duration of the track's presentation; `nil` if unknown.
  public var presentedDuration: MediaTime? {
    if let duration = timeline.duration { return duration }
    guard let start = timeline.mediaStart, let length = demuxed.duration else { return nil }
    let first = demuxed.startTime ?? .zero
    // If fragments begin late, libavformat's duration is the time at which the last fragment ends.
    // It is not the time from the first fragment to that end.
    let isEnd = box != nil && demuxed.sampleCount == 0 && first > Self.longestDelay
    return max((isEnd ? length : first + length) - start, .zero)
  }

  /// The longest delay from decoding to presentation. A later start means a late fragment.
  private static let longestDelay = MediaTime(value: 1, timescale: 1)

  /// The duration to assume for a frame whose duration is unknown.
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
  /// The content of the bitstream's parameter sets; `nil` if the codec is not read here.
  package let bitstream: BitstreamSummary?
  /// The size of a decoded frame in samples.
  package let size: VideoDimensions
  /// The depth and subsampling of a decoded frame.
  package let format: PixelFormat
  package let isRGB: Bool
  /// Whether frames have an alpha channel. Its values are not read.
  package let hasAlpha: Bool
  /// Whether the first frame has captions (ATSC A/53).
  package let hasCaptions: Bool
  /// The order of the fields, or that frames are progressive.
  package let fieldOrder: FieldOrder
  /// The HDR metadata, wherever it was found.
  package fileprivate(set) var hdrMetadata: HDRMetadata
  /// The codec's configuration, compared with the first sample; `nil` if they were not compared.
  package let configurationCheck: ConfigurationCheck?

  package init(
    claims: [SignalClaim], tags: ResolvedTags, bitstream: BitstreamSummary?,
    size: VideoDimensions, format: PixelFormat, isRGB: Bool, hasAlpha: Bool,
    hasCaptions: Bool = false, fieldOrder: FieldOrder, hdrMetadata: HDRMetadata,
    configurationCheck: ConfigurationCheck? = nil
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
    self.configurationCheck = configurationCheck
  }
}

extension VideoFacts {
  /// Returns how a kind of dynamic metadata appears in the name of the frames' dynamic range, such
  /// as "Dolby Vision 8.4"; `nil` if it is not named there.
  package func dynamicRange(of kind: any DynamicHDRMetadataKind.Type) -> String? {
    let codec = bitstream.flatMap { CodecParameters.bitstream(named: $0.codecName) }
    return kind.dynamicRange(in: hdrMetadata, codecProfile: codec?.dolbyVisionProfile)
  }

  /// The chroma location that is believed; `nil` if stating it would make no difference.
  package var meaningfulChromaLocation: ChromaLocation? {
    // An undeclared location is read as left, and only 4:2:0 has a location.
    guard format.chromaSubsampling == .cs420, tags.signal.chromaLocation != .left else {
      return nil
    }
    return tags.signal.chromaLocation
  }
}
