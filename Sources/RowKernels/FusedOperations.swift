// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Runs an operation together with the operations before and after it that share its loop.
///
/// - Returns: `false` if nothing was run, because operations of this kind run in other loops.
func runFused(
  _ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) -> Bool {
  let operation = fused.center
  switch operation.pointee.kind {
  // Nearly every conversion begins by turning Y'CbCr into R'G'B'. This form of the map needs five
  // multiplications instead of nine.
  case .affine where DifferencesToRGB.covers(operation.pointee.map):
    rows.map(range, DifferencesToRGB(map: operation.pointee.map), from: source)
  case .affine: rows.map(range, operation.pointee.map, from: source)
  case .plainPower: raise(fused, source, rows, range)
  case .power: raiseWithToe(fused, source, rows, range)
  case .pqToSignal: pqToSignal(fused, source, rows, range)
  case .hlgToLight: rows.map(range, HLGToLight(), fused, from: source)
  case .hlgToLightRoughly: rows.map(range, HLGToLightRoughly(), fused, from: source)
  case .gainByPower: gainByPower(fused, source, rows, range, scratch)
  case .gainByPieces: gain(fused, source, rows, range)
  default: return false
  }
  return true
}

private func gainByPower(
  _ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  // The degree is a part of the type, so each case is compiled with its own polynomial and has no
  // loop over coefficients.
  let operation = fused.center
  switch operation.pointee.power.degree {
  case 3: gain(PowerGain<3>(operation), fused, source, rows, range, scratch)
  case 4: gain(PowerGain<4>(operation), fused, source, rows, range, scratch)
  default: gain(PowerGain<7>(operation), fused, source, rows, range, scratch)
  }
}

private func pqToSignal(
  _ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>
) {
  // PQ takes two loops. A map before it shares the first loop, and a map after it shares the
  // second.
  if isRough(fused.center) {
    rows.map(range, PQPower<4>(fused.center), fused.withoutAfter, from: source)
    rows.map(range, PQPieces<QuarticPieces>(fused.center), fused.withoutBefore, from: rows)
  } else {
    rows.map(range, PQPower<7>(fused.center), fused.withoutAfter, from: source)
    rows.map(range, PQPieces<QuinticPieces>(fused.center), fused.withoutBefore, from: rows)
  }
}

/// Whether the less precise polynomials are enough for PQ's signal.
@_transparent
private func isRough(_ operation: UnsafePointer<RowOperation>) -> Bool {
  operation.pointee.power.degree == 4
}

private func raise(
  _ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>
) {
  let curve = fused.center.pointee.power
  switch curve.degree {
  case 3: rows.map(range, PlainPower<3>(curve), fused, from: source)
  case 4: rows.map(range, PlainPower<4>(curve), fused, from: source)
  case 6: rows.map(range, PlainPower<6>(curve), fused, from: source)
  default: rows.map(range, PlainPower<7>(curve), fused, from: source)
  }
}

private func raiseWithToe(
  _ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>
) {
  let curve = fused.center.pointee.power
  switch curve.degree {
  case 3: rows.map(range, PowerWithToe<3>(curve), fused, from: source)
  case 4: rows.map(range, PowerWithToe<4>(curve), fused, from: source)
  case 6: rows.map(range, PowerWithToe<6>(curve), fused, from: source)
  default: rows.map(range, PowerWithToe<7>(curve), fused, from: source)
  }
}

/// Applies a gain by a power, and the operation after it if that operation shares the gain's loop.
@inline(__always)
private func gain<let degree: Int>(
  _ power: PowerGain<degree>, _ fused: FusedOperation, _ source: Rows, _ rows: Rows,
  _ range: Range<Int>, _ scratch: UnsafeMutablePointer<Float>
) {
  guard let second = fused.second else { return rows.map(range, power, fused, from: source) }
  var start = source
  // Two loops need the pixels after the map: one computes the gain from them, and the next applies
  // it. So the map needs its own loop.
  if let before = fused.before {
    rows.map(range, before.pointee.map, from: source)
    start = rows
  }
  switch second.pointee.kind {
  case .norm:
    let largest = LargestAfterGain(gain: power.gain)
    start.collect(range, largest, into: rows.x + range.lowerBound)
  case .pqToSignal:
    start.collect(range, power.gain, into: scratch)
    gainAndPQ(second, fused, start, rows, range, scratch)
  default:
    // A tone curve shares the gain's loop only if its norm is `vividBlend` or `blend`; see
    // `takesGain`.
    let norms = scratch + PixelRun.length
    if case .vividBlend = second.pointee.norm {
      start.collect(range, power.gain, VividBlend(second), into: scratch, norms)
    } else {
      let norm = Blend(weights: second.pointee.weights)
      start.collect(range, power.gain, norm, into: scratch, norms)
    }
    gainAndTone(second, fused, start, rows, range, scratch)
  }
}

/// Multiplies pixels by factors, then turns the products into PQ's signal.
private func gainAndPQ(
  _ operation: UnsafePointer<RowOperation>, _ fused: FusedOperation, _ source: Rows,
  _ rows: Rows, _ range: Range<Int>, _ factors: UnsafeMutablePointer<Float>
) {
  if isRough(operation) {
    rows.map(range, factors, PQPower<4>(operation), from: source)
    rows.map(range, PQPieces<QuarticPieces>(operation), fused.withoutBefore, from: rows)
  } else {
    rows.map(range, factors, PQPower<7>(operation), from: source)
    rows.map(range, PQPieces<QuinticPieces>(operation), fused.withoutBefore, from: rows)
  }
}

/// Multiplies pixels by factors, and by the gains that a tone curve has for the norms. `scratch`
/// has the factors, then the norms.
private func gainAndTone(
  _ operation: UnsafePointer<RowOperation>, _ fused: FusedOperation, _ source: Rows,
  _ rows: Rows, _ range: Range<Int>, _ scratch: UnsafeMutablePointer<Float>
) {
  let map = fused.after?.pointee.map ?? .identity
  switch operation.pointee.pieces.degree {
  case 5: rows.multiply(range, by: scratch, ToneGain<QuinticPieces>(operation), map, from: source)
  case 6: rows.multiply(range, by: scratch, ToneGain<SexticPieces>(operation), map, from: source)
  default:
    rows.multiply(range, by: scratch, ToneGain<SepticPieces>(operation), map, from: source)
  }
}

extension Rows {
  /// Stores a factor for each pixel, and the norm of the pixel after multiplication by the factor.
  @inline(__always)
  fileprivate func collect(
    _ range: Range<Int>, _ factor: some PixelNumber, _ norm: some PixelNumber,
    into factors: UnsafeMutablePointer<Float>, _ norms: UnsafeMutablePointer<Float>
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let pixels = pixels(index)
      let factor = factor(pixels)
      store(factor, factors, index)
      store(norm(pixels, times: factor), norms, index)
      index += Lanes.scalarCount
    }
  }

  /// Multiplies pixels by factors, then applies a function.
  @inline(__always)
  fileprivate func map(
    _ range: Range<Int>, _ factors: UnsafeMutablePointer<Float>, _ function: some PixelFunction,
    from source: Rows
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let result = function(source.pixels(index) * load(factors, index))
      store(result.x, x, index)
      store(result.y, y, index)
      store(result.z, z, index)
      index += Lanes.scalarCount
    }
  }

  /// Multiplies pixels by factors and by a gain that depends on their norms, then applies a linear
  /// map. The norms follow the factors in memory.
  @inline(__always)
  fileprivate func multiply(
    _ range: Range<Int>, by factors: UnsafeMutablePointer<Float>,
    _ gain: ToneGain<some PiecePolynomials>, _ map: AffineMap, from source: Rows
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let gain = load(factors, index) * gain(load(factors + PixelRun.length, index))
      let result = map(source.pixels(index) * gain)
      store(result.x, x, index)
      store(result.y, y, index)
      store(result.z, z, index)
      index += Lanes.scalarCount
    }
  }
}

/// Applies a gain that is computed in pieces and has no other gain before it.
private func gain(_ fused: FusedOperation, _ source: Rows, _ rows: Rows, _ range: Range<Int>) {
  switch fused.center.pointee.pieces.degree {
  case 5: gain(ToneGain<QuinticPieces>(fused.center), fused, source, rows, range)
  case 6: gain(ToneGain<SexticPieces>(fused.center), fused, source, rows, range)
  default: gain(ToneGain<SepticPieces>(fused.center), fused, source, rows, range)
  }
}

@inline(__always)
private func gain(
  _ gain: ToneGain<some PiecePolynomials>, _ fused: FusedOperation, _ source: Rows,
  _ rows: Rows, _ range: Range<Int>
) {
  let weights = fused.center.pointee.weights
  switch fused.center.pointee.norm {
  case .maximum: rows.map(range, PieceGain(norm: Largest(), gain: gain), fused, from: source)
  case .luminance:
    rows.map(range, PieceGain(norm: WeightedSum(weights: weights), gain: gain), fused, from: source)
  case .blend:
    rows.map(range, PieceGain(norm: Blend(weights: weights), gain: gain), fused, from: source)
  case .vividBlend:
    rows.map(range, PieceGain(norm: VividBlend(fused.center), gain: gain), fused, from: source)
  }
}

/// Replaces the first component by its PQ signal.
func firstToPQ(_ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>) {
  let first = rows.x + range.lowerBound
  if isRough(operation) {
    rows.collect(
      range,
      FirstToPQ(power: PQPower<4>(operation), pieces: PQPieces<QuarticPieces>(operation)),
      into: first)
  } else {
    rows.collect(
      range,
      FirstToPQ(power: PQPower<7>(operation), pieces: PQPieces<QuinticPieces>(operation)),
      into: first)
  }
}
