// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

extension ComponentTransfer {
  /// The function as a kernel computes it without straight pieces; nil where it has no such form.
  func operation(toLinear: Bool, _ precision: CurvePrecision) -> TabledOperation? {
    switch self {
    case .pq where toLinear: TabledOperation(RowOperation(.pqToLight))
    case .pq: .pqSignal(precision)
    case .hlg where toLinear:
      TabledOperation(RowOperation(precision == .full ? .hlgToLight : .hlgToLightRoughly))
    case .hlg: TabledOperation(RowOperation(.hlgToSignal))
    case .power(let form) where form.negativeScale == 1:
      .power(form, toLinear: toLinear, precision)
    case .power, .formula, .linear: nil
    }
  }

  /// True if kernels need a table of straight pieces for the function.
  var isTabled: Bool {
    switch self {
    case .power(let form): form.negativeScale != 1
    case .formula: true
    case .linear, .pq, .hlg: false
    }
  }

  /// The light at which the signal jumps, by published constants that do not make the curve's
  /// pieces meet; nil where it does not, and for a table, which has a piece that begins there.
  var step: Double? {
    guard !isTabled, case .power(let form) = self else { return nil }
    return form.step
  }

  /// The number where a function that is done by a table has an edge; 1 where it has none.
  func edge(toLinear: Bool) -> Double {
    switch self {
    case .power(let form): (toLinear ? form.toe?.signalEnd : form.toe?.lightEnd) ?? 1
    case .formula(let formula): toLinear ? formula.signalEdge : formula.lightEdge
    case .linear, .pq, .hlg: 1
    }
  }
}
