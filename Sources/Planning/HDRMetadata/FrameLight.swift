// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import MediaCore

/// Measures the light of an output's frames in their active area, once for all metadata that states
/// it.
final class FrameLight {
  private let area: ActiveArea
  private let signal: LightMeter?
  private let luminance: LightMeter?
  private let components: LightMeter?
  /// Whether the light of components gives everything else.
  private let isShared: Bool
  /// The last frame and its light.
  private var last: (picture: PixelBuffer, distribution: LightDistribution)?

  /// - Parameters:
  ///   - frames: the output's frames.
  ///   - hlgPeakLuminance: the peak of the display that light levels of HLG are measured for, in
  ///     cd/m².
  init(
    _ plan: HDRMetadataPlan, _ frames: FrameDescription, _ area: ActiveArea,
    hlgPeakLuminance: Double
  ) {
    self.area = area
    let size = area.size
    // HDR10+ is only for PQ, of which the light of components has the signal, too.
    isShared = plan.measuresHDR10Plus
    components = plan.measuresHDR10Plus ? LightMeter(frames, size: size, scale: .components) : nil
    signal = plan.computesRPUs && !isShared ? LightMeter(frames, size: size) : nil
    luminance =
      plan.measuresContentLightLevel && !isShared
      ? LightMeter(frames, size: size, peakLuminance: hlgPeakLuminance, scale: .luminance) : nil
  }

  /// Whether the signals of frames can be measured.
  var measuresSignal: Bool { signal != nil || isShared && components != nil }
  /// Whether the luminance of frames can be measured.
  var measuresLuminance: Bool { luminance != nil || isShared && components != nil }
  /// Whether the components of frames can be measured.
  var measuresComponents: Bool { components != nil }

  /// Returns PQ's signal of a frame, 0…1; `nil` if it cannot be measured.
  ///
  /// - Parameter source: the metadata of the source frame, which may state the active area.
  func signal(of picture: PixelBuffer, _ source: FrameMetadata) -> LightLevels? {
    isShared ? distribution(of: picture, source)?.signal : levels(signal, picture, source)
  }

  /// Returns the luminance of a frame in cd/m²; `nil` if it cannot be measured.
  func luminance(of picture: PixelBuffer, _ source: FrameMetadata) -> LightLevels? {
    isShared ? distribution(of: picture, source)?.luminance : levels(luminance, picture, source)
  }

  /// Returns the light of a frame's components; `nil` if it cannot be measured.
  func distribution(of picture: PixelBuffer, _ source: FrameMetadata) -> LightDistribution? {
    if let last, last.picture === picture { return last.distribution }
    let (columns, lines) = area.samples(of: area.area(from: source))
    let found = components?.distribution(of: picture, columns: columns, lines: lines)
    last = found.map { (picture, $0) }
    return found
  }

  private func levels(
    _ meter: LightMeter?, _ picture: PixelBuffer, _ source: FrameMetadata
  ) -> LightLevels? {
    let (columns, lines) = area.samples(of: area.area(from: source))
    return meter?.measure(picture, columns: columns, lines: lines)
  }
}
