import RowOperations

/// The mapping toward gray of ColorScience's `DesaturateGamut`.
struct Desaturate: PixelFunction {
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

/// The mapping along lines of constant hue of ColorScience's `HueLinearGamut`.
///
/// Most pixels of most pictures are far from every face of the gamut, and registers full of them
/// pass by. For the others the boundary is found by halving the way to it: eight times, and a last
/// straight step, so that all pixels take the same one.
struct CompressChroma: PixelFunction {
  let compression: HueCompression

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    // Far inside, where 5 % more chroma leads nowhere out: it moves no component by more than 9 % of
    // the distance between the largest and the smallest.
    let (smallest, largest) = (pixels.smallest, pixels.largest)
    let isFarInside = (smallest .>= largest * 0.05) .& (largest * 1.1 - smallest * 0.1 .<= 1)
    return all(isFarInside) ? pixels : compressed(pixels)
  }

  @inline(never)
  func compressed(_ pixels: Pixels) -> Pixels {
    let lms = Affine(map: compression.toLMS)(pixels)
    let roots = Pixels(cubeRoot(lms.x), cubeRoot(lms.y), cubeRoot(lms.z))
    let lightness = roots.weightedSum(compression.lightnessWeights)
    let ray = Ray(
      lightness: lightness,
      chroma: Pixels(roots.x - lightness, roots.y - lightness, roots.z - lightness),
      toRGB: compression.toRGB, tolerance: compression.tolerance)
    let end = Lanes(repeating: 1 / compression.knee)
    let excess = 0 - ray.margin(end)
    let inside = Limit()(pixels)
    let isBlack = lightness .<= 1e-6
    let isWhite = lightness .>= 1
    if all((excess .<= 0) .& .!isBlack .& .!isWhite) { return inside }
    let fade = smaller(larger(excess * (1 / (3 * compression.tolerance)), 0), 1)
    let boundary = end - (end - ray.crossing(end)) * fade
    let room = 1 - compression.knee
    let beyond = 2 * room - (1 - 1 / boundary)
    let share = boundary * (1 - room * room / beyond)
    let mapped = Limit()(ray.color(share))
    let isOutside = excess .> 0
    return Pixels(
      choose(inside.x, mapped.x, isOutside, isBlack, isWhite),
      choose(inside.y, mapped.y, isOutside, isBlack, isWhite),
      choose(inside.z, mapped.z, isOutside, isBlack, isWhite))
  }

  @_transparent
  private func choose(
    _ inside: Lanes, _ mapped: Lanes, _ isOutside: LaneMask, _ isBlack: LaneMask,
    _ isWhite: LaneMask
  ) -> Lanes {
    inside.replacing(with: mapped, where: isOutside).replacing(with: 0, where: isBlack)
      .replacing(with: 1, where: isWhite)
  }
}

/// The colors of one lightness and hue, by their share of a color's chroma.
private struct Ray {
  let lightness: Lanes
  let chroma: Pixels
  let toRGB: AffineMap
  let tolerance: Float

  @_transparent
  func color(_ share: Lanes) -> Pixels {
    let x = multiplyAdd(chroma.x, share, lightness)
    let y = multiplyAdd(chroma.y, share, lightness)
    let z = multiplyAdd(chroma.z, share, lightness)
    return Affine(map: toRGB)(Pixels(x * x * x, y * y * y, z * z * z))
  }

  /// How far inside of 0…1 the color of a share is.
  @_transparent
  func margin(_ share: Lanes) -> Lanes {
    let color = color(share)
    return smaller(color.smallest, 1 - color.largest) + tolerance
  }

  /// The share where the gamut ends; colors are inside at 0 and outside at `end`.
  @_transparent
  func crossing(_ end: Lanes) -> Lanes {
    var (low, high) = (Lanes.zero, end)
    var step = 0
    while step < 8 {
      let middle = (low + high) * 0.5
      let isInside = margin(middle) .>= 0
      low = low.replacing(with: middle, where: isInside)
      high = middle.replacing(with: high, where: isInside)
      step += 1
    }
    let (inside, outside) = (larger(margin(low), 0), smaller(margin(high), -1e-12))
    return larger(low + (high - low) * (inside / (inside - outside)), 1e-6)
  }
}

@_transparent
private func cubeRoot(_ x: Lanes) -> Lanes { withSign(power(magnitude(x), 1.0 / 3), of: x) }
