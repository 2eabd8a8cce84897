// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience

/// Tone mapping by the curves that frames carry.
extension Planner {
  /// The headroom that frames are shown with, in stops; `nil` if they stay as they are.
  var authoredHeadroom: Double? {
    guard let peak = targetPeak(newTransfer) else { return nil }
    // If HDR stays HDR, the author's look with less headroom is needed in two cases: the settings
    // limit the headroom, or the output's peak is below the peak of the source's system. The
    // system's peak is used, because the headroom of the source's frames is known only frame by
    // frame.
    let most = LightSystem(oldTransfer)?.peak(on: options.hlgPeakLuminance) ?? .infinity
    let isLimited = options.headroom != nil || !newTransfer.isHDR || peak < most
    return isLimited ? min(max(binaryLogarithm(peak / referenceWhite), 0), 6) : nil
  }

  /// Plans the tone mapping that gives frames the look that their author wants with a headroom.
  mutating func planAuthoredToneMap(
    _ from: ColorDescription, _ headroom: Double
  ) throws(ConversionRefusal) {
    guard let toneMap = source.toneMap else {
      throw refusal(
        "no frame at the beginning has curves of ST 2094-50 that can be used; choose another "
          + "toneMapping, such as 'auto'")
    }
    guard let space = RGBSpace(from.colorPrimaries) else {
      throw refusal("the primaries \(from.colorPrimaries) are not known")
    }
    let rendition = HeadroomRendition(
      toneMap, headroom: headroom, space: space, unit: whiteUnit,
      // HLG can be made for a display whose peak is darker than diffuse white.
      white: min(referenceWhite, targetPeak(newTransfer) ?? referenceWhite))
    steps.append(.toneMap(.authored(rendition), reason: rendition.reason))
  }

  /// How many cd/m² of the source's display light stand for 1 cd/m² of a stated reference white.
  private var whiteUnit: Double {
    // For HLG, the numbers in ST 2094-50 payloads assume a display of 1000 cd/m². On every display,
    // diffuse white has the signal 75 % HLG, so its luminance depends on the display.
    guard isRelative(oldTransfer), let system = LightSystem(oldTransfer) else { return 1 }
    return system.referenceWhite(on: options.hlgPeakLuminance) / LightSystem.diffuseWhite
  }
}

extension HeadroomRendition {
  /// What the tone mapping does, as text for people.
  fileprivate var reason: String {
    let plain = ConversionStep.plain
    let white = plain(toneMap.referenceWhite)
    let result =
      headroom == 0
      ? "SDR (headroom 0)" : "headroom \(plain(headroom)) (\(plain(binaryPower(headroom))) × white)"
    return
      "tone map by 'authored', the ST 2094-50 curves of each frame (first: "
      + "\(toneMap.curveText) from headroom \(plain(toneMap.baselineHeadroom)), white at "
      + "\(white) cd/m²), to \(result)"
  }
}

extension HeadroomAdaptiveToneMap {
  fileprivate var curveText: String {
    isReferenceWhiteCurve
      ? "the reference-white curve" : "the author's \(alternates.count.counted("curve"))"
  }
}
