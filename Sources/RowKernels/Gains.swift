// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Multiplies pixels by the value that a table has for their norm.
///
/// - Parameter scratch: room for as many numbers as there are pixels.
func multiplyByGain(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  collectNorms(rows, operation, range, into: scratch)
  look(
    up: scratch, operation, Range(uncheckedBounds: (0, range.upperBound - range.lowerBound)))
  rows.multiply(range, by: scratch)
}

/// Stores the norm of each pixel. For `vividBlend`, this is the norm of `blend`, which `Vividness`
/// makes larger afterwards.
func collectNorms(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  into numbers: UnsafeMutablePointer<Float>
) {
  let weights = operation.pointee.weights
  switch operation.pointee.norm {
  case .maximum: rows.collect(range, Largest(), into: numbers)
  case .luminance: rows.collect(range, WeightedSum(weights: weights), into: numbers)
  case .blend, .vividBlend: rows.collect(range, Blend(weights: weights), into: numbers)
  }
}

/// Multiplies pixels by the gain that a tone curve has for their norm. The norm is shifted first.
///
/// - Parameter scratch: room for as many numbers as there are pixels, then the slopes and offsets
///   of the shifts at `PixelRun.shifts`.
func multiplyByGainOfSurroundings(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  collectNorms(rows, operation, range, into: scratch)
  let (slopes, offsets) = (
    scratch + PixelRun.shifts, scratch + PixelRun.shifts + PixelRun.length
  )
  let (vividness, gain) = (Vividness(operation), ToneGain<SepticPieces>(operation))
  // The inverse of the norm at which the shift begins to count, and the largest resulting norm.
  let (scale, largest) = (1 / operation.pointee.limits.x, operation.pointee.limits.y)
  var index = 0
  while index < range.upperBound - range.lowerBound {
    let growth = vividness.growth(rows.pixels(range.lowerBound + index))
    let norm = load(scratch, index)
    let share = smaller(larger(multiplyAdd(norm, scale, -1), 0), 1)
    let shift = multiplyAdd(load(slopes, index), norm, load(offsets, index))
    let shifted = vividness(multiplyAdd(share, shift, norm), growth)
    // No pixel may become brighter than white, however dark its surroundings are.
    store(smaller(gain(shifted), largest / larger(norm, 1e-30)), scratch, index)
    index += Lanes.scalarCount
  }
  rows.multiply(range, by: scratch)
}

/// Multiplies the first component by a factor that is a function of it, and the others by the
/// smaller of that factor and its inverse.
func scaleIntensity(
  _ rows: Rows, _ operation: UnsafePointer<RowOperation>, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  let (first, places) = (
    rows.x + range.lowerBound, Range(uncheckedBounds: (0, range.upperBound - range.lowerBound))
  )
  first.copy(places, to: scratch)
  look(up: scratch, operation, places)
  rows.scaleIntensity(range, by: scratch)
}

/// A function from a pixel to one number.
protocol PixelNumber {
  func callAsFunction(_ pixels: Pixels) -> Lanes
  /// Returns the numbers of pixels that are multiplied by a factor.
  func callAsFunction(_ pixels: Pixels, times factor: Lanes) -> Lanes
}

extension PixelNumber {
  @_transparent
  func callAsFunction(_ pixels: Pixels, times factor: Lanes) -> Lanes { self(pixels * factor) }
}

struct Largest: PixelNumber {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.largest }
}

struct WeightedSum: PixelNumber {
  let weights: SIMD3<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { pixels.weightedSum(weights) }
}

struct Blend: PixelNumber {
  let weights: SIMD3<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes {
    let largest = pixels.largest
    let luminance = pixels.weightedSum(weights)
    // Black has no saturation, and negative components would give more than 1.
    let saturation = smaller((largest - pixels.smallest) / larger(largest, 1e-30), 1)
    return multiplyAdd(saturation * saturation, largest - luminance, luminance)
  }

  // The norm of a multiplied pixel is the multiplied norm, so pixels are not multiplied first.
  @_transparent
  func callAsFunction(_ pixels: Pixels, times factor: Lanes) -> Lanes { self(pixels) * factor }
}

/// Makes the norms of vivid highlights larger than those that `Blend` computes.
struct Vividness {
  private let x: SIMD3<Float>
  private let y: SIMD3<Float>
  private let z: SIMD3<Float>
  private let vividness: Float
  private let knee: Float

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    let map = operation.pointee.map
    x = SIMD3(map.x.x, map.x.y, map.x.z)
    y = SIMD3(map.y.x, map.y.y, map.y.z)
    z = SIMD3(map.z.x, map.z.y, map.z.z)
    (vividness, knee) = (operation.pointee.vividness, operation.pointee.limits.x)
  }

  /// Returns how much the part of the norm above the knee grows: a factor minus 1.
  @_transparent
  func growth(_ pixels: Pixels) -> Lanes { growth(pixels, 1 / larger(pixels.largest, 1e-30)) }

  @_transparent
  fileprivate func growth(_ pixels: Pixels, _ inverse: Lanes) -> Lanes {
    let mapped = larger(
      larger(pixels.weightedSum(x), pixels.weightedSum(y)), pixels.weightedSum(z))
    return larger(multiplyAdd(mapped, inverse, -1), 0) * vividness
  }

  /// Returns the norm, with the part above the knee enlarged by the growth.
  @_transparent
  func callAsFunction(_ norm: Lanes, _ growth: Lanes) -> Lanes {
    multiplyAdd(larger(norm - knee, 0), growth, norm)
  }
}

struct VividBlend: PixelNumber {
  private let weights: SIMD3<Float>
  private let vividness: Vividness

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    (weights, vividness) = (operation.pointee.weights, Vividness(operation))
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Lanes { self(pixels, times: Lanes(repeating: 1)) }

  @_transparent
  func callAsFunction(_ pixels: Pixels, times factor: Lanes) -> Lanes {
    let largest = pixels.largest
    let luminance = pixels.weightedSum(weights)
    let inverse = 1 / larger(largest, 1e-30)
    let saturation = smaller((largest - pixels.smallest) * inverse, 1)
    let norm = multiplyAdd(saturation * saturation, largest - luminance, luminance) * factor
    return vividness(norm, vividness.growth(pixels, inverse))
  }
}

extension Rows {
  /// Stores a number for each pixel.
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
      // BT.2390, 5.4.2: chroma is reduced if intensity changes, whether it rises or falls.
      let less = smaller(factor, 1 / larger(factor, 1e-30))
      store(load(x, index) * factor, x, index)
      store(load(y, index) * less, y, index)
      store(load(z, index) * less, z, index)
      index += Lanes.scalarCount
    }
  }
}
