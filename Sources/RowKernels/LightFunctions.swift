import RowOperations

/// All components times a power of their weighted sum.
struct GainByPower: PixelFunction {
  let weights: SIMD3<Float>
  let exponent: Float
  let scale: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let sum = pixels.weightedSum(weights)
    let gain = power(larger(sum, 0), exponent) * scale
    return pixels * gain.replacing(with: 0, where: sum .<= 0)
  }
}

/// The perceptual gamut mapping of ColorScience.
struct CompressGamut: PixelFunction {
  let weights: SIMD3<Float>
  let knee: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let luminance = pixels.weightedSum(weights)
    let gray = smaller(larger(luminance, 0), 1)
    // Where there is no inside (black, white) all becomes gray.
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
