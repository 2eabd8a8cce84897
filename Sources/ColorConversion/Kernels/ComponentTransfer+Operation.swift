// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

extension ComponentTransfer {
  /// The function as a kernel computes it without a table; nil where it has no such form.
  func operation(toLinear: Bool) -> RowOperation? {
    switch self {
    case .pq: return RowOperation(toLinear ? .pqToLight : .pqToSignal)
    case .hlg: return RowOperation(toLinear ? .hlgToLight : .hlgToSignal)
    case .power(let form) where form.negativeScale == 1:
      let curve = PowerCurve(form, toLinear: toLinear)
      var operation = RowOperation(curve.toeEnd == 0 ? .plainPower : .power)
      operation.power = curve
      return operation
    case .power, .formula, .linear: return nil
    }
  }

  /// True if kernels need a table for the function.
  var isTabled: Bool { self != .linear && operation(toLinear: true) == nil }

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

extension PowerCurve {
  fileprivate init(_ form: PowerForm, toLinear: Bool) {
    self.init(exponent: Float(toLinear ? form.lightExponent : form.signalExponent))
    if form.peak != 1 { outputScale = Float(toLinear ? form.peak : form.toSignal(1)) }
    guard let toe = form.toe else { return }
    let scale = 1 + form.offset
    if toLinear {
      (inputScale, inputOffset) = (Float(1 / scale), Float(form.offset / scale))
      (toeEnd, toeSlope) = (Float(toe.lightEnd * toe.slope), Float(1 / toe.slope))
    } else {
      (outputScale, outputOffset) = (Float(scale), Float(-form.offset))
      (toeEnd, toeSlope) = (Float(toe.lightEnd), Float(toe.slope))
    }
  }
}
