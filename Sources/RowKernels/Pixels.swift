// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// The three components of several pixels: one pixel for each number of a register.
struct Pixels {
  var x: Lanes
  var y: Lanes
  var z: Lanes

  @_transparent
  init(_ x: Lanes, _ y: Lanes, _ z: Lanes) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  @_transparent
  static func * (pixels: Pixels, factors: Lanes) -> Pixels {
    Pixels(pixels.x * factors, pixels.y * factors, pixels.z * factors)
  }

  @_transparent
  func weightedSum(_ weights: SIMD3<Float>) -> Lanes {
    multiplyAdd(x, weights.x, multiplyAdd(y, weights.y, z * weights.z))
  }

  @_transparent
  var largest: Lanes { larger(larger(x, y), z) }

  @_transparent
  var smallest: Lanes { smaller(smaller(x, y), z) }
}

/// A function that maps each pixel separately.
protocol PixelFunction {
  func callAsFunction(_ pixels: Pixels) -> Pixels
}

/// The rows of the three components of pixels.
typealias Rows = ComponentRows

extension Rows {
  /// Replaces pixels by a function of the pixels in `source`, or of themselves if that is `nil`.
  @inline(__always)
  func map(_ range: Range<Int>, _ function: some PixelFunction, from source: Rows? = nil) {
    let source = source ?? self
    var index = range.lowerBound
    while index < range.upperBound {
      // Loops work on whole registers, even after the last pixel. That is safe, because rows are
      // padded and the padding is never written to a frame.
      let result = function(source.pixels(index))
      store(result.x, x, index)
      store(result.y, y, index)
      store(result.z, z, index)
      index += Lanes.scalarCount
    }
  }

  /// Loads the pixels of a register.
  @_transparent
  func pixels(_ index: Int) -> Pixels { Pixels(load(x, index), load(y, index), load(z, index)) }

  @inline(__always)
  func copy(_ range: Range<Int>, to rows: Rows) {
    x.copy(range, to: rows.x)
    y.copy(range, to: rows.y)
    z.copy(range, to: rows.z)
  }
}

extension UnsafeMutablePointer<Float> {
  @inline(__always)
  func copy(_ range: Range<Int>, to row: UnsafeMutablePointer<Float>) {
    var index = range.lowerBound
    while index < range.upperBound {
      store(load(self, index), row, index)
      index += Lanes.scalarCount
    }
  }
}
