// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorConversion
internal import MediaCore
internal import Settings

/// The color of SDR stills.
package enum StillColor: String, Sendable, CaseIterable {
  /// sRGB, which every program shows correctly.
  case sRGB = "srgb"
  /// Display P3: P3's primaries with D65, and sRGB's curve.
  case displayP3 = "display-p3"
  /// P3's primaries with D65 and the curve of video, for a BT.1886 display.
  case p3
  /// BT.709 as in video, for a BT.1886 display.
  case bt709 = "709"

  /// The primaries, curve and matrix of the still's R'G'B'.
  package var color: ColorDescription {
    switch self {
    case .sRGB: ColorDescription(.bt709, .sRGB, .identity)
    case .displayP3: ColorDescription(.p3D65, .sRGB, .identity)
    case .p3: ColorDescription(.p3D65, .bt709, .identity)
    case .bt709: ColorDescription(.bt709, .bt709, .identity)
    }
  }

  /// The name of the profile, as programs display it.
  var profileName: String {
    switch self {
    case .sRGB: "sRGB"
    case .displayP3: "Display P3"
    case .p3: "P3 D65 with BT.1886"
    case .bt709: "BT.709 with BT.1886"
    }
  }

  /// The parametric curve from signal to light, as its type and parameters (ICC.1 10.18).
  var curve: (type: UInt16, parameters: [Double]) {
    switch self {
    case .sRGB, .displayP3: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case .p3, .bt709: (0, [2.4])
    }
  }
}

extension VideoSettings {
  /// Makes settings for frames as a player shows them: deinterlaced, cropped to the clean aperture,
  /// rotated, and with square pixels.
  init(shown: Void) {
    self.init(codec: nil)
    rotation = .apply
    pixelAspect = .square
    cleanAperture = .crop
    deinterlace = .auto
    conversion.dither = .none
    videoFullRangeFlag = true
  }

  /// Makes settings for stills of a format.
  ///
  /// - Parameters:
  ///   - color: the color; `nil` to keep the source's own, which is HDR.
  ///   - depth: bits of each sample.
  init(still format: StillFormat, color: StillColor?, depth: Int) {
    self.init(shown: ())
    colorProperties = color?.color
    switch format {
    case .png:
      pixelFormat = PixelFormat(bitDepth: depth, chromaSubsampling: .cs444)
    case .jpg:
      // JFIF always has BT.601's matrix and full range.
      colorProperties?.matrixCoefficients = .smpte170M
      pixelFormat = PixelFormat(bitDepth: 8, chromaSubsampling: .cs444)
    case .webp:
      // Lossy WebP is VP8, whose only color space is BT.601 in 4:2:0 (RFC 6386 9.2).
      colorProperties?.matrixCoefficients = .smpte170M
      pixelFormat = .yuv420p8
      videoFullRangeFlag = false
      chromaLocation = .center
    case .avif:
      colorProperties?.matrixCoefficients = color == .bt709 ? .bt709 : .smpte170M
      pixelFormat = PixelFormat(bitDepth: depth, chromaSubsampling: .cs444)
    }
  }
}
