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
    guard let curve = powerCurve(toLinear: toLinear) else { return nil }
    var operation = RowOperation(curve.toeEnd == 0 ? .plainPower : .power)
    operation.power = curve
    return operation
  }

  private func powerCurve(toLinear: Bool) -> PowerCurve? {
    switch self {
    case .bt1886: PowerCurve(exponent: toLinear ? 2.4 : 1 / 2.4)
    case .gamma(let gamma): PowerCurve(exponent: Float(toLinear ? gamma : 1 / gamma))
    case .smpte428: Self.power(toLinear: toLinear, gamma: 2.6, peak: 52.37 / 48)
    case .sRGB:
      Self.camera(toLinear: toLinear, gamma: 2.4, a: 0.055, end: 0.003_130_8, slope: 12.92)
    case .bt709Camera:
      Self.camera(toLinear: toLinear, gamma: 1 / 0.45, a: 0.099, end: 0.018, slope: 4.5)
    case .smpte240M:
      Self.camera(toLinear: toLinear, gamma: 1 / 0.45, a: 0.1115, end: 0.0228, slope: 4)
    case .linear, .log, .bt1361, .pq, .hlg: nil
    }
  }

  /// How the function goes on below 0 as a table.
  var negativeScale: Float {
    // BT.1361 squeezes negative light by 4.
    if case .bt1361 = self { return 4 }
    return isOdd ? 1 : 0
  }

  /// The light at which the signal jumps, by published constants that do not make the curve's pieces
  /// meet.
  var step: Double? {
    switch self {
    case .bt709Camera: 0.018
    case .smpte240M: 0.0228
    default: nil
    }
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

  /// Light: signal^gamma · peak.
  private static func power(toLinear: Bool, gamma: Double, peak: Double) -> PowerCurve {
    var curve = PowerCurve(exponent: Float(toLinear ? gamma : 1 / gamma))
    curve.outputScale = Float(toLinear ? peak : ComponentTransfer.gamma(gamma).toSignal(1 / peak))
    return curve
  }

  /// Signal: (1 + a) · light^(1/gamma) − a, and slope · light up to `end`.
  private static func camera(
    toLinear: Bool, gamma: Double, a: Double, end: Double, slope: Double
  ) -> PowerCurve {
    var curve = PowerCurve(exponent: Float(toLinear ? gamma : 1 / gamma))
    if toLinear {
      (curve.inputScale, curve.inputOffset) = (Float(1 / (1 + a)), Float(a / (1 + a)))
      (curve.toeEnd, curve.toeSlope) = (Float(end * slope), Float(1 / slope))
    } else {
      (curve.outputScale, curve.outputOffset) = (Float(1 + a), Float(-a))
      (curve.toeEnd, curve.toeSlope) = (Float(end), Float(slope))
    }
    return curve
  }
}
