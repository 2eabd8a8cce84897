// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// The format of a track's samples: `CMFormatDescription`.
///
/// The color extensions carry H.273's code points under Core Media's names: ``colorPrimaries``,
/// ``transferFunction`` and ``yCbCrMatrix`` are `colour_primaries`, `transfer_characteristics` and
/// `matrix_coefficients`.
public struct FormatDescription: Hashable, Sendable {
  /// The codec as the sample entry spells it.
  public var mediaSubType: MediaSubType
  /// The size of a frame in luma samples.
  public var dimensions: VideoDimensions
  /// Color, range, chroma location and static HDR metadata, each under its key:
  /// `extensions[.colorPrimaries]`.
  public var extensions: Attachments
  /// The payload of `dvcC` or `dvvC`; `nil` unless the track is Dolby Vision.
  public var dolbyVisionConfiguration: [UInt8]?

  /// Makes a description from its parts.
  public init(
    mediaSubType: MediaSubType, dimensions: VideoDimensions, extensions: Attachments,
    dolbyVisionConfiguration: [UInt8]? = nil
  ) {
    self.mediaSubType = mediaSubType
    self.dimensions = dimensions
    self.extensions = extensions
    self.dolbyVisionConfiguration = dolbyVisionConfiguration
  }

  /// Makes the description of a frame, as `CMVideoFormatDescriptionCreateForImageBuffer` does.
  ///
  /// The subtype is Core Video's code for the pixel format. If Core Video has no code for it, the
  /// subtype is the format's ``PixelFormat/description``.
  public init(_ frame: PixelBuffer) {
    let format = frame.format
    let isFullRange = frame.attachments.signal.videoFullRangeFlag
    self.init(
      mediaSubType: MediaSubType(
        rawValue: format.osType(videoFullRangeFlag: isFullRange) ?? format.description),
      dimensions: VideoDimensions(width: frame.width, height: frame.height),
      extensions: frame.attachments)
  }

  /// `kCMFormatDescriptionExtension_ColorPrimaries`; `nil` if unstated.
  public var colorPrimaries: ColorPrimaries? { extensions[.colorPrimaries] }

  /// `kCMFormatDescriptionExtension_TransferFunction`; `nil` if unstated.
  public var transferFunction: TransferCharacteristics? { extensions[.transferFunction] }

  /// `kCMFormatDescriptionExtension_YCbCrMatrix`; `nil` if unstated.
  public var yCbCrMatrix: MatrixCoefficients? { extensions[.yCbCrMatrix] }

  /// `kCMFormatDescriptionExtension_FullRangeVideo`; `nil` if unstated.
  public var fullRangeVideo: Bool? { extensions[.fullRangeVideo] }

  /// Whether the transfer function is HLG or PQ.
  public var isHDR: Bool { transferFunction?.isHDR == true }

  /// Whether the primaries enclose more colors than those of BT.709 and BT.601.
  public var isWideGamut: Bool { colorPrimaries?.isWideGamut == true }
}

/// A codec, named by the four characters of its sample entry: `CMFormatDescription.MediaSubType`.
/// In files without sample entries, such as Matroska, this is FFmpeg's name for the codec.
public struct MediaSubType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The four characters: `hvc1`.
  public let rawValue: String

  /// Makes a codec from its characters.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a codec from its characters.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  // Apple's players refuse `hev1`, so it is written only if samples contain parameter sets.
  /// HEVC, with the parameter sets only in the sample entry.
  public static let hevc = Self(rawValue: "hvc1")
  /// H.264, with the parameter sets only in the sample entry.
  public static let h264 = Self(rawValue: "avc1")
  /// Dolby Vision in HEVC that only Dolby Vision decoders show with the right colors.
  public static let dolbyVisionHEVC = Self(rawValue: "dvh1")
  /// Apple ProRes 422.
  public static let proRes422 = Self(rawValue: "apcn")

  /// The characters of the code, as in ``rawValue``.
  public var description: String { rawValue }
}

/// How a frame's two fields follow each other in time, if the frame is interlaced.
public enum FieldOrder: String, Sendable {
  /// The frame shows one moment in time.
  case progressive
  /// The even rows, counted from 0, are the earlier field.
  case topFirst
  /// The odd rows, counted from 0, are the earlier field.
  case bottomFirst
}
