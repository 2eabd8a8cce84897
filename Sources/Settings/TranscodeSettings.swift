// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import ColorConversion
public import MediaCore
public import VideoEncoders

/// The treatment of frames with a clean aperture (`clap`).
package enum CleanApertureMode: String, Sendable, CaseIterable {
  /// Frames stay whole, and the output states the clean aperture.
  case keep
  /// Frames are cropped to the clean aperture, its edges rounded to whole samples of chroma.
  case crop
}

/// The treatment of interlaced frames.
package enum DeinterlaceMode: String, Sendable, CaseIterable {
  /// They stay interlaced.
  case off
  /// One whole frame is made of each that is interlaced; others stay as they are.
  case auto
  /// One whole frame is made of each, interlaced or not.
  case frame
  /// Two whole frames are made of each, one for each field.
  case bob
}

/// The treatment of frames that are turned or mirrored for display.
package enum RotationMode: String, Sendable, CaseIterable {
  /// Frames stay as they are, and the output's matrix turns them.
  case keep
  /// Samples are turned, and the output's matrix turns nothing.
  case apply
}

/// The treatment of samples that are not square.
package enum PixelAspectMode: String, Sendable, CaseIterable {
  /// Their shape is kept, and stated in the output.
  case keep
  /// Frames are scaled until samples are square.
  case square
}

/// The treatment of black bars.
package enum CropMode: String, Sendable, CaseIterable {
  /// They stay.
  case none
  /// They are found, and cut off.
  case auto
}

/// The origin of the content light level (`kVTCompressionPropertyKey_ContentLightLevelInfo`).
package enum ContentLightLevelOrigin: String, Sendable, CaseIterable {
  /// The source states it, and it is still true.
  case source
  /// It is measured from the output's frames (CTA-861.3, Annex P of CTA-861).
  case measure
}

/// The settings of a transcode, in the shape of a preset's JSON.
public struct TranscodeSettings: Sendable {
  /// The treatment of dates, places and names.
  public enum MetadataSettings: String, Sendable, CaseIterable {
    /// They are carried over.
    case preserve
    /// They are left out.
    case none
  }

  /// The preset's name.
  public var name = "custom"
  /// The purpose of the settings, for people; nil if they do not say.
  public var description: String?
  /// The container; nil where the output's extension decides.
  public var container: FileType?
  /// The settings for video.
  public var video: VideoSettings
  /// The treatment of audio.
  public var audio = AudioSettings.auto
  /// The tracks that are taken over.
  package var tracks = TrackSettings()
  /// The treatment of dates, places and names.
  public var metadata = MetadataSettings.preserve

  /// Settings for video, with the defaults for all else.
  public init(video: VideoSettings) { self.video = video }

  /// The paths of files that the settings name and that are read: overlays.
  package var files: [String] { [video.composition?.overlay?.file].compactMap { $0 } }
}

/// The settings for video.
public struct VideoSettings: Sendable {
  /// The way to a given width and height (`AVVideoScalingModeKey`).
  public enum ScalingMode: String, Sendable, CaseIterable {
    /// Keeps the aspect ratio by making width or height smaller, and never enlarges. The given size
    /// is turned to the frame's orientation.
    case fit
    /// Changes the aspect ratio.
    case resize
    /// Keeps the aspect ratio, with black around the frame.
    case resizeAspect
    /// Keeps the aspect ratio, cuts off the parts outside.
    case resizeAspectFill
  }

  /// The HDR metadata that is made for the output
  /// (`kVTCompressionPropertyKey_HDRMetadataInsertionMode`). The source's own static HDR metadata
  /// and HDR10+ are kept in both modes where they are still true of the output.
  public enum HDRMetadataInsertionMode: String, Sendable, CaseIterable {
    /// In HDR outputs, Dolby Vision is kept, or 8.4 computed for HLG, and an ambient viewing
    /// environment is assumed for HLG where the source states none.
    case auto
    /// No Dolby Vision is written, neither RPUs nor a record, and nothing is assumed. Copied
    /// samples keep what the source has, and nothing is made for them.
    case none
  }

  /// The codec to encode with, by x265 or x264; nil to copy the source's samples as they are.
  public var codec: VideoCodec?
  /// Profile and level; nil for what fits.
  public var profileLevel: ProfileLevel?
  /// Width in luma samples, 2…16384; nil for the source's, or the one that follows from the height
  /// and the aspect ratio.
  public var width: Int?
  /// Height in luma rows, 2…16384; nil for the source's, or the one that follows from the width and
  /// the aspect ratio.
  public var height: Int?
  /// The way to the width and height.
  public var scalingMode = ScalingMode.fit
  /// The treatment of frames with a clean aperture.
  package var cleanAperture = CleanApertureMode.keep
  /// The treatment of interlaced frames.
  package var deinterlace = DeinterlaceMode.off
  /// The treatment of frames that are turned for display.
  package var rotation = RotationMode.keep
  /// The treatment of samples that are not square.
  package var pixelAspect = PixelAspectMode.keep
  /// The treatment of black bars.
  package var crop = CropMode.none
  /// The frames a second.
  package var frameRate = FrameRateSetting.source
  /// The meaning of the output's colors; nil to propagate the source's.
  public var colorProperties: ColorDescription?
  /// True if pixels may stay in a wide or HDR space (`AVVideoAllowWideColorKey`).
  public var allowWideColor = true
  /// The options for conversions of color.
  public var conversion = ConversionOptions()
  /// Full range (true) or limited; nil for the source's.
  public var videoFullRangeFlag: Bool?
  /// The location of chroma samples in 4:2:0; nil for the source's, stated if the source states it.
  public var chromaLocation: ChromaLocation?
  /// Depth and subsampling, in whatever layout; nil for what fits codec, profile and source.
  public var pixelFormat: PixelFormat?
  /// The control of quality or bit rate; nil for the codec's default.
  public var rateControl: RateControl?
  /// The encoder's name for its balance of speed and compression.
  public var speed = VideoEncoderSettings.usualSpeed
  /// The most frames between sync samples, 1…100 000; nil for the encoder's default.
  public var maxKeyFrameInterval: Int?
  /// True if frames may be coded out of order.
  public var allowFrameReordering = true
  /// The HDR metadata that is made for the output.
  public var hdrMetadataInsertionMode = HDRMetadataInsertionMode.auto
  /// True if dynamic HDR metadata of the source is used.
  public var preserveDynamicHDRMetadata = true
  /// The origin of MaxCLL and MaxFALL.
  package var contentLightLevel = ContentLightLevelOrigin.source
  /// The steps for each frame before it is encoded; nil for none.
  package var composition: CompositionSettings?
  /// Options handed to the encoder as they are.
  public var encoderOptions: [String: String] = [:]

  /// The defaults of a codec: the source's size and colors, constant quality.
  public init(codec: VideoCodec?) { self.codec = codec }

  /// The name that presets have for copying samples.
  static let passthrough = "passthrough"
}
