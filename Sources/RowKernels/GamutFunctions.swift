// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Moves colors toward gray, as ColorScience's `DesaturateGamut` does.
struct Desaturate: PixelFunction {
  let weights: SIMD3<Float>
  let knee: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let luminance = pixels.weightedSum(weights)
    let gray = smaller(larger(luminance, 0), 1)
    // At the luminance of black or white, the gamut has no other color, so all colors become gray.
    let low = saturation(pixels.smallest / larger(gray, 1e-30))
    let high = saturation((1 - pixels.largest) / larger(1 - gray, 1e-30))
    let isInside = (luminance .> 0) .& (luminance .< 1)
    let factor = Lanes.zero.replacing(with: smaller(low, high), where: isInside)
    return Pixels(
      multiplyAdd(pixels.x - gray, factor, gray), multiplyAdd(pixels.y - gray, factor, gray),
      multiplyAdd(pixels.z - gray, factor, gray))
  }

  @_transparent
  private func saturation(_ distance: Lanes) -> Lanes {
    let beyond = smaller(distance, knee)
    let soft = (1 - Lanes(repeating: knee * knee) / (2 * knee - beyond)) / (1 - beyond)
    return soft.replacing(with: 1, where: distance .>= knee)
  }
}

/// A function that changes only pixels outside a gamut.
protocol GamutFunction: PixelFunction {
  func isInside(_ pixels: Pixels) -> LaneMask
}

extension Rows {
  /// Applies a function to the pixels outside the gamut, and leaves all others as they are.
  ///
  /// - Parameter scratch: memory for the indices at which registers with pixels outside the gamut
  ///   begin.
  @inline(__always)
  func mapOutside(
    _ range: Range<Int>, _ function: some GamutFunction, _ scratch: UnsafeMutablePointer<Float>
  ) {
    // Most registers have only pixels inside the gamut. The places of the others are collected
    // first, without a branch for each register, which the processor would have to predict.
    let places = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Int.self)
    var count = 0
    var index = range.lowerBound
    while index < range.upperBound {
      places[count] = index
      count &+= all(function.isInside(pixels(index))) ? 0 : 1
      index += Lanes.scalarCount
    }
    // Pixels inside stay the same even in these registers, so no result depends on which pixels
    // share a register.
    for place in 0..<count {
      let index = places[place]
      let pixels = pixels(index)
      let result = function(pixels)
      let isInside = function.isInside(pixels)
      store(result.x.replacing(with: pixels.x, where: isInside), x, index)
      store(result.y.replacing(with: pixels.y, where: isInside), y, index)
      store(result.z.replacing(with: pixels.z, where: isInside), z, index)
    }
  }
}

/// Compresses colors into a gamut, as ColorScience's `GamutCompression` does.
struct CompressGamut: GamutFunction {
  let numbers: GamutCompressionNumbers
  let weights: SIMD3<Float>

  @_transparent
  func isInside(_ pixels: Pixels) -> LaneMask {
    let largest = larger(pixels.largest, 0)
    return (pixels.smallest .>= edge(largest)) .& (largest .<= 1)
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let largest = larger(pixels.largest, 0)
    return dimmed(compressed(pixels, largest), largest)
  }

  /// The smallest value at which a component stays unchanged.
  @_transparent
  fileprivate func edge(_ largest: Lanes) -> Lanes { largest * (1 - numbers.knee) }

  @_transparent
  fileprivate func compressed(_ pixels: Pixels, _ largest: Lanes) -> Pixels {
    let edge = edge(largest)
    let beyond = Pixels(
      larger(edge - pixels.x, 0), larger(edge - pixels.y, 0), larger(edge - pixels.z, 0))
    // One division is enough for all three components. For black, 0/0 would be NaN, so keep the
    // divisor above 0.
    let bottom = Pixels(
      multiplyAdd(beyond.x, numbers.bends.x, largest),
      multiplyAdd(beyond.y, numbers.bends.y, largest),
      multiplyAdd(beyond.z, numbers.bends.z, largest))
    let (xy, yz, xz) = (bottom.x * bottom.y, bottom.y * bottom.z, bottom.x * bottom.z)
    let factor = largest / larger(xy * bottom.z, 1e-30)
    return Pixels(
      larger(pixels.x, edge) - beyond.x * yz * factor,
      larger(pixels.y, edge) - beyond.y * xz * factor,
      larger(pixels.z, edge) - beyond.z * xy * factor)
  }

  @_transparent
  private func dimmed(_ pixels: Pixels, _ largest: Lanes) -> Pixels {
    // No color can be brighter than 1, so luminance above 1 does not count as lost.
    let before = smaller(pixels.weightedSum(weights), 1)
    let dimmed = pixels * (1 / larger(largest, 1))
    let luminance = dimmed.weightedSum(weights)
    let lost = larger(before - luminance, 0) * numbers.whitening
    // At white, nothing can be added, but the quotient must stay finite.
    let white = lost / larger(1 - luminance, 1e-6)
    return Limit()(
      Pixels(
        multiplyAdd(1 - dimmed.x, white, dimmed.x), multiplyAdd(1 - dimmed.y, white, dimmed.y),
        multiplyAdd(1 - dimmed.z, white, dimmed.z)))
  }
}

/// Compresses colors, dims them with a soft knee and whitens them, as ColorScience's
/// `HighlightDimming` does.
struct CompressGamutSoftly: GamutFunction {
  let compression: CompressGamut

  @_transparent
  func isInside(_ pixels: Pixels) -> LaneMask {
    let largest = larger(pixels.largest, 0)
    let smallest = pixels.smallest
    // Saturation is a quotient. Both sides of the comparison are multiplied by its denominator,
    // which saves a division for every pixel.
    let difference = largest - smallest
    let square = largest * largest
    let isBelow = difference * difference * softness .<= square - square * largest
    return (smallest .>= compression.edge(largest)) .& isBelow
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let largest = larger(pixels.largest, 0)
    return dimmed(compression.compressed(pixels, largest), largest)
  }

  @_transparent
  private var softness: Float { compression.numbers.softness }

  @_transparent
  private func dimmed(_ pixels: Pixels, _ largest: Lanes) -> Pixels {
    // The largest component of black is 0, and its inverse must stay finite.
    let inverse = 1 / larger(largest, 1e-30)
    let saturation = (largest - pixels.smallest) * inverse
    let room = saturation * saturation * softness
    let beyond = larger(largest - 1 + room, 0)
    // The largest component is dimmed to `kept / whole`. Kept as two separate numbers, they need
    // only one division later.
    let whole = larger(beyond + room, 1e-30)
    let kept = whole - room * room
    // The color is scaled so that its largest component is 1. White then has 1 in every component.
    // No component is negative now, and neither is any of L, M and S.
    let unit = pixels * inverse
    let roots = Pixels(
      eighthRoot(unit.weightedSum(compression.numbers.toLMS.x.lowerThree)),
      eighthRoot(unit.weightedSum(compression.numbers.toLMS.y.lowerThree)),
      eighthRoot(unit.weightedSum(compression.numbers.toLMS.z.lowerThree)))
    let intensity = 0.5 * (roots.x + roots.y)
    let lost = (eighthRoot(largest * whole / kept) - 1) * intensity * compression.numbers.restored
    // For white, nothing is missing. The small addition keeps the divisor above 0.
    let missing = 1.000_001 - intensity
    let white = lost / squareRoot(multiplyAdd(lost, lost, missing * missing))
    let mixed = Pixels(
      eighthPower(multiplyAdd(1 - roots.x, white, roots.x)),
      eighthPower(multiplyAdd(1 - roots.y, white, roots.y)),
      eighthPower(multiplyAdd(1 - roots.z, white, roots.z)))
    let light = Pixels(
      mixed.weightedSum(compression.numbers.fromLMS.x.lowerThree),
      mixed.weightedSum(compression.numbers.fromLMS.y.lowerThree),
      mixed.weightedSum(compression.numbers.fromLMS.z.lowerThree))
    // The tiny addition matters: without it, the compiler would divide some lanes one by one, which
    // is slower.
    let result = light * (kept / (whole * (light.largest + 1e-30)))
    // Nothing is dimmed below the soft knee, where only the gamut was compressed. For such pixels,
    // the numbers computed here may not even be finite.
    let isDimmed = beyond .> 0
    return Limit()(
      Pixels(
        pixels.x.replacing(with: result.x, where: isDimmed),
        pixels.y.replacing(with: result.y, where: isDimmed),
        pixels.z.replacing(with: result.z, where: isDimmed)))
  }

  // The eighth power multiplies a relative error by 8. So the root is computed with square roots,
  // which are exact, rather than with a power's polynomial, which is not.
  @_transparent
  private func eighthRoot(_ x: Lanes) -> Lanes {
    squareRoot(squareRoot(squareRoot(x)))
  }

  @_transparent
  private func eighthPower(_ x: Lanes) -> Lanes {
    let square = x * x
    let fourth = square * square
    return fourth * fourth
  }
}

extension SIMD4<Float> {
  /// The weights of a linear map, without its offset.
  @_transparent
  fileprivate var lowerThree: SIMD3<Float> { SIMD3(x, y, z) }
}
