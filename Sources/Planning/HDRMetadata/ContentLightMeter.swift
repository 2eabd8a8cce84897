// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import MediaCore

/// Measures MaxCLL and MaxFALL (CTA-861.3; Annex P of CTA-861): a pixel counts with the largest of
/// its components in cd/m², MaxCLL is the brightest pixel of all frames, MaxFALL the greatest of
/// the frames' means; both of the active area alone.
///
/// It is given the frames as decoders will show them, and not those that the encoder was given:
/// lossy coding brightens single pixels, and the message bounds what is in the stream (H.265,
/// D.3.35).
struct ContentLightMeter {
  private let meter: LightMeter
  private let activeArea: ActiveArea
  private var brightestPixel = 0.0
  private var brightestMean = 0.0

  /// - Parameter peakLuminance: the peak luminance of the display that HLG is shown on, in cd/m².
  /// - Returns: nil where the frames are nothing that can be measured.
  init?(_ pictures: PictureDescription, _ activeArea: ActiveArea, peakLuminance: Double) {
    let meter = LightMeter(
      pictures, width: activeArea.size.width, peakLuminance: peakLuminance, scale: .luminance)
    guard let meter else { return nil }
    self.meter = meter
    self.activeArea = activeArea
  }

  /// Takes a frame.
  ///
  /// - Parameter source: the metadata of the frame that it was made from, for its active area.
  mutating func add(_ picture: PixelBuffer, source: FrameMetadata) {
    let (columns, lines) = activeArea.samples(of: activeArea.area(from: source))
    let levels = meter.measure(picture, columns: columns, lines: lines)
    brightestPixel = max(brightestPixel, levels.maximum)
    brightestMean = max(brightestMean, levels.mean)
  }

  /// The light levels of all frames together.
  var contentLightLevel: ContentLightLevel {
    ContentLightLevel(
      maxContentLightLevel: Self.bound(brightestPixel),
      maxPicAverageLightLevel: Self.bound(brightestMean))
  }

  /// The next whole number of cd/m²: levels are upper bounds (H.265, D.3.35). A twentieth is what
  /// single precision leaves uncertain, so that 1000 does not become 1001.
  private static func bound(_ luminance: Double) -> UInt16 {
    UInt16(clamping: Int((luminance - 0.05).rounded(.up)))
  }
}
