// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Multiplies pixels by a function of their norm.
///
/// - Parameter scratch: room for as many numbers as there are pixels.
func multiplyByGain(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  let weights = operation.pointee.weights
  switch operation.pointee.norm {
  case .maximum: rows.collect(range, Largest(), into: scratch)
  case .luminance: rows.collect(range, WeightedSum(weights: weights), into: scratch)
  case .blend: rows.collect(range, Blend(weights: weights), into: scratch)
  }
  let count = range.upperBound - range.lowerBound
  // Patterns, not `==`: its witness would be shared with objects for other instruction sets.
  if case .gainByTable = operation.pointee.kind {
    look(up: scratch, operation, Range(uncheckedBounds: (0, count)))
  } else {
    update(scratch, count, FactorOfSpline(spline: operation.pointee.spline))
  }
  rows.multiply(range, by: scratch)
}

/// Multiplies the first component by a function of it, and the others by as much less.
func scaleIntensity(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  rows.collect(range, First(), into: scratch)
  look(
    up: scratch, operation, Range(uncheckedBounds: (0, range.upperBound - range.lowerBound)))
  rows.scaleIntensity(range, by: scratch)
}

/// Multiplies pixels by a power of their weighted sum.
func multiplyByPower(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  let logarithm = SumLogarithm(
    weights: operation.pointee.weights, exponent: operation.pointee.exponent)
  rows.collect(range, logarithm, into: scratch)
  update(
    scratch, range.upperBound - range.lowerBound,
    ScaledExponential(scale: operation.pointee.scale))
  rows.multiply(range, by: scratch)
}

/// A number of a pixel.
protocol PixelNumber {
  func callAsFunction(_ pixels: Pixels) -> Lanes
}

private struct First: PixelNumber {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.x }
}

/// A pixel's largest component.
struct Largest: PixelNumber {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.largest }
}

private struct WeightedSum: PixelNumber {
  let weights: SIMD3<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.weightedSum(weights) }
}

private struct Blend: PixelNumber {
  let weights: SIMD3<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes {
    let largest = pixels.largest
    let luminance = pixels.weightedSum(weights)
    let saturation = smaller((largest - pixels.smallest) / larger(largest, 1e-30), 1)
    return multiplyAdd(saturation * saturation, largest - luminance, luminance)
  }
}

/// The logarithm of a power of the weighted sum. Where there is no light the power is 0, also with
/// a negative exponent.
private struct SumLogarithm: PixelNumber {
  let weights: SIMD3<Float>
  let exponent: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes {
    let sum = pixels.weightedSum(weights)
    return (binaryLogarithm(sum) * exponent).replacing(with: -1e9, where: sum .<= 0)
  }
}

private protocol NumberFunction {
  func callAsFunction(_ x: Lanes) -> Lanes
}

private struct ScaledExponential: NumberFunction {
  let scale: Float

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { exponential2(x) * scale }
}

private struct FactorOfSpline: NumberFunction {
  let spline: SplineGain

  @_transparent
  func callAsFunction(_ norm: Lanes) -> Lanes {
    // In octaves above the knee. Without a change of slope, rise and fall are 0.
    let u = binaryLogarithm(larger(norm, spline.knee) * (1 / spline.knee))
    let limited = smaller(u, spline.octaves)
    let slope = multiplyAdd(limited, spline.fall, spline.bend)
    let v = limited * multiplyAdd(limited, spline.rise, 1) / multiplyAdd(limited, slope, 1)
    return exponential2(v - u).replacing(with: 1, where: norm .<= spline.knee)
  }
}

@inline(__always)
private func update(
  _ numbers: UnsafeMutablePointer<Float>, _ count: Int, _ function: some NumberFunction
) {
  var index = 0
  while index < count {
    store(function(load(numbers, index)), numbers, index)
    index += Lanes.scalarCount
  }
}

extension Rows {
  /// A number for each pixel.
  @inline(__always)
  func collect(
    _ range: Range<Int>, _ number: some PixelNumber, into numbers: UnsafeMutablePointer<Float>
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let pixels = Pixels(load(x, index), load(y, index), load(z, index))
      store(number(pixels), numbers, index - range.lowerBound)
      index += Lanes.scalarCount
    }
  }

  @inline(__always)
  fileprivate func multiply(_ range: Range<Int>, by factors: UnsafeMutablePointer<Float>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let factor = load(factors, index - range.lowerBound)
      store(load(x, index) * factor, x, index)
      store(load(y, index) * factor, y, index)
      store(load(z, index) * factor, z, index)
      index += Lanes.scalarCount
    }
  }
  @inline(__always)
  fileprivate func scaleIntensity(_ range: Range<Int>, by factors: UnsafeMutablePointer<Float>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let factor = load(factors, index - range.lowerBound)
      let less = smaller(factor, 1 / larger(factor, 1e-30))
      store(load(x, index) * factor, x, index)
      store(load(y, index) * less, y, index)
      store(load(z, index) * less, z, index)
      index += Lanes.scalarCount
    }
  }
}
