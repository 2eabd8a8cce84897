public import CodePoints
public import ColorConversion
public import MediaCore
public import VideoEncoders

/// How a picture is brought into a given width and height (`AVVideoScalingModeKey`).
public enum ScalingMode: String, Sendable, CaseIterable {
  /// Keeps the aspect ratio by making width or height smaller, and never enlarges. The given size
  /// is turned to the picture's orientation.
  case fit
  /// Changes the aspect ratio.
  case resize
  /// Keeps the aspect ratio, with black around the picture.
  case resizeAspect
  /// Keeps the aspect ratio, cuts off what is outside.
  case resizeAspectFill
}

/// What becomes of pictures of which only a part is meant to be seen (`clap`).
public enum CleanApertureMode: String, Sendable, CaseIterable {
  /// The pictures stay whole, and the output says which part of them is meant to be seen.
  case keep
  /// Nothing but this part becomes pictures, its edges rounded to whole samples of chroma.
  case crop
}

/// What becomes of audio.
public enum AudioSettings: String, Sendable, CaseIterable {
  /// Packets are carried over as they are.
  case passthrough
  /// There is none.
  case none
}

/// What becomes of dates, places and names.
public enum MetadataSettings: String, Sendable, CaseIterable {
  /// It is carried over.
  case preserve
  /// It is left out.
  case none
}

/// Whether HDR metadata is made for the output
/// (`kVTCompressionPropertyKey_HDRMetadataInsertionMode`). What the source itself states of its
/// mastering display, its light levels and its surroundings, and HDR10+, is kept in both modes
/// where it is still true of the output.
public enum HDRMetadataInsertionMode: String, Sendable, CaseIterable {
  /// Where the output is HDR: Dolby Vision is kept, or 8.4 computed for HLG, and an ambient viewing
  /// environment is assumed for 8.4 where the source states none.
  case auto
  /// No Dolby Vision is written, neither RPUs nor a record, and nothing is assumed. Of samples that
  /// are copied, what the source has stays, and nothing is made for it.
  case none
}

/// Where the content light level comes from (`kVTCompressionPropertyKey_ContentLightLevelInfo`).
public enum ContentLightLevelOrigin: String, Sendable, CaseIterable {
  /// The source states it, and it is still true.
  case source
  /// It is measured from the output's pictures (CTA-861.3, Annex P of CTA-861).
  case measure
}

/// The settings of a transcode, in the shape of a preset's JSON.
public struct TranscodeSettings: Sendable {
  /// The preset's name.
  public var name = "custom"
  /// What it is for.
  public var description: String?
  /// The container; nil where the output's extension decides.
  public var container: FileType?
  /// Pictures.
  public var video: VideoSettings
  /// Audio.
  public var audio = AudioSettings.passthrough
  /// Dates, places, names.
  public var metadata = MetadataSettings.preserve

  /// Settings for pictures, with the defaults for all else.
  public init(video: VideoSettings) { self.video = video }

  /// The paths of files that the settings name and that are read: overlays.
  public var files: [String] { [video.composition?.overlay?.file].compactMap { $0 } }
}

/// The settings for pictures.
public struct VideoSettings: Sendable {
  /// The codec that pictures are encoded with, by x265 or x264; nil to copy the source's samples as
  /// they are.
  public var codec: VideoCodec?
  /// Profile and level; nil for what fits.
  public var profileLevel: ProfileLevel?
  /// Width in luma samples; nil for the source's, or what the height and the aspect ratio give.
  public var width: Int?
  /// Height in luma rows; nil for the source's, or what the width and the aspect ratio give.
  public var height: Int?
  /// How the size is reached.
  public var scalingMode = ScalingMode.fit
  /// What becomes of pictures of which only a part is meant to be seen.
  public var cleanAperture = CleanApertureMode.keep
  /// What the output's colors mean; nil to propagate the source's.
  public var colorProperties: ColorDescription?
  /// Whether pixels may stay in a wide or HDR space (`AVVideoAllowWideColorKey`).
  public var allowWideColor = true
  /// How colors are converted where they are.
  public var conversion = ConversionOptions()
  /// Full range (true) or limited; nil for the source's.
  public var videoFullRangeFlag: Bool?
  /// Where the chroma samples of 4:2:0 lie; nil for where the source's do, stated if it states it.
  public var chromaLocation: ChromaLocation?
  /// Depth and subsampling; nil for what fits codec, profile and source.
  public var pixelFormat: PixelFormat?
  /// How the amount of data is decided; nil for the codec's default.
  public var rateControl: RateControl?
  /// The encoder's name for its balance of speed and compression.
  public var speed = "medium"
  /// The most frames between sync samples; nil for the encoder's default.
  public var maxKeyFrameInterval: Int?
  /// Whether frames may be coded out of order.
  public var allowFrameReordering = true
  /// Whether HDR metadata is made.
  public var hdrMetadataInsertionMode = HDRMetadataInsertionMode.auto
  /// Whether dynamic HDR metadata is carried over.
  public var preserveDynamicHDRMetadata = true
  /// Where MaxCLL and MaxFALL come from.
  public var contentLightLevel = ContentLightLevelOrigin.source
  /// What is done to each picture before it is encoded; nil for nothing.
  public var composition: CompositionSettings?
  /// Options handed to the encoder as they are.
  public var encoderOptions: [String: String] = [:]

  /// The defaults of a codec: the source's size and colors, constant quality.
  public init(codec: VideoCodec?) { self.codec = codec }

  /// The name that presets have for copying samples.
  static let passthrough = "passthrough"
}
