// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

extension ComponentTransfer {
  /// Returns the operation that computes the function without a table of straight pieces, or `nil`
  /// if kernels have no such operation.
  func operation(toLinear: Bool, _ precision: CurvePrecision) -> TabledOperation? {
    switch self {
    case .pq where toLinear: TabledOperation(RowOperation(.pqToLight))
    case .pq: .pqSignal(precision)
    case .hlg where toLinear:
      // Only results of more than 10 bits need the more accurate light from HLG; see
      // `CurvePrecision`.
      TabledOperation(RowOperation(precision == .full ? .hlgToLight : .hlgToLightRoughly))
    case .hlg: TabledOperation(RowOperation(.hlgToSignal))
    // Below 0, kernels mirror powers: f(−x) = −f(x). BT.1361 also scales its mirrored part, so it
    // needs a table.
    case .power(let form) where form.negativeScale == 1:
      .power(form, toLinear: toLinear, precision)
    case .power, .formula, .linear: nil
    }
  }

  /// Whether kernels need a table of straight pieces for the function.
  var isTabled: Bool {
    switch self {
    case .power(let form): form.negativeScale != 1
    case .formula: true
    case .linear, .pq, .hlg: false
    }
  }

  /// The light at which the signal jumps, or `nil` if it does not or if a table handles the jump.
  var step: Double? {
    // With their published constants, the pieces of some curves do not meet. A table has a piece
    // that begins at the jump, so only computed powers are uncertain there.
    guard !isTabled, case .power(let form) = self else { return nil }
    return form.step
  }

  /// Returns the number at which the function jumps or bends, or 1 if it does neither. A piece of
  /// the function's table has to begin there.
  func edge(toLinear: Bool) -> Double {
    switch self {
    case .power(let form): (toLinear ? form.toe?.signalEnd : form.toe?.lightEnd) ?? 1
    case .formula(let formula): toLinear ? formula.signalEdge : formula.lightEdge
    case .linear, .pq, .hlg: 1
    }
  }
}
