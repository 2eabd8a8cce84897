// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Runs operations over a run of pixels, in place.
///
/// - Parameters:
///   - x: the first component; rows begin on 64 bytes and are padded to whole registers.
///   - width: the pixels, at most those of a `PixelRun`.
///   - scratch: room for a run's numbers.
///   - doubts: a number of pixels and their places, which operations that doubt some add to: room
///     for those of a run.
package func run(
  _ operations: UnsafePointer<RowOperation>, count: Int, x: UnsafeMutablePointer<Float>,
  y: UnsafeMutablePointer<Float>, z: UnsafeMutablePointer<Float>, width: Int,
  scratch: UnsafeMutablePointer<Float>, doubts: UnsafeMutablePointer<Int32>
) {
  let rows = Rows(x: x, y: y, z: z)
  let range = Range(uncheckedBounds: (0, width))
  var index = 0
  while index < count {
    let operation = operations + index
    if !mark(doubts, operation, rows, range) { run(operation, rows, range, scratch) }
    index += 1
  }
}

private func run(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  switch operation.pointee.kind {
  case .affine where DifferencesToRGB.covers(operation.pointee.map):
    rows.map(range, DifferencesToRGB(map: operation.pointee.map))
  case .affine: rows.map(range, Affine(map: operation.pointee.map))
  case .plainPower, .power: raise(rows, operation, range)
  case .pqToLight:
    rows.map(range, PQSignalLogarithm())
    rows.map(range, PQLightQuotient())
    rows.map(range, PQLight())
  case .pqToSignal:
    rows.map(range, PQLightLogarithm())
    rows.map(range, PQSignalFromLight())
    rows.map(range, Exponential())
  case .hlgToLight: rows.map(range, HLGToLight())
  case .hlgToSignal: rows.map(range, HLGToSignal())
  case .curve:
    look(up: rows.x, operation, range)
    look(up: rows.y, operation, range)
    look(up: rows.z, operation, range)
  case .gainByPower: multiplyByPower(rows, operation, range, scratch)
  case .gainByTable, .gainBySpline: multiplyByGain(rows, operation, range, scratch)
  case .intensityGain: scaleIntensity(rows, operation, range, scratch)
  case .darkenReds:
    rows.map(
      range, DarkenReds(weights: operation.pointee.weights, scale: operation.pointee.scale))
  case .desaturate:
    rows.map(
      range, Desaturate(weights: operation.pointee.weights, knee: operation.pointee.knee))
  case .compressGamut:
    rows.map(
      range,
      CompressGamut(numbers: operation.pointee.compression, weights: operation.pointee.weights))
  case .compressGamutSoftly:
    rows.map(
      range,
      CompressGamutSoftly(
        compression: CompressGamut(
          numbers: operation.pointee.compression, weights: operation.pointee.weights)))
  case .limit: rows.map(range, Limit(limits: operation.pointee.limits))
  case .differencesToComponents:
    rows.map(range, DifferencesToComponents(scales: operation.pointee.scales))
  case .componentsToDifferences:
    rows.map(range, ComponentsToDifferences(scales: operation.pointee.scales))
  case .largest: rows.collect(range, Largest(), into: rows.x + range.lowerBound)
  case .largestToPQ: rows.collect(range, LargestToPQ(), into: rows.x + range.lowerBound)
  case .keep: rows.copy(range, to: kept(scratch))
  case .restore: restore(rows, operation, range, kept(scratch))
  case .doubtSmall, .doubtInside, .doubtOutside: break
  }
}

/// Place of kept components, behind the memory that gains need.
private func kept(_ scratch: UnsafeMutablePointer<Float>) -> Rows {
  Rows(
    x: scratch + PixelRun.length, y: scratch + 2 * PixelRun.length,
    z: scratch + 3 * PixelRun.length)
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

/// Powers: those above 1, which lead to light, are precise. Light is mixed, and what is left of a
/// component then can be small.
private func raise(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>
) {
  let curve = operation.pointee.power
  switch (operation.pointee.kind, curve.exponent > 1) {
  case (.plainPower, true):
    rows.map(range, PrecisePowerLogarithm(curve: curve))
    rows.map(range, PrecisePowerFromLogarithm(curve: curve))
  case (.plainPower, false):
    rows.map(range, PowerLogarithm(curve: curve))
    rows.map(range, PowerFromLogarithm(curve: curve))
  case (_, true): rows.map(range, PrecisePowerWithToe(curve: curve))
  case (_, false): rows.map(range, PowerWithToe(curve: curve))
  }
}
