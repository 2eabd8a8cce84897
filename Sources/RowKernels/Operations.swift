public import RowOperations

/// How many pixels go through all operations before the next: three components and a row of indices
/// stay in the first-level cache.
private var chunk: Int { 512 }

/// Runs operations over rows of pixels, in place.
///
/// - Parameters:
///   - x: the first component; rows begin on 64 bytes and are padded to whole registers.
///   - scratch: room for 512 numbers.
public func run(
  _ operations: UnsafePointer<RowOperation>, count: Int, x: UnsafeMutablePointer<Float>,
  y: UnsafeMutablePointer<Float>, z: UnsafeMutablePointer<Float>, width: Int,
  scratch: UnsafeMutablePointer<Float>
) {
  let rows = Rows(x: x, y: y, z: z)
  var start = 0
  while start < width {
    let end = start + chunk < width ? start + chunk : width
    let range = Range(uncheckedBounds: (start, end))
    var index = 0
    while index < count {
      run(operations + index, rows, range, scratch)
      index += 1
    }
    start = end
  }
}

private func run(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  switch operation.pointee.kind {
  case .affine: rows.map(range, Affine(map: operation.pointee.map))
  case .plainPower:
    rows.map(range, PowerLogarithm(curve: operation.pointee.power))
    rows.map(range, PowerFromLogarithm(curve: operation.pointee.power))
  case .power: rows.map(range, PowerWithToe(curve: operation.pointee.power))
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
  case .desaturate:
    rows.map(
      range, Desaturate(weights: operation.pointee.weights, knee: operation.pointee.knee))
  case .compressGamut:
    rows.map(
      range,
      CompressGamut(numbers: operation.pointee.compression, weights: operation.pointee.weights))
  case .limit: rows.map(range, Limit())
  case .differencesToComponents:
    rows.map(range, DifferencesToComponents(scales: operation.pointee.scales))
  case .componentsToDifferences:
    rows.map(range, ComponentsToDifferences(scales: operation.pointee.scales))
  case .cube: interpolate(operation, rows, range)
  case .largestToPQ: rows.collect(range, LargestToPQ(), into: rows.x + range.lowerBound)
  }
}
