// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A system of high dynamic range: a transfer function, and the light on a display that its signals
/// stand for.
///
/// A new system is a value of this type in a file of its own, as in `HLG.swift`, and a line in
/// ``all``. Conversions, meters of light and the choice of options go through that list; kernels do
/// a function that is a `CurveFormula` by a table.
package struct LightSystem: Hashable, Sendable {
  /// The light that signals stand for.
  package enum Scale: Hashable, Sendable {
    /// Luminance, the same on every display: a signal of 1 is this peak, in cd/m².
    case absolute(peak: Double)
    /// A share of what a display gives: a signal of 1 is its nominal peak, and this signal is
    /// diffuse white.
    case relative(white: Double)
  }

  /// The code point that names the system.
  package let code: TransferCharacteristics
  /// Transfer function of one component: a signal of 1 is light of 1.
  package let transfer: ComponentTransfer
  /// The light that signals stand for.
  package let scale: Scale
  /// Matrix of ICtCp from L', M', S', the signals of the cones; nil where ICtCp is not defined.
  let lmsToICtCp: Matrix3x3?
  private let gamma: (@Sendable (_ peak: Double, _ surround: Double) -> Double)?

  /// A system from its facts.
  ///
  /// - Parameter systemGamma: the power of luminance by which light of the scene becomes that of a
  ///   display with a peak in a surround, both in cd/m²; nil where the function itself leads to the
  ///   display's light.
  init(
    _ code: TransferCharacteristics, _ scale: Scale, function: ComponentTransfer,
    lmsToICtCp: Matrix3x3? = nil,
    systemGamma: (@Sendable (_ peak: Double, _ surround: Double) -> Double)? = nil
  ) {
    (self.code, self.scale, transfer) = (code, scale, function)
    (self.lmsToICtCp, gamma) = (lmsToICtCp, systemGamma)
  }

  /// Every system, by its code point.
  package static let all: [LightSystem] = [
    .pq,
    .hlg,
  ]

  /// The system that a code point names; nil for others than those of HDR.
  package init?(_ code: TransferCharacteristics) {
    guard let system = Self.all.first(where: { $0.code == code }) else { return nil }
    self = system
  }

  /// True if the code points are the same, and so the systems.
  package static func == (one: LightSystem, other: LightSystem) -> Bool { one.code == other.code }

  /// Feeds the code point to a hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The names of the systems that are so, for people: `PQ`, `PQ or HLG`.
  package static func names(where isWanted: (LightSystem) -> Bool) -> String {
    all.filter(isWanted).map(\.name).joined(separator: " or ")
  }
}

extension LightSystem {
  /// HDR reference white in cd/m² (BT.2408, 2.1).
  package static let diffuseWhite = 203.0

  /// The name, for people.
  package var name: String { code.title }

  /// True if signals stand for the same luminance on every display. What the source states of its
  /// peak counts then.
  package var isAbsolute: Bool { if case .absolute = scale { true } else { false } }

  /// True if the function leads to light of the scene, which becomes light by an OOTF.
  package var hasOOTF: Bool { gamma != nil }

  /// Signal of diffuse white for light of the scene that is exchanged without a display; nil for
  /// systems that have none.
  package var sceneWhite: Double? {
    if hasOOTF, case .relative(let white) = scale { white } else { nil }
  }

  /// The luminance of a signal of 1, in cd/m².
  ///
  /// - Parameter displayPeak: nominal peak of the display.
  package func peak(on displayPeak: Double) -> Double {
    if case .absolute(let peak) = scale { peak } else { displayPeak }
  }

  /// Luminance of diffuse white in cd/m²: 203 (BT.2408, 2.1), and for signals that are relative
  /// what white shows on a display, in relation to one of 1000 cd/m².
  package func referenceWhite(on displayPeak: Double) -> Double {
    guard case .relative(let white) = scale else { return Self.diffuseWhite }
    let light = transfer.toLinear(white)
    func shown(_ peak: Double) -> Double { light * ootfGain(luminance: light, peak: peak) }
    return Self.diffuseWhite * (shown(displayPeak) / shown(1000))
  }

  /// The exponent of luminance by which light becomes that of a display; 1 without an OOTF.
  package func systemGamma(
    peak: Double, surround: Double = HLG.referenceSurround
  ) -> Double { gamma?(peak, surround) ?? 1 }

  /// The factor from scene light to display light in cd/m², by the scene light's luminance. All
  /// three components have the same, so that their ratios stay.
  package func ootfGain(
    luminance: Double, peak: Double, surround: Double = HLG.referenceSurround
  ) -> Double {
    let gamma = systemGamma(peak: peak, surround: surround)
    return Self.ootfGain(luminance: luminance, peak: peak, gamma: gamma)
  }

  /// The OOTF: scene light of R, G, B as display light in cd/m².
  ///
  /// - Parameter weights: the contributions of R, G and B to luminance.
  package func ootf(
    _ scene: Triple, weights: Triple, peak: Double, surround: Double = HLG.referenceSurround
  ) -> Triple {
    scene * ootfGain(luminance: (scene * weights).sum(), peak: peak, surround: surround)
  }

  /// The inverse OOTF: display light of R, G, B in cd/m² as scene light.
  package func inverseOOTF(_ display: Triple, weights: Triple, peak: Double) -> Triple {
    let gamma = systemGamma(peak: peak)
    return display
      * Self.inverseOOTFGain(luminance: (display * weights).sum(), peak: peak, gamma: gamma)
  }

  static func ootfGain(luminance: Double, peak: Double, gamma: Double) -> Double {
    luminance > 0 ? peak * signedPower(luminance, gamma - 1) : 0
  }

  static func inverseOOTFGain(luminance: Double, peak: Double, gamma: Double) -> Double {
    luminance > 0 ? signedPower(luminance / peak, (1 - gamma) / gamma) / peak : 0
  }
}
