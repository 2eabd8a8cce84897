// SPDX-License-Identifier: GPL-2.0-or-later
extension PixelFormat {
  // In Core Video the range is part of the pixel format. Here it is an attachment. So a format of
  // Y'CbCr has two entries, one for each range. A format of R, G and B has one entry, because its
  // range is always full.
  /// The formats that Core Video names by four characters (`kCVPixelFormatType_…`).
  private static let types: [(osType: String, format: PixelFormat, isFullRange: Bool?)] = [
    ("420v", .biPlanar420p8, false), ("420f", .biPlanar420p8, true),
    ("x420", .biPlanar420p10, false), ("xf20", .biPlanar420p10, true),
    ("422v", PixelFormat(bitDepth: 8, chromaSubsampling: .cs422, isBiPlanar: true), false),
    ("422f", PixelFormat(bitDepth: 8, chromaSubsampling: .cs422, isBiPlanar: true), true),
    ("x422", PixelFormat(bitDepth: 10, chromaSubsampling: .cs422, isBiPlanar: true), false),
    ("xf22", PixelFormat(bitDepth: 10, chromaSubsampling: .cs422, isBiPlanar: true), true),
    ("444v", PixelFormat(bitDepth: 8, chromaSubsampling: .cs444, isBiPlanar: true), false),
    ("444f", PixelFormat(bitDepth: 8, chromaSubsampling: .cs444, isBiPlanar: true), true),
    ("x444", PixelFormat(bitDepth: 10, chromaSubsampling: .cs444, isBiPlanar: true), false),
    ("xf44", PixelFormat(bitDepth: 10, chromaSubsampling: .cs444, isBiPlanar: true), true),
    ("y420", .yuv420p8, false), ("f420", .yuv420p8, true), ("RGhA", .halfRGBA, nil),
    ("BGRA", .bgra8, nil), ("RGBA", .rgba8, nil), ("l64r", .rgba16, nil),
  ]

  /// Core Video's four characters for the 8-bit and 10-bit formats that encoders take.
  package static let encodableOSTypes = types.filter { $0.format.layout == .biPlanar }.map(\.osType)

  /// Returns the format and range that Core Video's four characters stand for; `nil` if they are
  /// not in the table.
  ///
  /// - Parameter osType: `x420`, `420v`, `BGRA`, `RGhA`, …
  public static func named(
    osType: String
  ) -> (format: PixelFormat, videoFullRangeFlag: Bool?)? {
    types.first { $0.osType == osType }.map { ($0.format, $0.isFullRange) }
  }

  /// Returns Core Video's four characters for this format and the given range; `nil` if Core Video
  /// has no such format.
  public func osType(videoFullRangeFlag: Bool?) -> String? {
    Self.types.first {
      $0.format == self
        // A range that nobody declares counts as limited.
        && ($0.isFullRange == nil || $0.isFullRange == (videoFullRangeFlag ?? false))
    }?.osType
  }
}
