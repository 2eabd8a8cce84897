// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import ColorConversion
public import MediaCore
public import VideoEncoders

/// The settings of a transcode, structured like a preset's JSON.
public struct TranscodeSettings: Sendable {
  /// What happens to dates, locations and names.
  public enum MetadataSettings: String, Sendable, CaseIterable {
    /// They are copied.
    case preserve
    /// They are dropped.
    case none
  }

  /// The preset's name, which appears in reports.
  public var name = "custom"
  /// What the settings are for, as text.
  public var description: String?
  /// The container of an output whose name has no extension, or whose name is made from the
  /// source's. For other outputs, the extension decides, even if this is set.
  public var container: FileType?
  /// The settings for the video track.
  public var video: VideoSettings
  /// What happens to audio tracks.
  public var audio = AudioSettings.auto
  /// Which tracks the output gets from the source: `tracks` in a preset.
  public var tracks = TrackSettings()
  /// What happens to dates, locations and names.
  public var metadata = MetadataSettings.preserve

  /// Creates settings with defaults for everything but video.
  public init(video: VideoSettings) { self.video = video }

  // A run has to know every file that it reads, so that no output replaces one of them.
  /// The paths of files that the settings name, such as overlays.
  package var files: [String] { [video.composition?.overlay?.file].compactMap { $0 } }
}

/// The settings for a video track.
public struct VideoSettings: Sendable {
  /// How to reach a given width and height (`AVVideoScalingModeKey`).
  public enum ScalingMode: String, Sendable, CaseIterable {
    /// Keeps the aspect ratio within the given size, and never enlarges. Width and height are
    /// swapped if the frame is portrait and the given size is landscape, or the reverse.
    case fit
    /// Changes the aspect ratio.
    case resize
    /// Keeps the aspect ratio and adds black around the frame.
    case resizeAspect
    /// Keeps the aspect ratio and cuts off what does not fit.
    case resizeAspectFill
  }

  /// Which HDR metadata is made for the output
  /// (`kVTCompressionPropertyKey_HDRMetadataInsertionMode`).
  ///
  /// Both modes keep the source's static HDR metadata, HDR10+ and curves of ST 2094-50, as long as
  /// they are true of the output.
  public enum HDRMetadataInsertionMode: String, Sendable, CaseIterable {
    /// HDR outputs keep Dolby Vision, or get profile 8.4 (10.4 in AV1) if they are HLG. HLG outputs
    /// get the usual ambient viewing environment if the source has none.
    case auto
    /// Dolby Vision's RPUs and configuration record are not written, and no ambient viewing
    /// environment is assumed. Copied samples keep what the source has.
    case none
  }

  /// The codec to encode with, or `nil` to copy the source's samples.
  public var codec: VideoCodec?
  /// The profile and level, or `nil` to choose ones that fit.
  public var profileLevel: ProfileLevel?
  /// The width in luma samples, 2…16384. `nil` means the source's width, or one that is computed
  /// from the height.
  public var width: Int?
  /// The height in luma rows, 2…16384. `nil` means the source's height, or one that is computed
  /// from the width.
  public var height: Int?
  /// How to reach the width and height.
  public var scalingMode = ScalingMode.fit
  /// What happens to frames with a clean aperture.
  public var cleanAperture = CleanApertureMode.keep
  /// What happens to interlaced frames.
  public var deinterlace = DeinterlaceMode.off
  /// What happens to frames that are rotated for display.
  public var rotation = RotationMode.keep
  /// What happens to samples that are not square.
  public var pixelAspect = PixelAspectMode.keep
  /// What happens to black bars. With `auto`, a ``composition`` that crops is refused.
  public var crop = CropMode.none
  /// The output's frame rate, 0.1…1000 frames a second.
  public var frameRate = FrameRateSetting.source
  /// What the output's colors mean, or `nil` to keep the source's tags.
  public var colorProperties: ColorDescription?
  // Apple's default is false. A preset that silently turned HDR into SDR would surprise everybody.
  /// Whether pixels may stay in a wide or HDR space (`AVVideoAllowWideColorKey`).
  public var allowWideColor = true
  /// How to convert colors, if a conversion is needed.
  public var conversion = ConversionOptions()
  /// Whether the output has full range. `nil` means the source's range.
  public var videoFullRangeFlag: Bool?
  /// The location of chroma samples in 4:2:0. `nil` keeps the source's location, and the output
  /// declares a location only if the source declares one.
  public var chromaLocation: ChromaLocation?
  /// The bit depth and chroma subsampling, or `nil` for what fits codec, profile and source.
  public var pixelFormat: PixelFormat?
  /// The quality or bit rate, or `nil` for the codec's default: a rate factor of 20, or of 26 for
  /// AV1. The default may change in a later version.
  public var rateControl: RateControl?
  /// The encoder's trade-off between speed and compression: `ultrafast`…`placebo`. AV1 also takes a
  /// number, `0`…`13`.
  ///
  /// The default, `medium`, may change in a later version.
  public var speed = VideoEncoderSettings.usualSpeed
  /// The maximum number of frames from one sync sample to the next, 1…100 000, or `nil` for the
  /// encoder's default.
  public var maxKeyFrameInterval: Int?
  /// The maximum time from one sync sample to the next in seconds, 0.01…86 400, or `nil` for no
  /// limit (`AVVideoMaxKeyFrameIntervalDurationKey`).
  ///
  /// The time is converted to a number of frames at the output's average rate. If
  /// ``maxKeyFrameInterval`` is set as well, the smaller number wins.
  public var maxKeyFrameIntervalDuration: Double?
  /// Limits of the data rate, which apply together (`kVTCompressionPropertyKey_DataRateLimits`).
  ///
  /// The encoder keeps to them with a model of the decoder's buffer (VBV). They cannot be combined
  /// with lossless coding, nor with encoder options that set up this buffer.
  public var dataRateLimits: [DataRateLimit] = []
  /// Whether frames may be coded out of display order.
  public var allowFrameReordering = true
  /// Which HDR metadata is made for the output.
  public var hdrMetadataInsertionMode = HDRMetadataInsertionMode.auto
  /// Whether the source's dynamic HDR metadata is used.
  public var preserveDynamicHDRMetadata = true
  /// Which dynamic HDR metadata the output gets.
  public var hdrMetadata = HDRMetadataSettings()
  /// Where MaxCLL and MaxFALL come from. Measuring or stating them needs an output in HLG or PQ.
  public var contentLightLevel = ContentLightLevelOrigin.source
  /// Where the mastering display comes from. Stating one needs an output in HLG or PQ.
  public var masteringDisplay = MasteringDisplayOrigin.source
  /// What is done to each frame before it is encoded, or `nil` for nothing.
  public var composition: CompositionSettings?
  /// Options that are passed to the encoder unchanged.
  public var encoderOptions: [String: String] = [:]

  /// Creates the default settings of a codec: the source's size and colors, and constant quality.
  public init(codec: VideoCodec?) { self.codec = codec }

  /// The word in presets for copying the samples.
  static let passthrough = "passthrough"
}
