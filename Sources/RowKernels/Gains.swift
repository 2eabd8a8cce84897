import RowOperations

/// Multiplies pixels by a function of their norm.
///
/// - Parameter scratch: room for as many numbers as there are pixels.
func multiply(
  _ rows: Rows, by gain: Gain, of norm: Norm, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  switch norm.kind {
  case .maximum: rows.collect(range, Largest(), into: scratch)
  case .luminance: rows.collect(range, WeightedSum(weights: norm.weights), into: scratch)
  case .blend: rows.collect(range, Blend(weights: norm.weights), into: scratch)
  }
  let count = range.upperBound - range.lowerBound
  switch gain {
  case .table(let table): look(up: scratch, table, Range(uncheckedBounds: (0, count)))
  case .spline(let knee, let bend, let maximum, let targetPeak):
    update(
      scratch, count,
      SplineGain(knee: knee, bend: bend, maximum: maximum, targetPeak: targetPeak))
  }
  rows.multiply(range, by: scratch)
}

/// Multiplies pixels by a power of their weighted sum.
func multiply(
  _ rows: Rows, byPowerOf weights: SIMD3<Float>, exponent: Float, scale: Float,
  _ range: Range<Int>, _ scratch: UnsafeMutablePointer<Float>
) {
  rows.collect(range, SumLogarithm(weights: weights, exponent: exponent), into: scratch)
  update(scratch, range.upperBound - range.lowerBound, ScaledExponential(scale: scale))
  rows.multiply(range, by: scratch)
}

/// A number of a pixel.
private protocol PixelNumber {
  func callAsFunction(_ pixels: Pixels) -> Lanes
}

private struct Largest: PixelNumber {
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

/// The logarithm of a power of the weighted sum. Where there is no light the power is 0, also with a
/// negative exponent.
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

private struct SplineGain: NumberFunction {
  let knee: Float
  let bend: Float
  let maximum: Float
  let targetPeak: Float

  @_transparent
  func callAsFunction(_ norm: Lanes) -> Lanes {
    let above = larger(norm, knee)
    // In octaves: the bend is for natural logarithms.
    let u = binaryLogarithm(smaller(above, maximum) * (1 / knee))
    let v = u / multiplyAdd(u, bend * 0.693_147_2, 1)
    let curved = smaller(exponential2(v) * knee, targetPeak) / above
    return curved.replacing(with: 1, where: norm .<= knee)
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
  fileprivate func collect(
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
}
