// SPDX-License-Identifier: GPL-2.0-or-later
/// A transfer function that is no power: a formula for each direction.
/// Kernels compute it by tables, which are made of the formulas.
///
/// Numbers below 0 count as 0.
package struct CurveFormula: Hashable, Sendable {
  /// A name that no other formula has.
  package let name: String
  /// The light where the signal jumps or bends, so that a table has a piece that begins there; 1
  /// where it does not.
  package let lightEdge: Double
  /// The signal where the light does; 1 where it does not.
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

  /// Light from a signal.
  package func toLight(_ signal: Double) -> Double { lightOfSignal(max(signal, 0)) }

  /// A signal from light.
  package func toSignal(_ light: Double) -> Double { signalOfLight(max(light, 0)) }

  /// True if the names are the same, and so the formulas.
  package static func == (one: CurveFormula, other: CurveFormula) -> Bool { one.name == other.name }

  /// Feeds the name to a hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension CurveFormula {
  /// A logarithm over a range of 1 : 10^decades. Light darker than the range has the signal 0, and
  /// the signal 0 is black.
  static func logarithm(decades: Double) -> CurveFormula {
    @Sendable func light(_ signal: Double) -> Double { signedPower(10, (signal - 1) * decades) }
    let darkest = signedPower(10, -decades)
    return CurveFormula(
      "logarithm of \(decades) decades", lightEdge: light(1e-12),
      toLight: { $0 == 0 ? 0 : light($0) },
      toSignal: { $0 < darkest ? 0 : 1 + decimalLogarithm($0) / decades })
  }
}
