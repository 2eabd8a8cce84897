// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// An operation together with the tables that it points to.
struct TabledOperation {
  /// What a kernel does, with pointers into the tables.
  let operation: RowOperation
  /// Keeps the tables alive while the operation is in use.
  let tables: [any AnyObject & Sendable]

  /// Wraps an operation without tables.
  init(_ operation: RowOperation) { (self.operation, tables) = (operation, []) }

  private init(_ operation: RowOperation, _ tables: [any AnyObject & Sendable]) {
    (self.operation, self.tables) = (operation, tables)
  }

  /// Makes the operation that applies a transfer function to each component: the kernels' own
  /// operation for the function if there is one, otherwise a table.
  static func transfer(
    _ transfer: ComponentTransfer, toLinear: Bool, _ precision: CurvePrecision
  ) -> TabledOperation {
    if let operation = transfer.operation(toLinear: toLinear, precision) { return operation }
    // The table ends at 256 times white, the brightest light that PQ can have in other primaries.
    let table = SampledCurve(
      upTo: 256, edge: transfer.edge(toLinear: toLinear), isFine: true,
      toLinear ? transfer.toLinear : transfer.toSignal)
    var operation = RowOperation(.curve)
    operation.curve = unsafe table.table(negativeScale: Float(transfer.negativeScale))
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that replaces the first component by the norm of the color.
  static func norm(_ norm: RowOperation.Norm, weights: Triple = .zero) -> TabledOperation {
    var operation = RowOperation(.norm)
    operation.norm = norm
    operation.weights = .init(weights)
    return TabledOperation(operation)
  }

  /// Makes the operation that applies Dolby Vision's curves to the three components.
  static func reshape(_ reshaping: SignalReshaping) -> TabledOperation {
    let table = NumberMemory<Float>(reshaping)
    var operation = RowOperation(.reshape)
    unsafe operation.reshaping = UnsafePointer(table.start)
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that applies headroom-adaptive gains.
  static func gainByHeadroom(_ shares: [HeadroomAdaptiveToneMap.Share]) -> TabledOperation {
    let table = NumberMemory<Float>(shares)
    var operation = RowOperation(.gainByHeadroom)
    unsafe operation.gains = UnsafePointer(table.start)
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that raises each component to a power.
  static func power(_ exponent: Double, _ precision: CurvePrecision) -> TabledOperation {
    power(PowerForm(gamma: exponent), toLinear: true, precision)
  }

  /// Makes the operation that applies a transfer function with the form of a power.
  static func power(
    _ form: PowerForm, toLinear: Bool, _ precision: CurvePrecision
  ) -> TabledOperation {
    let table = PowerTable(form, toLinear: toLinear, precision)
    var operation = RowOperation(form.toe == nil ? .plainPower : .power)
    operation.power = PowerCurve(form, toLinear: toLinear, table)
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that multiplies all components by a power of luminance.
  static func gainByPower(
    _ weights: Triple, exponent: Double, scale: Double, _ precision: CurvePrecision
  ) -> TabledOperation {
    let table = PowerTable(exponent: exponent, scale: scale, precision)
    var operation = RowOperation(.gainByPower)
    operation.weights = .init(weights)
    operation.power = unsafe table.curve
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that multiplies all components by a tone curve's gain.
  ///
  /// - Parameter toTarget: the matrix that `vividBlend` needs.
  static func gain(
    _ curve: any KneeToneCurve, norm: RowOperation.Norm, weights: Triple,
    toTarget: Matrix3x3? = nil, _ precision: CurvePrecision, _ gain: (Double) -> Double
  ) -> TabledOperation {
    let table = PieceTable(curve, precision, gain)
    var operation = RowOperation(.gainByPieces)
    operation.norm = norm
    operation.weights = .init(weights)
    operation.map = AffineMap(toTarget ?? .identity)
    operation.vividness = Float(curve.vividness)
    operation.pieces = unsafe table.curve
    operation.scale = Float(curve.sourcePeak)
    operation.limits = SIMD2(Float(curve.knee), Float(curve.targetPeak))
    return TabledOperation(operation, [table])
  }

  /// Makes the operation that multiplies all components by a tone curve's gain. The pixel's norm is
  /// first shifted toward the norms of its surroundings, and the gain is that of the shifted norm.
  static func gainBySurroundings(
    _ curve: any KneeToneCurve, norm: RowOperation.Norm, weights: Triple, toTarget: Matrix3x3?,
    _ gain: (Double) -> Double
  ) -> TabledOperation {
    let same = self.gain(
      curve, norm: norm, weights: weights, toTarget: toTarget, .full, gain)
    var operation = same.operation
    operation.kind = .gainBySurroundings
    return TabledOperation(operation, same.tables)
  }

  /// Makes the operation that turns components into PQ's signal: all three, or only the first one,
  /// depending on `kind`.
  static func pqSignal(
    as kind: RowOperation.Kind = .pqToSignal, _ precision: CurvePrecision
  ) -> TabledOperation {
    var operation = RowOperation(kind)
    let (power, pieces) = (PowerTable.pqPower(precision), PieceTable.pqSignal(precision))
    operation.power = unsafe power.curve
    operation.pieces = unsafe pieces.curve
    return TabledOperation(operation, [power, pieces])
  }
}

extension PowerTable {
  fileprivate convenience init(_ form: PowerForm, toLinear: Bool, _ precision: CurvePrecision) {
    if toLinear {
      self.init(exponent: form.lightExponent, scale: form.peak, precision)
    } else {
      // The result is multiplied by constants. In the power's table they cost nothing.
      let scale = form.peak == 1 ? 1 + form.offset : form.toSignal(1)
      self.init(exponent: form.signalExponent, scale: scale, precision)
    }
  }
}

extension PowerCurve {
  fileprivate init(_ form: PowerForm, toLinear: Bool, _ table: PowerTable) {
    self = unsafe table.curve
    guard let toe = form.toe else { return }
    if toLinear {
      let scale = 1 + form.offset
      (inputScale, inputOffset) = (Float(1 / scale), Float(form.offset / scale))
      (toeEnd, toeSlope) = (Float(toe.lightEnd * toe.slope), Float(1 / toe.slope))
    } else {
      outputOffset = Float(-form.offset)
      (toeEnd, toeSlope) = (Float(toe.lightEnd), Float(toe.slope))
    }
  }
}
