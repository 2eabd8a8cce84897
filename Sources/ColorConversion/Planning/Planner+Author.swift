// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience

/// Tone mapping by the curves that frames carry.
extension Planner {
  /// The headroom that frames are shown with, in stops; `nil` if they stay as they are.
  var authoredHeadroom: Double? {
    guard let peak = targetPeak(newTransfer) else { return nil }
    // Between systems of HDR, the author's look for less headroom is needed only if the output has
    // less. What the frames themselves have is known only frame by frame.
    let most = LightSystem(oldTransfer)?.peak(on: options.hlgPeakLuminance) ?? .infinity
    let isLimited = options.headroom != nil || !newTransfer.isHDR || peak < most
    return isLimited ? min(max(binaryLogarithm(peak / referenceWhite), 0), 6) : nil
  }

  /// Plans the author's look for a headroom.
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
      // HLG may be for a display that is darker than diffuse white.
      white: min(referenceWhite, targetPeak(newTransfer) ?? referenceWhite))
    steps.append(.toneMap(.authored(rendition), reason: rendition.reason))
  }

  /// What 1 cd/m² of a stated reference white is in the source's display light.
  private var whiteUnit: Double {
    // Payloads mean HLG on the display of 1000 cd/m². On others, diffuse white is at 75 % of HLG
    // as well.
    guard isRelative(oldTransfer), let system = LightSystem(oldTransfer) else { return 1 }
    return system.referenceWhite(on: options.hlgPeakLuminance) / LightSystem.diffuseWhite
  }
}

extension HeadroomRendition {
  /// What is done, for people.
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
      ? "the reference-white curve" : "\(alternates.count.counted("curve")) of the author"
  }
}
