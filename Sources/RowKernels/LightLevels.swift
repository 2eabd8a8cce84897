// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Computes PQ's signal of a pixel's largest component; 1 is 10 000 cd/m².
struct LargestToPQ<Mantissa: MantissaPolynomial, Pieces: PiecePolynomials>: PixelNumber {
  let power: PQPower<Mantissa>
  let pieces: PQPieces<Pieces>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pieces(power(pixels.largest)) }
}

/// A sum depends on the order of additions, so every instruction set adds up this many partial
/// sums.
private typealias Summands = SIMD16<Float>

/// Adds numbers to a summary.
package func summarize(
  _ numbers: UnsafePointer<Float>, count: Int, into summary: UnsafeMutablePointer<RowSummary>
) {
  var low = Summands(repeating: summary.pointee.minimum)
  var high = Summands(repeating: summary.pointee.maximum)
  var sum = Summands.zero
  var index = 0
  while index + Summands.scalarCount <= count {
    let values = UnsafeRawPointer(numbers + index).loadUnaligned(as: Summands.self)
    low = low.replacing(with: values, where: values .< low)
    high = high.replacing(with: values, where: values .> high)
    sum += values
    index += Summands.scalarCount
  }
  var rest: Float = 0
  while index < count {
    low[0] = numbers[index] < low[0] ? numbers[index] : low[0]
    high[0] = numbers[index] > high[0] ? numbers[index] : high[0]
    rest += numbers[index]
    index += 1
  }
  var lane = 0
  while lane < Summands.scalarCount {
    summary.pointee.minimum =
      low[lane] < summary.pointee.minimum ? low[lane] : summary.pointee.minimum
    summary.pointee.maximum =
      high[lane] > summary.pointee.maximum ? high[lane] : summary.pointee.maximum
    // A row's sum is small enough for single precision, but a frame's sum is not.
    summary.pointee.sum += Double(sum[lane])
    lane += 1
  }
  summary.pointee.sum += Double(rest)
}
