// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import MediaCore

/// Measures the light of an output's frames in their active area. A frame is measured only once,
/// even if several kinds of metadata state its light. For HLG, however, the PQ signal and the
/// luminance are measured separately.
final class FrameLight {
  private let area: ActiveArea
  private let light: LightMeter?
  /// Measures the PQ signal of frames; `nil` if the signal is not needed, or if `light` measures it
  /// as well.
  private let signal: LightMeter?
  /// Whether the light of each component is measured.
  let measuresComponents: Bool
  /// The frame most recently measured with a distribution, and the distribution.
  private var last: (picture: PixelBuffer, distribution: LightDistribution)?
  /// The frame most recently measured without a distribution, and its luminance.
  private var lastLevels: (picture: PixelBuffer, luminance: LightLevels)?

  /// - Parameters:
  ///   - frames: the output's frames.
  ///   - hlgPeakLuminance: the peak of the display that light levels of HLG are measured for, in
  ///     cd/m².
  ///   - forShots: whether the light of frames is also needed to find the light of shots.
  init(
    _ plan: HDRMetadataPlan, _ frames: FrameDescription, _ area: ActiveArea,
    hlgPeakLuminance: Double, forShots: Bool = false
  ) {
    self.area = area
    let scale = plan.measuresHDR10Plus ? LightMeter.Scale.components : .luminance
    light =
      plan.measuresHDR10Plus || plan.measuresContentLightLevel || forShots
      ? LightMeter(frames, size: area.size, peakLuminance: hlgPeakLuminance, scale: scale) : nil
    let countsSignals = light?.countsSignals ?? false
    signal = plan.computesRPUs && !countsSignals ? LightMeter(frames, size: area.size) : nil
    measuresComponents = light != nil && plan.measuresHDR10Plus
  }

  /// Whether the signals of frames can be measured.
  var measuresSignal: Bool { signal != nil || light?.countsSignals ?? false }
  /// Whether the luminance of frames can be measured.
  var measuresLuminance: Bool { light != nil }

  /// Returns the PQ signal of a frame, 0…1; `nil` if it cannot be measured.
  ///
  /// - Parameter source: the metadata of the source frame, which may state the active area.
  func signal(of picture: PixelBuffer, _ source: FrameMetadata) -> LightLevels? {
    signal.map { levels($0, picture, source) } ?? distribution(of: picture, source)?.signal
  }

  /// Returns the luminance of a frame in cd/m²; `nil` if it cannot be measured.
  func luminance(of picture: PixelBuffer, _ source: FrameMetadata) -> LightLevels? {
    if let counted = distribution(of: picture, source) { return counted.luminance }
    if let lastLevels, lastLevels.picture === picture { return lastLevels.luminance }
    guard let light else { return nil }
    let found = levels(light, picture, source)
    lastLevels = (picture, found)
    return found
  }

  /// Returns how the light of a frame is distributed; `nil` unless `light` counts in bins how often
  /// each PQ signal occurs.
  func distribution(of picture: PixelBuffer, _ source: FrameMetadata) -> LightDistribution? {
    guard let light, light.countsSignals else { return nil }
    if let last, last.picture === picture { return last.distribution }
    let (columns, lines) = area.samples(of: area.area(from: source))
    let found = light.distribution(of: picture, columns: columns, lines: lines)
    last = (picture, found)
    return found
  }

  private func levels(
    _ meter: LightMeter, _ picture: PixelBuffer, _ source: FrameMetadata
  ) -> LightLevels {
    let (columns, lines) = area.samples(of: area.area(from: source))
    return meter.measure(picture, columns: columns, lines: lines)
  }
}
