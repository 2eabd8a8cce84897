// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorConversion
internal import MediaCore
internal import Settings

/// The color of stills.
package enum StillColor: String, Sendable, CaseIterable {
  /// sRGB, what every program shows right.
  case sRGB = "srgb"
  /// Display P3: its primaries, sRGB's curve.
  case displayP3 = "display-p3"
  /// P3 with white D65, for a display of BT.1886: P3 of video.
  case p3
  /// BT.709, for a display of BT.1886.
  case bt709 = "709"

  /// The meaning of R'G'B'.
  package var color: ColorDescription {
    switch self {
    case .sRGB: ColorDescription(.bt709, .sRGB, .identity)
    case .displayP3: ColorDescription(.p3D65, .sRGB, .identity)
    case .p3: ColorDescription(.p3D65, .bt709, .identity)
    case .bt709: ColorDescription(.bt709, .bt709, .identity)
    }
  }

  /// The name of the profile, which programs show.
  var profileName: String {
    switch self {
    case .sRGB: "sRGB"
    case .displayP3: "Display P3"
    case .p3: "P3 D65 with BT.1886"
    case .bt709: "BT.709 with BT.1886"
    }
  }

  /// The parametric curve of ICC.1, 10.18, from signal to light: its type and its parameters.
  var curve: (type: UInt16, parameters: [Double]) {
    switch self {
    case .sRGB, .displayP3: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case .p3, .bt709: (0, [2.4])
    }
  }
}

extension VideoSettings {
  /// Settings for frames as they are shown: their clean aperture, turned, with square samples.
  init(shown: Void) {
    self.init(codec: nil)
    rotation = .apply
    pixelAspect = .square
    cleanAperture = .crop
    deinterlace = .auto
    conversion.dither = .none
    videoFullRangeFlag = true
  }

  /// Settings for stills of a format.
  ///
  /// - Parameters:
  ///   - color: the color; nil for the source's own, which is HDR.
  ///   - depth: bits of each sample.
  init(still format: StillFormat, color: StillColor?, depth: Int) {
    self.init(shown: ())
    colorProperties = color?.color
    switch format {
    case .png:
      pixelFormat = PixelFormat(bitDepth: depth, chromaSubsampling: .cs444)
    case .jpg:
      // JFIF has BT.601's matrix and the full range.
      colorProperties?.matrixCoefficients = .smpte170M
      pixelFormat = PixelFormat(bitDepth: 8, chromaSubsampling: .cs444)
    case .webp:
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
