// SPDX-License-Identifier: GPL-2.0-or-later
/// A transfer function that is not a power: a formula for each direction. Numbers below 0 count as
/// 0.
///
/// Kernels use tables that are made from the formulas.
package struct CurveFormula: Hashable, Sendable {
  /// A name that no other formula has.
  package let name: String
  /// The light at which the signal jumps or bends, or 1 if it does not. A table has a piece that
  /// begins there.
  package let lightEdge: Double
  /// The signal at which the light jumps or bends, or 1 if it does not.
  package let signalEdge: Double
  private let lightOfSignal: @Sendable (Double) -> Double
  private let signalOfLight: @Sendable (Double) -> Double

  init(
    _ name: String, lightEdge: Double = 1, signalEdge: Double = 1,
    toLight: @escaping @Sendable (Double) -> Double,
    toSignal: @escaping @Sendable (Double) -> Double
  ) {
    self.name = name
    (self.lightEdge, self.signalEdge) = (lightEdge, signalEdge)
    (lightOfSignal, signalOfLight) = (toLight, toSignal)
  }

  /// Maps a signal to light.
  package func toLight(_ signal: Double) -> Double { lightOfSignal(max(signal, 0)) }

  /// Maps light to a signal.
  package func toSignal(_ light: Double) -> Double { signalOfLight(max(light, 0)) }

  /// Whether the names, and therefore the formulas, are the same.
  package static func == (one: CurveFormula, other: CurveFormula) -> Bool { one.name == other.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension CurveFormula {
  /// A logarithm over a range of 1 : 10^decades.
  static func logarithm(decades: Double) -> CurveFormula {
    @Sendable func light(_ signal: Double) -> Double { signedPower(10, (signal - 1) * decades) }
    // H.273, table 3, values 9 and 10: light that is darker than the range has the signal 0, so the
    // curve bends at the dark end of the range. The signal 0 means black.
    let darkest = signedPower(10, -decades)
    return CurveFormula(
      "logarithm of \(decades) decades", lightEdge: light(1e-12),
      toLight: { $0 == 0 ? 0 : light($0) },
      toSignal: { $0 < darkest ? 0 : 1 + decimalLogarithm($0) / decades })
  }
}
