// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Notices about what conversions assume and what they leave undone.
extension Notice {
  /// The source's ambient viewing environment cannot be true.
  static func ambientLightIgnored(
    _ illuminance: Double, plausible: ClosedRange<Double>
  ) -> Notice {
    Notice(
      "ambientLightIgnored", severity: .warning, ["illuminance": plain(illuminance)],
      "the source's ambient illuminance of \(plain(illuminance)) lux is ignored (plausible "
        + "values are \(plain(plausible))): HLG's gamma is computed for the reference surround")
  }

  /// A peak luminance of the source cannot be true.
  ///
  /// - Parameter name: the name of the metadata value that declares the peak.
  static func peakIgnored(
    _ name: String, _ luminance: Double, plausible: ClosedRange<Double>
  ) -> Notice {
    Notice(
      "peakLuminanceIgnored", severity: .warning,
      ["statement": name, "luminance": plain(luminance)],
      "the source's \(name) of \(plain(luminance)) cd/m² is ignored: plausible values "
        + "are \(plain(plausible))")
  }

  /// A PQ source does not declare its peak luminance.
  static func peakAssumed(_ luminance: Double) -> Notice {
    Notice(
      "peakLuminanceAssumed", ["luminance": plain(luminance)],
      "the source does not say how bright it is: \(plain(luminance)) cd/m² is assumed")
  }

  /// Method C of BT.2446 is used with a display that it is not made for.
  static func fixedCurveNotFitted(hlgPeakLuminance: Double) -> Notice {
    Notice(
      "fixedCurveNotFitted", ["hlgPeakLuminance": plain(hlgPeakLuminance)],
      "'bt2446c' is made for HLG on a display of 1000 cd/m², and is not fitted to hlgPeakLuminance "
        + plain(hlgPeakLuminance))
  }

  /// The frames carry the author's tone curves, but tones are mapped by another curve.
  static var authoredCurvesNotUsed: Notice {
    Notice(
      "authoredCurvesNotUsed", [:],
      "the author's tone curves in the frames (ST 2094-50) are not used; toneMapping 'authored' "
        + "uses them")
  }

  /// An option was set but does nothing.
  ///
  /// - Parameter name: the property of ``ConversionOptions``.
  static func optionHasNoEffect(_ name: String, because reason: String) -> Notice {
    settingHasNoEffect("video.conversion.\(name)", because: reason)
  }

  /// A setting of a preset does nothing.
  ///
  /// - Parameter key: its path in a preset.
  package static func settingHasNoEffect(_ key: String, because reason: String) -> Notice {
    Notice(
      "settingHasNoEffect", ["key": key, "reason": reason],
      "\(key) has no effect: \(reason)")
  }

  private static func plain(_ value: Double) -> String { ConversionStep.plain(value) }

  private static func plain(_ range: ClosedRange<Double>) -> String {
    "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
  }
}
