// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import ColorConversion
public import MediaCore
public import VideoEncoders

/// What happens to frames with a clean aperture (`clap`).
package enum CleanApertureMode: String, Sendable, CaseIterable {
  /// Frames stay whole, and the output declares the clean aperture.
  case keep
  /// Frames are cropped to the clean aperture, with edges rounded to whole chroma samples.
  case crop
}

/// What happens to interlaced frames.
package enum DeinterlaceMode: String, Sendable, CaseIterable {
  /// They stay interlaced.
  case off
  /// Each interlaced frame becomes one progressive frame. Others stay as they are.
  case auto
  /// Each frame becomes one progressive frame, interlaced or not.
  case frame
  /// Each frame becomes two progressive frames, one for each field.
  case bob
}

/// What happens to frames that are rotated or mirrored for display.
package enum RotationMode: String, Sendable, CaseIterable {
  /// Frames stay as they are, and the output's matrix rotates them.
  case keep
  /// Samples are rotated, and the output's matrix does nothing.
  case apply
}

/// What happens to samples that are not square.
package enum PixelAspectMode: String, Sendable, CaseIterable {
  /// They keep their shape, and the output declares it.
  case keep
  /// Frames are scaled until samples are square.
  case square
}

/// What happens to black bars.
package enum CropMode: String, Sendable, CaseIterable {
  case none
  /// They are detected and cut off.
  case auto
}

/// Where the content light level comes from (`kVTCompressionPropertyKey_ContentLightLevelInfo`).
package enum ContentLightLevelOrigin: String, Sendable, CaseIterable {
  /// The source's values, as long as they are still true.
  case source
  /// Measured from the output's frames (CTA-861.3, Annex P of CTA-861).
  case measure
}

/// The settings of a transcode, structured like a preset's JSON.
public struct TranscodeSettings: Sendable {
  /// What happens to dates, locations and names.
  public enum MetadataSettings: String, Sendable, CaseIterable {
    /// They are copied.
    case preserve
    /// They are dropped.
    case none
  }

  /// The preset's name, which reports repeat.
  public var name = "custom"
  /// What the settings are for, as text.
  public var description: String?
  /// The container, or `nil` if the output's extension decides.
  public var container: FileType?
  /// The settings for the video track.
  public var video: VideoSettings
  /// What happens to audio tracks.
  public var audio = AudioSettings.auto
  /// Which tracks are taken over.
  package var tracks = TrackSettings()
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
    /// Keeps the aspect ratio within the given size, and never enlarges. The size is turned to
    /// match a portrait frame.
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
  /// Both modes keep the source's static HDR metadata and HDR10+ as long as they are true of the
  /// output.
  public enum HDRMetadataInsertionMode: String, Sendable, CaseIterable {
    /// HDR outputs keep Dolby Vision, or get profile 8.4 for HLG. HLG gets an assumed ambient
    /// viewing environment if the source has none.
    case auto
    /// No Dolby Vision is written, neither RPUs nor a record, and nothing is assumed. Copied
    /// samples keep what the source has.
    case none
  }

  /// The codec to encode with, or `nil` to copy the source's samples.
  public var codec: VideoCodec?
  /// The profile and level, or `nil` for what fits.
  public var profileLevel: ProfileLevel?
  /// The width in luma samples, 2…16384. `nil` means the source's, or what follows from the height.
  public var width: Int?
  /// The height in luma rows, 2…16384. `nil` means the source's, or what follows from the width.
  public var height: Int?
  /// How to reach the width and height.
  public var scalingMode = ScalingMode.fit
  /// What happens to frames with a clean aperture.
  package var cleanAperture = CleanApertureMode.keep
  /// What happens to interlaced frames.
  package var deinterlace = DeinterlaceMode.off
  /// What happens to frames that are rotated for display.
  package var rotation = RotationMode.keep
  /// What happens to samples that are not square.
  package var pixelAspect = PixelAspectMode.keep
  /// What happens to black bars.
  package var crop = CropMode.none
  /// The output's frame rate.
  package var frameRate = FrameRateSetting.source
  /// What the output's colors mean, or `nil` to propagate the source's tags.
  public var colorProperties: ColorDescription?
  // Apple's default is false. A preset that silently turned HDR into SDR would surprise everybody.
  /// Whether pixels may stay in a wide or HDR space (`AVVideoAllowWideColorKey`).
  public var allowWideColor = true
  /// How colors are converted, if they are.
  public var conversion = ConversionOptions()
  /// Whether the output has full range. `nil` means the source's range.
  public var videoFullRangeFlag: Bool?
  /// Where chroma samples lie in 4:2:0. `nil` means where the source has them, declared if the
  /// source declares it.
  public var chromaLocation: ChromaLocation?
  /// The bit depth and chroma subsampling, or `nil` for what fits codec, profile and source.
  public var pixelFormat: PixelFormat?
  /// The quality or bit rate, or `nil` for the codec's default.
  public var rateControl: RateControl?
  /// The encoder's own name for its trade-off between speed and compression.
  public var speed = VideoEncoderSettings.usualSpeed
  /// The maximum number of frames between sync samples, 1…100 000, or `nil` for the encoder's
  /// default.
  public var maxKeyFrameInterval: Int?
  /// Whether frames may be coded out of display order.
  public var allowFrameReordering = true
  /// Which HDR metadata is made for the output.
  public var hdrMetadataInsertionMode = HDRMetadataInsertionMode.auto
  /// Whether the source's dynamic HDR metadata is used.
  public var preserveDynamicHDRMetadata = true
  /// Where MaxCLL and MaxFALL come from.
  package var contentLightLevel = ContentLightLevelOrigin.source
  /// What is done to each frame before it is encoded.
  package var composition: CompositionSettings?
  /// Options that are passed to the encoder unchanged.
  public var encoderOptions: [String: String] = [:]

  /// Creates the defaults of a codec: the source's size and colors, constant quality.
  public init(codec: VideoCodec?) { self.codec = codec }

  /// How presets spell "copy the samples".
  static let passthrough = "passthrough"
}
