// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// The format of a track's samples: `CMFormatDescription` with its extensions.
///
/// Below, the words are those of H.273; here they meet Core Media's: ``colorPrimaries``,
/// ``transferFunction`` and ``yCbCrMatrix`` are `colour_primaries`, `transfer_characteristics` and
/// `matrix_coefficients`.
public struct FormatDescription: Hashable, Sendable {
  /// The four characters of the codec: `hvc1`, `avc1`; FFmpeg's name where the file has none.
  public var codecType: String
  /// Luma samples in a row (`CMVideoDimensions`).
  public var width: Int
  /// Luma rows.
  public var height: Int
  /// Color, range, chroma location and static HDR metadata.
  public var attachments: Attachments
  /// The content of `dvcC` or `dvvC`; nil for other than Dolby Vision.
  public var dolbyVisionConfiguration: [UInt8]?

  /// A description from its parts.
  public init(
    codecType: String, width: Int, height: Int, attachments: Attachments,
    dolbyVisionConfiguration: [UInt8]? = nil
  ) {
    self.codecType = codecType
    self.width = width
    self.height = height
    self.attachments = attachments
    self.dolbyVisionConfiguration = dolbyVisionConfiguration
  }

  /// `kCMFormatDescriptionExtension_ColorPrimaries`; nil if unstated.
  public var colorPrimaries: ColorPrimaries? {
    attachments.signal.color.colorPrimaries.stated
  }

  /// `kCMFormatDescriptionExtension_TransferFunction`; nil if unstated.
  public var transferFunction: TransferCharacteristics? {
    attachments.signal.color.transferCharacteristics.stated
  }

  /// `kCMFormatDescriptionExtension_YCbCrMatrix`; nil if unstated.
  public var yCbCrMatrix: MatrixCoefficients? {
    attachments.signal.color.matrixCoefficients.stated
  }

  /// `kCMFormatDescriptionExtension_FullRangeVideo`; nil if unstated.
  public var fullRangeVideo: Bool? { attachments.signal.videoFullRangeFlag }

  /// True for high dynamic range: HLG or PQ.
  public var isHDR: Bool { attachments.signal.color.transferCharacteristics.isHDR }

  /// True if the gamut is wider than those of BT.709 and BT.601.
  public var isWideGamut: Bool {
    attachments.signal.color.colorPrimaries.isWideGamut
  }
}

extension CodePoint {
  /// The value, or nil for "unspecified".
  fileprivate var stated: Self? { isSpecified ? self : nil }
}

/// The order in time of a frame's two fields, or that they are of the same time.
public enum FieldOrder: String, Sendable {
  /// One moment.
  case progressive
  /// Two moments, the even rows (counted from 0) first.
  case topFirst
  /// Two moments, the odd rows first.
  case bottomFirst
}
