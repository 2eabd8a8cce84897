// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Computes the largest component of a pixel after a gain by a power.
struct LargestAfterGain<let degree: Int>: PixelNumber {
  let gain: PowerGain<degree>.Gain

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.largest * gain(pixels) }
}

/// Computes PQ's signal of a pixel's first component. A component of 1 is 10 000 cd/m².
struct FirstToPQ<let degree: Int, Pieces: PiecePolynomials>: PixelNumber {
  let power: PQPower<degree>
  let pieces: PQPieces<Pieces>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pieces(power(pixels.x)) }
}

/// Turns components into R'G'B', limits R', G' and B' to 0…1, and stores the largest one of each
/// pixel.
///
/// - Parameters:
///   - start: the first column.
///   - end: the column after the last.
///   - map: the linear map from components to R'G'B'.
///   - target: gets two numbers for each pixel: its largest component, and then that component's
///     bin as a 32-bit integer. The bin is the component's fourth power times `lastBin`, rounded.
package func collectSignals(
  _ components: ComponentRows, start: Int, end: Int, map: AffineMap, lastBin: Float,
  into target: ComponentRows, maxima: UnsafeMutablePointer<SIMD4<Float>>
) {
  if DifferencesToRGB.covers(map) {
    components.collectSignals(start, end, DifferencesToRGB(map: map), lastBin, into: target, maxima)
  } else {
    components.collectSignals(start, end, map, lastBin, into: target, maxima)
  }
}

extension Rows {
  @inline(__always)
  fileprivate func collectSignals(
    _ start: Int, _ end: Int, _ toRGB: some PixelFunction, _ lastBin: Float,
    into target: ComponentRows, _ maxima: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    var high = Pixels(Lanes(repeating: 0), Lanes(repeating: 0), Lanes(repeating: 0))
    var index = start & ~(Lanes.scalarCount - 1)
    while index < end {
      var signals = Limit()(toRGB(pixels(index)))
      let largest = signals.largest
      store(largest, target.x, index)
      let square = largest * largest
      // A number of at least 2^23 has no fraction bits, so the sum is rounded to an integer.
      let bin = bits(square * square * lastBin + 0x1p23) & 0x7F_FFFF
      store(number(bin), target.y, index)
      if index < start || index + Lanes.scalarCount > end {
        var lane = 0
        while lane < Lanes.scalarCount {
          if index + lane < start || index + lane >= end {
            signals.x[lane] = 0
            signals.y[lane] = 0
            signals.z[lane] = 0
          }
          lane += 1
        }
      }
      high.x = larger(high.x, signals.x)
      high.y = larger(high.y, signals.y)
      high.z = larger(high.z, signals.z)
      index += Lanes.scalarCount
    }
    var lane = 0
    while lane < Lanes.scalarCount {
      if high.x[lane] > maxima.pointee.x { maxima.pointee.x = high.x[lane] }
      if high.y[lane] > maxima.pointee.y { maxima.pointee.y = high.y[lane] }
      if high.z[lane] > maxima.pointee.z { maxima.pointee.z = high.z[lane] }
      lane += 1
    }
  }
}

/// The partial sums of a row: 16 with every instruction set, because a sum depends on the order of
/// additions.
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
