// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// The mapping toward gray of ColorScience's `DesaturateGamut`.
struct Desaturate: PixelFunction {
  let weights: SIMD3<Float>
  let knee: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let luminance = pixels.weightedSum(weights)
    let gray = smaller(larger(luminance, 0), 1)
    // Colors for which there is no inside (black, white) become gray.
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

/// The compression of ColorScience's `GamutCompression`.
///
/// Most pixels of most frames are inside, and registers full of them pass by.
struct CompressGamut: PixelFunction {
  let numbers: GamutCompressionNumbers
  let weights: SIMD3<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let largest = larger(pixels.largest, 0)
    // A component at the knee.
    let edge = largest * (1 - numbers.knee)
    return all((pixels.smallest .>= edge) .& (largest .<= 1))
      ? pixels : compressed(pixels, largest, edge)
  }

  @_transparent
  private func compressed(_ pixels: Pixels, _ largest: Lanes, _ edge: Lanes) -> Pixels {
    let beyond = Pixels(
      larger(edge - pixels.x, 0), larger(edge - pixels.y, 0), larger(edge - pixels.z, 0))
    // One division for all three; where there is no light, 0/0 is 0.
    let bottom = Pixels(
      multiplyAdd(beyond.x, numbers.bends.x, largest),
      multiplyAdd(beyond.y, numbers.bends.y, largest),
      multiplyAdd(beyond.z, numbers.bends.z, largest))
    let (xy, yz, xz) = (bottom.x * bottom.y, bottom.y * bottom.z, bottom.x * bottom.z)
    let factor = largest / larger(xy * bottom.z, 1e-30)
    let inside = Pixels(
      larger(pixels.x, edge) - beyond.x * yz * factor,
      larger(pixels.y, edge) - beyond.y * xz * factor,
      larger(pixels.z, edge) - beyond.z * xy * factor)
    return dimmed(inside, largest)
  }

  @_transparent
  private func dimmed(_ pixels: Pixels, _ largest: Lanes) -> Pixels {
    let before = smaller(pixels.weightedSum(weights), 1)
    let dimmed = pixels * (1 / larger(largest, 1))
    let luminance = dimmed.weightedSum(weights)
    let lost = larger(before - luminance, 0) * numbers.whitening
    let white = lost / larger(1 - luminance, 1e-6)
    return Limit()(
      Pixels(
        multiplyAdd(1 - dimmed.x, white, dimmed.x), multiplyAdd(1 - dimmed.y, white, dimmed.y),
        multiplyAdd(1 - dimmed.z, white, dimmed.z)))
  }
}
