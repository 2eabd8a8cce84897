// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A system of high dynamic range: a transfer function, and the display light that its signals
/// mean.
///
/// To add a system, write a value of this type in a file of its own, as in `HLG.swift`, and add a
/// line to ``all``. Conversions, light meters and the choice of options use that list. Kernels
/// use a table for any function that is a `CurveFormula`.
package struct LightSystem: Hashable, Sendable {
  /// Which light the signals stand for.
  package enum Scale: Hashable, Sendable {
    /// Luminance, the same on every display. A signal of 1 means `peak`, in cd/m².
    case absolute(peak: Double)
    /// A share of a display's light. A signal of 1 means the display's nominal peak, and the signal
    /// `white` means diffuse white.
    case relative(white: Double)
  }

  /// The code point that names the system.
  package let code: TransferCharacteristics
  /// The transfer function of one component. It maps a signal of 1 to light of 1.
  package let transfer: ComponentTransfer
  /// Which light the signals stand for.
  package let scale: Scale
  /// Matrix from L', M', S', the signals of the cones, to I, Ct, Cp. `nil` if the system does not
  /// define ICtCp.
  let lmsToICtCp: Matrix3x3?
  private let gamma: (@Sendable (_ peak: Double, _ surround: Double) -> Double)?

  /// Makes a system from its parts.
  ///
  /// - Parameter systemGamma: returns the exponent that turns the luminance of scene light into
  ///   that of display light. Its arguments, in cd/m², are the display's peak and the luminance of
  ///   the surround. `nil` if the transfer function already gives display light.
  init(
    _ code: TransferCharacteristics, _ scale: Scale, function: ComponentTransfer,
    lmsToICtCp: Matrix3x3? = nil,
    systemGamma: (@Sendable (_ peak: Double, _ surround: Double) -> Double)? = nil
  ) {
    (self.code, self.scale, transfer) = (code, scale, function)
    (self.lmsToICtCp, gamma) = (lmsToICtCp, systemGamma)
  }

  /// Every system. Each has one code point.
  package static let all: [LightSystem] = [
    .pq,
    .hlg,
  ]

  /// Finds the system of a code point. Returns `nil` for code points that are not HDR.
  package init?(_ code: TransferCharacteristics) {
    guard let system = Self.all.first(where: { $0.code == code }) else { return nil }
    self = system
  }

  /// Whether the code points, and therefore the systems, are the same.
  package static func == (one: LightSystem, other: LightSystem) -> Bool { one.code == other.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Lists the names of all systems that meet a condition: `PQ`, `PQ or HLG`.
  package static func names(where isWanted: (LightSystem) -> Bool) -> String {
    all.filter(isWanted).map(\.name).joined(separator: " or ")
  }
}

extension LightSystem {
  /// HDR reference white in cd/m² (BT.2408, 2.1).
  package static let diffuseWhite = 203.0

  /// The name of the system, as text for people.
  package var name: String { code.title }

  /// Whether signals stand for the same luminance on every display. If they do not, a peak that the
  /// source declares does not count.
  package var isAbsolute: Bool { if case .absolute = scale { true } else { false } }

  /// Whether the function gives light of the scene, which an OOTF converts to display light.
  package var hasOOTF: Bool { gamma != nil }

  /// The signal of diffuse white, for conversions that stay in the light of the scene. `nil` for
  /// systems without such light.
  package var sceneWhite: Double? {
    if hasOOTF, case .relative(let white) = scale { white } else { nil }
  }

  /// Returns the luminance of a signal of 1, in cd/m².
  ///
  /// - Parameter displayPeak: the display's nominal peak.
  package func peak(on displayPeak: Double) -> Double {
    if case .absolute(let peak) = scale { peak } else { displayPeak }
  }

  /// Returns the luminance of diffuse white, in cd/m².
  package func referenceWhite(on displayPeak: Double) -> Double {
    // BT.2408, 2.1: absolute systems put diffuse white at 203 cd/m² on every display.
    guard case .relative(let white) = scale else { return Self.diffuseWhite }
    // Relative systems define the signal of diffuse white, which shows 203 cd/m² on a display of
    // 1000 cd/m². So 203 is multiplied by the light of that signal on the given display, and
    // divided by its light on a display of 1000 cd/m².
    let light = transfer.toLinear(white)
    func shown(_ peak: Double) -> Double { light * ootfGain(luminance: light, peak: peak) }
    return Self.diffuseWhite * (shown(displayPeak) / shown(1000))
  }

  /// Returns the exponent that turns the luminance of the function's light into the luminance of
  /// display light, or 1 without an OOTF.
  package func systemGamma(
    peak: Double, surround: Double = HLG.referenceSurround
  ) -> Double { gamma?(peak, surround) ?? 1 }

  /// Returns the factor from scene light to display light in cd/m², for scene light of a given
  /// luminance. All three components have the same factor, so their ratios do not change.
  package func ootfGain(
    luminance: Double, peak: Double, surround: Double = HLG.referenceSurround
  ) -> Double {
    let gamma = systemGamma(peak: peak, surround: surround)
    return Self.ootfGain(luminance: luminance, peak: peak, gamma: gamma)
  }

  /// The OOTF: maps scene light of R, G, B to display light in cd/m².
  ///
  /// - Parameter weights: how much R, G and B contribute to luminance.
  package func ootf(
    _ scene: Triple, weights: Triple, peak: Double, surround: Double = HLG.referenceSurround
  ) -> Triple {
    scene * ootfGain(luminance: (scene * weights).sum(), peak: peak, surround: surround)
  }

  /// The inverse OOTF: maps display light of R, G, B in cd/m² to scene light.
  package func inverseOOTF(_ display: Triple, weights: Triple, peak: Double) -> Triple {
    let gamma = systemGamma(peak: peak)
    return display
      * Self.inverseOOTFGain(luminance: (display * weights).sum(), peak: peak, gamma: gamma)
  }

  static func ootfGain(luminance: Double, peak: Double, gamma: Double) -> Double {
    // A power of a luminance of 0 or less has no meaning here, and with a gamma below 1 it would be
    // infinite.
    luminance > 0 ? peak * signedPower(luminance, gamma - 1) : 0
  }

  static func inverseOOTFGain(luminance: Double, peak: Double, gamma: Double) -> Double {
    // The exponent is negative for the usual gamma, so black would become infinite.
    luminance > 0 ? signedPower(luminance / peak, (1 - gamma) / gamma) / peak : 0
  }
}
