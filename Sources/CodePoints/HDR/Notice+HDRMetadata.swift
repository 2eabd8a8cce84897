// SPDX-License-Identifier: GPL-2.0-or-later
/// Notices about HDR metadata with values that are impossible (`error`) or improbable (`warning`).
extension Notice {
  // The texts are short, because the name of the metadata is printed before them.

  /// Chromaticities that no display has.
  static let coordinatesOfNoDisplay = fault(
    "coordinatesOfNoDisplay", [:],
    "coordinates that no display has: x must be from 0.0001 to 0.74, y from 0.0001 to 0.84")

  /// Chromaticities with x + y above 1, which no color has.
  static let coordinatesOfNoColor = fault(
    "coordinatesOfNoColor", [:],
    "coordinates that no color has: x + y is above 1")

  /// An ambient light with a chromaticity that no color has.
  static func lightOfNoColor(x: Double, y: Double) -> Notice {
    fault("lightOfNoColor", ["x": "\(x)", "y": "\(y)"], "no color has x \(x) and y \(y)")
  }

  /// Chromaticities outside the range that the SEI message allows.
  static let coordinatesOutOfRange = fault(
    "coordinatesOutOfRange", [:], "coordinates outside the range from -100 to 100")

  /// Primaries in an order other than green, blue, red.
  ///
  /// - Parameter order: the order in which they are stored: `red, green, blue`.
  static func primariesOutOfOrder(_ order: String) -> Notice {
    fault(
      "primariesOutOfOrder", ["order": order],
      "primaries must be in the order green, blue, red, but their order is \(order)")
  }

  /// A white point that the primaries cannot mix.
  static let whitePointOutside = fault(
    "whitePointOutside", [:], "the white point is outside the triangle of the primaries")

  /// A maximum luminance that no display has.
  static func maximumLuminanceOutOfRange(_ maximum: Double) -> Notice {
    fault(
      "maximumLuminanceOutOfRange", ["maximum": "\(maximum)"],
      "a maximum of \(maximum) cd/m² is outside the range from 5 to 10000")
  }

  /// A minimum luminance that no display has.
  static func minimumLuminanceOutOfRange(_ minimum: Double) -> Notice {
    fault(
      "minimumLuminanceOutOfRange", ["minimum": "\(minimum)"],
      "a minimum of \(minimum) cd/m² is outside the range from 0 to 5")
  }

  /// A minimum luminance that is not below the maximum.
  static func luminancesOutOfOrder(minimum: Double, maximum: Double) -> Notice {
    fault(
      "luminancesOutOfOrder", ["minimum": "\(minimum)", "maximum": "\(maximum)"],
      "a minimum of \(minimum) cd/m² is not below the maximum of \(maximum) cd/m²")
  }

  /// A minimum luminance of 0, which means "unknown".
  static let minimumLuminanceUnknown = doubt(
    "minimumLuminanceUnknown", [:], "a minimum of 0 cd/m² means unknown")

  /// A maximum luminance that even SDR exceeds.
  static func maximumLuminanceBelowSDR(_ maximum: Double) -> Notice {
    doubt(
      "maximumLuminanceBelowSDR", ["maximum": "\(maximum)"],
      "a maximum of \(maximum) cd/m² is below the maximum of SDR")
  }

  /// A light level that no signal reaches.
  static let lightLevelAbovePQ = fault(
    "lightLevelAbovePQ", [:], "a light level is above 10000 cd/m², the brightest light of PQ")

  /// An average that is above the brightest pixel.
  static let lightLevelsOutOfOrder = fault(
    "lightLevelsOutOfOrder", [:],
    "MaxFALL (the average of a frame) cannot be above MaxCLL (the brightest pixel); settings state "
      + "MaxCLL first, as in 1000,400")

  /// A light level of 0, which means "unknown".
  static let lightLevelUnknown = doubt("lightLevelUnknown", [:], "0 means unknown")

  /// Settings that ask for metadata without content.
  static let lightLevelsEmpty = fault(
    "lightLevelsEmpty", [:], "0,0 states nothing; use 'none' to remove the metadata")

  /// An environment without any light.
  static let noAmbientLight = fault("noAmbientLight", [:], "0 lux means that there is no light")

  /// An environment brighter than sunlight.
  static func ambientLightAboveSunlight(_ illuminance: Double) -> Notice {
    fault(
      "ambientLightAboveSunlight", ["illuminance": "\(illuminance)"],
      "\(illuminance) lux is more than sunlight")
  }

  /// A color volume without any content.
  static let colorVolumeEmpty = fault("colorVolumeEmpty", [:], "it states nothing")

  /// A color volume whose luminances do not rise from minimum to average to maximum.
  static let colorVolumeOutOfOrder = fault(
    "colorVolumeOutOfOrder", [:], "luminances that do not rise from minimum to average to maximum")

  /// A color volume with a luminance that no signal reaches.
  static let colorVolumeAbovePeak = doubt(
    "colorVolumeAbovePeak", [:],
    "a luminance above 1 is more than the transfer function can represent")

  private static func doubt(
    _ code: Code, _ arguments: [String: String], _ text: String
  ) -> Notice {
    Notice(code, severity: .warning, arguments, text)
  }
}
