// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

extension AffineMap: PixelFunction {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    Pixels(row(x, pixels), row(y, pixels), row(z, pixels))
  }

  @_transparent
  private func row(_ row: SIMD4<Float>, _ pixels: Pixels) -> Lanes {
    multiplyAdd(
      pixels.x, row.x, multiplyAdd(pixels.y, row.y, multiplyAdd(pixels.z, row.z, row.w)))
  }
}

/// Turns Y'CbCr into R'G'B'.
struct DifferencesToRGB: PixelFunction {
  let map: AffineMap

  /// Whether a map has the zeros that this form needs, and the same factor of luma for all
  /// components.
  @_transparent
  static func covers(_ map: AffineMap) -> Bool {
    map.x.x == map.y.x && map.x.x == map.z.x && map.x.y == 0 && map.z.z == 0
      && map.x.w == 0 && map.y.w == 0 && map.z.w == 0
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    // Luma is multiplied once for all three components. Red and blue need one color difference
    // each, and green needs two. That is 5 operations instead of 9.
    let luma = pixels.x * map.x.x
    return Pixels(
      multiplyAdd(pixels.z, map.x.z, luma),
      multiplyAdd(pixels.y, map.y.y, multiplyAdd(pixels.z, map.y.z, luma)),
      multiplyAdd(pixels.y, map.z.y, luma))
  }
}

/// Limits each component.
struct Limit: PixelFunction {
  var limits = SIMD2<Float>(0, 1)

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    Pixels(limited(pixels.x), limited(pixels.y), limited(pixels.z))
  }

  @_transparent
  private func limited(_ x: Lanes) -> Lanes { smaller(larger(x, limits.x), limits.y) }
}

/// Makes reds darker: the luma correction of BT.2446, table 3.
struct DarkenReds: PixelFunction {
  let weights: SIMD3<Float>
  let scale: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let excess = larger((pixels.x - pixels.weightedSum(weights)) * scale, 0)
    return Pixels(pixels.x - excess, pixels.y - excess, pixels.z - excess)
  }
}

/// Turns (Y'c, Cbc, Crc) into (Y'c, B', R').
struct DifferencesToComponents: PixelFunction {
  let blueScale: SIMD2<Float>
  let redScale: SIMD2<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    Pixels(
      pixels.x, multiplyAdd(pixels.y, scale(pixels.y, blueScale), pixels.x),
      multiplyAdd(pixels.z, scale(pixels.z, redScale), pixels.x))
  }
}

/// Turns (Y'c, B', R') into (Y'c, Cbc, Crc).
struct ComponentsToDifferences: PixelFunction {
  let blueScale: SIMD2<Float>
  let redScale: SIMD2<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let (blue, red) = (pixels.y - pixels.x, pixels.z - pixels.x)
    return Pixels(pixels.x, blue / scale(blue, blueScale), red / scale(red, redScale))
  }
}

@_transparent
// H.273, 8.3: positive and negative differences have different ranges in constant luminance.
private func scale(_ difference: Lanes, _ scales: SIMD2<Float>) -> Lanes {
  Lanes(repeating: scales.y)
    .replacing(with: Lanes(repeating: scales.x), where: difference .< 0)
}
