// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorScience
internal import FoundationEssentials
internal import MediaCore
internal import NALUnits
internal import Settings

extension HeadroomAdaptiveGain: FittedHDRMetadataKind {
  static func mode(in settings: HDRMetadataSettings) -> HDRMetadataSettings.MeasuredMode? {
    settings.headroomAdaptiveGain
  }

  static let measuredFrom = "the reference-white curves for each shot's light"
}

extension HeadroomAdaptiveGain {
  /// Makes the reference-white curves for frames of a shot.
  ///
  /// - Parameter luminance: the brightest light of the shot, in cd/m².
  init(forBrightest luminance: Double) {
    // A shot without highlights gets a headroom of 0, so displays show it unchanged.
    let stops = binaryLogarithm(max(luminance / LightSystem.diffuseWhite, 1))
    self.init(
      writing: HeadroomAdaptiveGainMetadata(
        toneMap: .init(baselineHeadroom: UInt16((min(stops, 6) * 10_000).rounded()))))
  }
}
