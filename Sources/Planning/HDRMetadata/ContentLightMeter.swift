// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Measures MaxCLL and MaxFALL of the active area (CTA-861.3; Annex P of CTA-861). The light of a
/// pixel is its largest component, in cd/m². MaxCLL is the light of the brightest pixel of all
/// frames, and MaxFALL is the largest mean of a frame.
struct ContentLightMeter {
  // The SEI message states upper bounds for the coded frames (H.265, D.3.35), and lossy coding
  // brightens single pixels. So the meter gets frames decoded from the output, not the frames that
  // the encoder gets.

  private let light: FrameLight
  private var brightestPixel = 0.0
  private var brightestMean = 0.0

  /// - Returns: `nil` if the luminance of frames is not measured.
  init?(_ light: FrameLight) {
    guard light.measuresLuminance else { return nil }
    self.light = light
  }

  /// Measures a frame.
  ///
  /// - Parameter source: the metadata of the source frame, which may state the active area.
  mutating func add(_ picture: PixelBuffer, source: FrameMetadata) {
    guard let levels = light.luminance(of: picture, source) else { return }
    brightestPixel = max(brightestPixel, levels.maximum)
    brightestMean = max(brightestMean, levels.mean)
  }

  /// The light levels over all frames so far.
  var contentLightLevel: ContentLightLevel {
    ContentLightLevel(
      maxContentLightLevel: Self.bound(brightestPixel),
      maxPicAverageLightLevel: Self.bound(brightestMean))
  }

  /// Rounds up to a whole number of cd/m².
  private static func bound(_ luminance: Double) -> UInt16 {
    // The levels are upper bounds (H.265, D.3.35), so round up. But single precision is uncertain
    // by up to 0.05 cd/m². If that were not subtracted, 1000 could become 1001.
    UInt16(clamping: Int((luminance - 0.05).rounded(.up)))
  }
}
