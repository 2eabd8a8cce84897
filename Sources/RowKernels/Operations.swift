// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Applies operations to a run of pixels.
///
/// - Parameters:
///   - width: the number of pixels, at most `PixelRun.length`.
///   - scratch: memory for `PixelRun.scratchCount` numbers.
///   - doubts: the count and the places of doubtful pixels. Operations add to them.
package func run(
  _ operations: UnsafePointer<RowOperation>, count: Int, from source: ComponentRows,
  into target: ComponentRows, width: Int, scratch: UnsafeMutablePointer<Float>,
  doubts: UnsafeMutablePointer<Int32>
) {
  var source = source
  let range = Range(uncheckedBounds: (0, width))
  var index = 0
  while index < count {
    let fused = FusedOperation(operations + index, of: count - index)
    if !runFused(fused, source, target, range, scratch) {
      // All loops except those of `runFused` work in place. So if one of them comes first, the
      // pixels have to be copied before it.
      if index == 0 { source.copy(range, to: target) }
      if !mark(doubts, fused.center, target, range) { run(fused.center, target, range, scratch) }
    }
    source = target
    index += fused.count
  }
}

private func run(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  switch operation.pointee.kind {
  case .reshape:
    guard let numbers = operation.pointee.reshaping else { return }
    rows.map(range, Reshape(numbers: numbers))
  case .pqToLight:
    // With three short loops, the processor works on more pixels at a time than with a long one.
    rows.map(range, PQSignalLogarithm())
    rows.map(range, PQLightQuotient())
    rows.map(range, PQLight())
  case .hlgToSignal: rows.map(range, HLGToSignal())
  case .curve:
    look(up: rows.x, operation, range)
    look(up: rows.y, operation, range)
    look(up: rows.z, operation, range)
  case .gainByTable: multiplyByGain(rows, operation, range, scratch)
  case .gainBySurroundings: multiplyByGainOfSurroundings(rows, operation, range, scratch)
  case .gainByHeadroom:
    guard let numbers = operation.pointee.gains else { return }
    rows.map(range, HeadroomGains(numbers: numbers))
  case .intensityGain: scaleIntensity(rows, operation, range, scratch)
  case .darkenReds:
    rows.map(
      range, DarkenReds(weights: operation.pointee.weights, scale: operation.pointee.scale))
  case .desaturate:
    rows.map(
      range, Desaturate(weights: operation.pointee.weights, knee: operation.pointee.knee))
  case .compressGamut:
    rows.mapOutside(
      range,
      CompressGamut(numbers: operation.pointee.compression, weights: operation.pointee.weights),
      scratch)
  case .compressGamutSoftly: compressGamutSoftly(operation, rows, range, scratch)
  case .limit: rows.map(range, Limit(limits: operation.pointee.limits))
  case .differencesToComponents:
    rows.map(
      range,
      DifferencesToComponents(
        blueScale: operation.pointee.blueScale, redScale: operation.pointee.redScale))
  case .componentsToDifferences:
    rows.map(
      range,
      ComponentsToDifferences(
        blueScale: operation.pointee.blueScale, redScale: operation.pointee.redScale))
  case .norm: collectNorms(rows, operation, range, into: rows.x + range.lowerBound)
  case .firstToPQ: firstToPQ(operation, rows, range)
  case .keep: rows.copy(range, to: kept(scratch))
  case .restore: restore(rows, operation, range, kept(scratch))
  // Operations of these kinds already ran in `runFused` or in `mark`. The kinds are listed so that
  // the compiler finds forgotten ones.
  case .doubtSmall, .doubtNear, .doubtLuminance, .doubtOutside, .power, .plainPower, .pqToSignal,
    .hlgToLight, .hlgToLightRoughly, .gainByPower, .gainByPieces, .affine:
    break
  }
}

/// Returns where saved components are: after the memory that gains need.
private func kept(_ scratch: UnsafeMutablePointer<Float>) -> Rows {
  Rows(
    x: scratch + 2 * PixelRun.length, y: scratch + 3 * PixelRun.length,
    z: scratch + 4 * PixelRun.length)
}

private func restore(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>, _ kept: Rows
) {
  let places = operation.pointee.places
  copy(range, kept, places.x, to: rows.x)
  copy(range, kept, places.y, to: rows.y)
  copy(range, kept, places.z, to: rows.z)
}

private func copy(
  _ range: Range<Int>, _ kept: Rows, _ place: Int, to row: UnsafeMutablePointer<Float>
) {
  switch place {
  case 0: kept.x.copy(range, to: row)
  case 1: kept.y.copy(range, to: row)
  case 2: kept.z.copy(range, to: row)
  default: break
  }
}
