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

/// The indices at which registers with pixels outside a gamut begin.
struct Places {
  fileprivate let indices: UnsafeMutablePointer<Int>
  fileprivate var count = 0

  /// - Parameter memory: room for an index for each register of a run.
  @_transparent
  init(_ memory: UnsafeMutablePointer<Float>) {
    indices = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Int.self)
  }

  /// Adds an index unless all pixels of its register are inside.
  @_transparent
  mutating func add(_ index: Int, unless isInside: LaneMask) {
    // Store the index in any case. If there were a branch, the processor would have to predict it.
    indices[count] = index
    count &+= all(isInside) ? 0 : 1
  }
}

extension Rows {
  /// Applies a function to the pixels outside the gamut, and leaves all others as they are.
  ///
  /// - Parameter scratch: memory for the places of these pixels.
  @inline(__always)
  func mapOutside(
    _ range: Range<Int>, _ function: some GamutFunction, _ scratch: UnsafeMutablePointer<Float>
  ) {
    // Most registers have only pixels inside the gamut, so the places of the others are collected
    // first.
    var places = Places(scratch)
    var index = range.lowerBound
    while index < range.upperBound {
      places.add(index, unless: function.isInside(pixels(index)))
      index += Lanes.scalarCount
    }
    map(places, function)
  }

  @inline(__always)
  fileprivate func map(_ places: Places, _ function: some GamutFunction) {
    for place in 0..<places.count {
      let index = places.indices[place]
      let pixels = pixels(index)
      replace(index, pixels, function(pixels), unless: function.isInside(pixels))
    }
  }

  /// Stores results for the pixels that are outside.
  @_transparent
  fileprivate func replace(
    _ index: Int, _ pixels: Pixels, _ result: Pixels, unless isInside: LaneMask
  ) {
    // Pixels inside stay the same even if their register also has pixels outside. So no result
    // depends on which pixels share a register.
    store(result.x.replacing(with: pixels.x, where: isInside), x, index)
    store(result.y.replacing(with: pixels.y, where: isInside), y, index)
    store(result.z.replacing(with: pixels.z, where: isInside), z, index)
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

/// Compresses colors into a gamut, and does not dim them.
private struct CompressDistances: GamutFunction {
  let compression: CompressGamut

  @_transparent
  func isInside(_ pixels: Pixels) -> LaneMask {
    pixels.smallest .>= compression.edge(larger(pixels.largest, 0))
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let compressed = compression.compressed(pixels, larger(pixels.largest, 0))
    return Pixels(larger(compressed.x, 0), larger(compressed.y, 0), larger(compressed.z, 0))
  }
}

/// Compresses colors into a gamut, dims them with a soft knee and whitens them, as ColorScience's
/// `HighlightDimming` does.
func compressGamutSoftly(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  let numbers = operation.pointee.compression
  let compress = CompressDistances(
    compression: CompressGamut(numbers: numbers, weights: operation.pointee.weights))
  let dim = DimHighlights(numbers: numbers, scratch)
  var far = Places(scratch)
  // Two lists of indices fit into one row of numbers.
  var bright = Places(scratch + PixelRun.length / 2)
  var index = range.lowerBound
  while index < range.upperBound {
    let pixels = rows.pixels(index)
    far.add(index, unless: compress.isInside(pixels))
    // Compression only lowers saturation, so pixels below the soft knee stay below it.
    bright.add(index, unless: dim.isInside(pixels))
    index += Lanes.scalarCount
  }
  rows.map(far, compress)
  dim.run(rows, bright)
}

/// Dims compressed colors with a soft knee and whitens them.
private struct DimHighlights {
  private let numbers: GamutCompressionNumbers
  /// L, M and S of pixels whose largest component is scaled to 1, and then what white adds to them.
  private let cones: Rows
  /// The factors by which the largest components are dimmed.
  private let factors: UnsafeMutablePointer<Float>

  @_transparent
  init(numbers: GamutCompressionNumbers, _ scratch: UnsafeMutablePointer<Float>) {
    self.numbers = numbers
    // Components that are kept for `restore` use the same memory, but nothing is kept while colors
    // are mapped into a gamut. The first row of `scratch` contains the places.
    cones = Rows(
      x: scratch + PixelRun.length, y: scratch + 2 * PixelRun.length,
      z: scratch + 3 * PixelRun.length)
    factors = scratch + 4 * PixelRun.length
  }

  /// Whether pixels are below the soft knee.
  @_transparent
  func isInside(_ pixels: Pixels) -> LaneMask {
    let largest = larger(pixels.largest, 0)
    // The limit contains the square of saturation, which is a quotient. Multiplying both sides of
    // the comparison by the square of the denominator saves a division for every pixel.
    let difference = largest - pixels.smallest
    let square = largest * largest
    return difference * difference * numbers.softness .<= square - square * largest
  }

  // One long loop would take longer than these three: each step would wait for the one before it,
  // and the processor would see too few pixels to do something else meanwhile.
  @inline(__always)
  func run(_ rows: Rows, _ places: Places) {
    for place in 0..<places.count {
      scale(rows.pixels(places.indices[place]), place &* Lanes.scalarCount)
    }
    for place in 0..<places.count { whiten(place &* Lanes.scalarCount) }
    for place in 0..<places.count {
      let index = places.indices[place]
      let pixels = rows.pixels(index)
      rows.replace(
        index, pixels, dimmed(pixels, place &* Lanes.scalarCount), unless: isInside(pixels))
    }
  }

  /// Scales pixels to a largest component of 1, so white is 1 in every component. Computes by how
  /// much they have to be dimmed.
  @_transparent
  private func scale(_ pixels: Pixels, _ index: Int) {
    // The largest component of black is 0, and its inverse must stay finite.
    let largest = larger(pixels.largest, 1e-30)
    let inverse = 1 / largest
    let saturation = (largest - pixels.smallest) * inverse
    let room = saturation * saturation * numbers.softness
    let beyond = larger(largest - 1 + room, 0)
    let whole = larger(beyond + room, 1e-30)
    // The largest component becomes 1 − room²/(beyond + room).
    store((whole - room * room) / (whole * largest), factors, index)
    let unit = (pixels * inverse).mixed(numbers.toLMS)
    store(unit.x, cones.x, index)
    store(unit.y, cones.y, index)
    store(unit.z, cones.z, index)
  }

  /// Replaces L, M and S by what white adds to them.
  @_transparent
  private func whiten(_ index: Int) {
    let unit = cones.pixels(index)
    let (l, m, s) = (
      inverseEighthRoot(unit.x), inverseEighthRoot(unit.y), inverseEighthRoot(unit.z)
    )
    // Intensity is (1/l + 1/m)/2. Its numerator and its denominator are kept apart, because the
    // share of white is a quotient as well.
    let (numerator, denominator) = (l + m, 2 * l * m)
    let lost = (inverseEighthRoot(load(factors, index)) - 1) * numerator * numbers.restored
    // For white, nothing is missing. The small addition keeps the divisor above 0.
    let missing = multiplyAdd(denominator, 1.000_001, -numerator)
    let white = lost / squareRoot(multiplyAdd(lost, lost, missing * missing))
    // White's root is 1. The mean of 1 and a root r, weighted by `white`, is
    // r · (1 + (1/r − 1) · white). So the mean's eighth power can be computed from 1/r and r⁸. Only
    // its difference from r⁸ is kept: the less white is added, the smaller the error of the result.
    store(unit.x * growth((l - 1) * white), cones.x, index)
    store(unit.y * growth((m - 1) * white), cones.y, index)
    store(unit.z * growth((s - 1) * white), cones.z, index)
  }

  /// Returns (1 + x)⁸ − 1.
  @_transparent
  private func growth(_ x: Lanes) -> Lanes {
    let ofSquare = multiplyAdd(x, x, x + x)
    let ofFourth = multiplyAdd(ofSquare, ofSquare, ofSquare + ofSquare)
    return multiplyAdd(ofFourth, ofFourth, ofFourth + ofFourth)
  }

  /// Returns whitened light, scaled so that its largest component is the dimmed one.
  @_transparent
  private func dimmed(_ pixels: Pixels, _ index: Int) -> Pixels {
    let largest = larger(pixels.largest, 0)
    let added = cones.pixels(index).mixed(numbers.fromLMS)
    let light = Pixels(
      multiplyAdd(added.x, largest, pixels.x), multiplyAdd(added.y, largest, pixels.y),
      multiplyAdd(added.z, largest, pixels.z))
    // The tiny addition matters: without it, the compiler would divide some lanes one by one, which
    // is slower.
    return Limit()(light * (load(factors, index) * largest / (light.largest + 1e-30)))
  }
}

extension Pixels {
  /// Applies a linear map, without its offset.
  @_transparent
  fileprivate func mixed(_ map: AffineMap) -> Pixels {
    Pixels(
      weightedSum(map.x.lowerThree), weightedSum(map.y.lowerThree), weightedSum(map.z.lowerThree))
  }
}

extension SIMD4<Float> {
  /// The weights of a linear map, without its offset.
  @_transparent
  fileprivate var lowerThree: SIMD3<Float> { SIMD3(x, y, z) }
}
