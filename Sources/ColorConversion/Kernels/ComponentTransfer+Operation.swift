internal import ColorScience
internal import RowOperations

extension ComponentTransfer {
  /// The function as a kernel computes it without a table; nil where it has no such form.
  func operation(toLinear: Bool) -> RowOperation? {
    switch self {
    case .pq: return RowOperation(toLinear ? .pqToLight : .pqToSignal)
    case .hlg: return RowOperation(toLinear ? .hlgToLight : .hlgToSignal)
    default: break
    }
    guard case .power(let form) = self else { return nil }
    let curve = PowerCurve(form, toLinear: toLinear)
    var operation = RowOperation(curve.toeEnd == 0 ? .plainPower : .power)
    operation.power = curve
    return operation
  }

  /// How the function goes on below 0 as a table.
  var negativeScale: Float {
    // BT.1361 squeezes negative light by 4.
    if case .bt1361 = self { return 4 }
    return isOdd ? 1 : 0
  }

  /// The light at which the signal jumps, by published constants that do not make the curve's
  /// pieces meet.
  var step: Double? {
    guard case .power(let form) = self else { return nil }
    return form.step
  }

  /// Where a function that is done by a table has an edge; 1 where it has none.
  func edge(toLinear: Bool) -> Double {
    switch self {
    case .log: toLinear ? 1 : toLinearLimit
    case .bt1361(.scene): toLinear ? 0.081 : 0.018
    default: 1
    }
  }

  /// The darkest light of a logarithm.
  private var toLinearLimit: Double { toLinear(1e-12) }
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
