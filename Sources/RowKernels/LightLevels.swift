// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// PQ's signal of a pixel's largest component; 1 is 10 000 cd/m².
struct LargestToPQ<Mantissa: MantissaPolynomial, Pieces: PiecePolynomials>: PixelNumber {
  let power: PQPower<Mantissa>
  let pieces: PQPieces<Pieces>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pieces(power(pixels.largest)) }
}

/// Adds numbers to a summary.
package func summarize(
  _ numbers: UnsafePointer<Float>, count: Int, into summary: UnsafeMutablePointer<RowSummary>
) {
  var low = Lanes(repeating: summary.pointee.minimum)
  var high = Lanes(repeating: summary.pointee.maximum)
  var sum = Lanes.zero
  var index = 0
  while index + Lanes.scalarCount <= count {
    let values = UnsafeRawPointer(numbers + index).loadUnaligned(as: Lanes.self)
    low = smaller(values, low)
    high = larger(values, high)
    sum += values
    index += Lanes.scalarCount
  }
  var rest: Float = 0
  while index < count {
    low[0] = numbers[index] < low[0] ? numbers[index] : low[0]
    high[0] = numbers[index] > high[0] ? numbers[index] : high[0]
    rest += numbers[index]
    index += 1
  }
  var lane = 0
  while lane < Lanes.scalarCount {
    summary.pointee.minimum =
      low[lane] < summary.pointee.minimum ? low[lane] : summary.pointee.minimum
    summary.pointee.maximum =
      high[lane] > summary.pointee.maximum ? high[lane] : summary.pointee.maximum
    summary.pointee.sum += Double(sum[lane])
    lane += 1
  }
  summary.pointee.sum += Double(rest)
}
