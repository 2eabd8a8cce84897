public import CodePoints
public import ColorTagging
public import DolbyVision
internal import ISOBMFF
public import LibAV
public import MediaCore
public import NALUnits

/// One track of an asset, with all that its places say of it.
public struct AssetTrack: Sendable {
  /// The file that the track is in.
  let path: String
  /// What the demuxer tells.
  public let demuxed: DemuxedTrack
  /// Which parts of the media are presented, and when.
  public let timeline: EditTimeline
  /// The boxes of a movie file's track; nil for other files.
  let box: Movie.Track?
  /// What is known of a video track's pictures; nil for other tracks.
  public let video: VideoFacts?

  /// The four characters of the sample entry; nil where the container has none.
  public var sampleEntry: String? { box?.sampleEntries.first.map { "\($0.format)" } }
  /// The transformation matrix of `tkhd`, nine numbers; nil where the container has none.
  public var matrix: [Int32]? { box?.header.matrix }

  /// How long the track is presented; nil if unknown.
  public var presentedDuration: MediaTime? {
    if let duration = timeline.duration { return duration }
    guard let start = timeline.mediaStart, let length = demuxed.duration else { return nil }
    let first = demuxed.startTime ?? .zero
    return max(first + length - start, .zero)
  }

  /// The duration to take for a frame whose duration nobody knows.
  var usualFrameDuration: MediaTime {
    guard let rate = demuxed.averageFrameRate, let ticks = Int32(exactly: rate.numerator)
    else { return MediaTime(value: 1, timescale: 30) }
    return MediaTime(value: Int64(rate.denominator), timescale: ticks)
  }
}

/// What is known of a video track's pictures, from its boxes, its bitstream and its first frame.
public struct VideoFacts: Sendable {
  /// What each place says of color, range and chroma location.
  public let claims: [SignalClaim]
  /// What that amounts to.
  public let tags: ResolvedTags
  /// What the bitstream says; nil for codecs that are not read here.
  public let bitstream: BitstreamSummary?
  /// Samples in a row and rows of a decoded picture.
  public let size: VideoDimensions
  /// Depth and subsampling of a decoded picture.
  public let format: PixelFormat
  /// Whether samples are R'G'B'.
  public let isRGB: Bool
  /// Whether pictures have an opacity, which is not read.
  public let hasAlpha: Bool
  /// Whether pictures are interlaced.
  public let fieldOrder: FieldOrder
  /// Static HDR metadata, wherever it was found.
  public let hdrMetadata: HDRMetadata
}

/// The HDR metadata of a track and where it was found.
public struct HDRMetadata: Sendable {
  /// A value and the places that state it: a box's name, an SEI message, the decoder.
  public struct Finding<Value: Sendable>: Sendable {
    /// The value that is believed: of what places state, the first that makes sense.
    public let value: Value
    /// The places that state it, in the order in which they are believed.
    public let places: [String]
    /// What other places state in its stead.
    public var others: [Other] = []

    /// Another value and the places that state it.
    public struct Other: Sendable {
      /// The value.
      public var value: Value
      /// The places, in the order in which they are believed.
      public var places: [String]
    }
  }

  /// The mastering display.
  public var masteringDisplay: Finding<MasteringDisplayColorVolume>?
  /// The content's light levels.
  public var contentLightLevel: Finding<ContentLightLevel>?
  /// The ambient viewing environment.
  public var ambientViewingEnvironment: Finding<AmbientViewingEnvironment>?
  /// The Dolby Vision configuration record and its box.
  public var dolbyVision: Finding<ConfigurationRecord>?
  /// Whether the first access units carry Dolby Vision RPUs.
  public var hasDolbyVisionRPU = false
  /// The first of them that can be read.
  var dolbyVisionRPU: ReferenceProcessingUnit?
  /// Whether the first access units carry units of Dolby Vision's enhancement layer.
  public var hasDolbyVisionEnhancementLayer = false
  /// Whether the first access units carry HDR10+ metadata.
  public var hasHDR10Plus = false

  /// What is still true of pictures that were made of these.
  var ofOtherPictures: HDRMetadata {
    var metadata = self
    (metadata.hasDolbyVisionRPU, metadata.dolbyVision) = (false, nil)
    (metadata.dolbyVisionRPU, metadata.hasDolbyVisionEnhancementLayer) = (nil, false)
    (metadata.hasHDR10Plus, metadata.contentLightLevel) = (false, nil)
    return metadata
  }

  static let dolbyVisionName = "Dolby Vision"

  /// What there is, for people.
  var names: [String] {
    var names: [String] = []
    if hasDolbyVisionRPU || dolbyVision != nil { names.append(Self.dolbyVisionName) }
    if hasHDR10Plus { names.append("HDR10+") }
    if ambientViewingEnvironment != nil { names.append("the ambient viewing environment") }
    if masteringDisplay != nil { names.append("the mastering display") }
    if contentLightLevel != nil { names.append("the content light level") }
    return names
  }
}
