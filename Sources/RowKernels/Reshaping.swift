// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Applies Dolby Vision's curves, as ColorScience's `SignalReshaping` does.
struct Reshape: PixelFunction {
  private let numbers: UnsafePointer<Float>
  // This is a copy. If a kernel used the constants of another target, it would call a function each
  // time.
  private let layout = RowOperation.reshapingLayout

  init(numbers: UnsafePointer<Float>) { self.numbers = numbers }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let samples = Limit()(pixels)
    return Pixels(
      value(samples.x, samples, numbers),
      value(samples.y, samples, numbers + layout.curveLength),
      value(samples.z, samples, numbers + 2 &* layout.curveLength))
  }

  @_transparent
  private func value(_ x: Lanes, _ samples: Pixels, _ curve: UnsafePointer<Float>) -> Lanes {
    var piece = curve + layout.firstPiece
    let end = piece + Int(curve[0]) &* layout.pieceLength
    var result = self.result(x, samples, piece)
    piece += layout.pieceLength
    // Computing every piece for all pixels is faster than looking up the piece of each pixel.
    while piece < end {
      result.replace(with: self.result(x, samples, piece), where: x .>= piece[0])
      piece += layout.pieceLength
    }
    return smaller(larger(result, curve[1]), curve[2])
  }

  @_transparent
  private func result(_ x: Lanes, _ samples: Pixels, _ piece: UnsafePointer<Float>) -> Lanes {
    let c = piece + 2
    if piece[1] == 0 { return multiplyAdd(multiplyAdd(x, c[2], c[1]), x, c[0]) }
    return regression(samples, order: piece[1], c)
  }

  @_transparent
  private func regression(
    _ samples: Pixels, order: Float, _ c: UnsafePointer<Float>
  ) -> Lanes {
    let (x, y, z) = (samples.x, samples.y, samples.z)
    let (xy, xz, yz) = (x * y, x * z, y * z)
    let xyz = xy * z
    let rows = c + 1
    var sum = terms(x, y, z, xy, rows, Lanes(repeating: c[0]))
    sum = terms(xz, yz, xyz, rows + 4, sum)
    if order >= 2 {
      let second = rows + 7
      sum = terms(x * x, y * y, z * z, xy * xy, second, sum)
      sum = terms(xz * xz, yz * yz, xyz * xyz, second + 4, sum)
    }
    if order >= 3 {
      let third = rows + 14
      sum = terms(x * x * x, y * y * y, z * z * z, xy * xy * xy, third, sum)
      sum = terms(xz * xz * xz, yz * yz * yz, xyz * xyz * xyz, third + 4, sum)
    }
    return sum
  }

  @_transparent
  private func terms(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ numbers: UnsafePointer<Float>, _ sum: Lanes
  ) -> Lanes {
    multiplyAdd(d, numbers[3], terms(a, b, c, numbers, sum))
  }

  @_transparent
  private func terms(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ numbers: UnsafePointer<Float>, _ sum: Lanes
  ) -> Lanes {
    multiplyAdd(c, numbers[2], multiplyAdd(b, numbers[1], multiplyAdd(a, numbers[0], sum)))
  }
}
