// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import MediaCore
internal import NALUnits
internal import Settings

extension HDR10Plus: FittedHDRMetadataKind {
  static func mode(in settings: HDRMetadataSettings) -> HDRMetadataSettings.MeasuredMode? {
    settings.hdr10Plus
  }

  static let isMeasuredAgain = true
  static let measuredName = "\(name), which is for PQ"

  /// Returns a function that measures the light of frames.
  ///
  /// - Returns: `nil` if HDR10+ is not measured, or if the frames are not PQ or cannot be measured.
  static func composer(
    _ plan: HDRMetadataPlan, _ light: FrameLight, _ activeArea: ActiveArea
  ) -> MetadataComposer? {
    guard plan.measuresHDR10Plus, light.measuresComponents else { return nil }
    return { picture, source, _ in
      light.distribution(of: picture, source).map { HDR10Plus(writing: HDR10PlusMetadata($0)) }
    }
  }
}

extension HDR10PlusMetadata {
  /// The percentages that label the percentiles of the light distribution.
  private static let percentages: [UInt8] = [1, 5, 10, 25, 50, 75, 90, 95, 99]

  /// States measured light, without a tone curve.
  fileprivate init(_ light: LightDistribution) {
    let percentiles = Self.percentages.map { percentage in
      // Cameras and hdr10plus_tool do not follow the percentages in two slots. The slot of 5 % has
      // a percentile near the top, and the slot of 10 % has the percentage of dark pixels.
      switch percentage {
      case 5: Percentile(percentage, light.percentile(99))
      case 10: Percentile(percentage, UInt32(light.percentage(below: Self.dark)))
      default: Percentile(percentage, light.percentile(Double(percentage)))
      }
    }
    self.init(windows: [
      Window(
        shape: nil, maxSCL: light.maximum, averageMaxRGB: light.average, distribution: percentiles,
        fractionBrightPixels: UInt16(light.brightestPercentage * 10),
        toneCurve: nil, colorSaturationWeight: nil)
    ])
  }

  /// Pixels below this light count as dark: 100 cd/m², in units of 0.1 cd/m².
  private static let dark: UInt32 = 1000
}
