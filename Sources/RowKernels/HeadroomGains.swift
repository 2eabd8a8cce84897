// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Multiplies components by headroom-adaptive gains, as ColorScience's `HeadroomAdaptiveToneMap`
/// does.
struct HeadroomGains: PixelFunction {
  private let numbers: UnsafePointer<Float>
  // This is a copy. If a kernel used the constants of another target, it would call a function each
  // time.
  private let layout = RowOperation.gainLayout

  init(numbers: UnsafePointer<Float>) { self.numbers = numbers }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    let x = gain(of: pixels.x, pixels)
    // Most authors give all components the same gain, such as that of the largest.
    if numbers[1] == 0 { return pixels * x }
    return Pixels(
      pixels.x * x, pixels.y * gain(of: pixels.y, pixels), pixels.z * gain(of: pixels.z, pixels))
  }

  @_transparent
  private func gain(of component: Lanes, _ pixels: Pixels) -> Lanes {
    var curve = numbers + layout.firstCurve
    let end = curve + Int(numbers[0]) &* layout.curveLength
    var stops = Lanes(repeating: 0)
    while curve < end {
      stops += self.stops(light(of: component, pixels, curve + 1), curve)
      curve += layout.curveLength
    }
    return preciseExponential2(stops)
  }

  @_transparent
  private func light(
    of component: Lanes, _ pixels: Pixels, _ weights: UnsafePointer<Float>
  ) -> Lanes {
    let sum = pixels.weightedSum(SIMD3(weights[0], weights[1], weights[2]))
    let extremes = multiplyAdd(
      pixels.largest, weights[3], multiplyAdd(pixels.smallest, weights[4], sum))
    return multiplyAdd(component, weights[5], extremes)
  }

  @_transparent
  private func stops(_ x: Lanes, _ curve: UnsafePointer<Float>) -> Lanes {
    var result = Lanes(repeating: curve[7])
    var piece = curve + layout.firstPiece
    // Most curves begin at diffuse white, and most pixels are darker.
    if all(x .<= piece[0]) { return result }
    let end = piece + Int(curve[0]) &* layout.pieceLength
    // Computing every piece for all pixels is faster than looking up the piece of each pixel.
    while piece < end {
      let t = x - piece[0]
      let high = multiplyAdd(multiplyAdd(t, piece[4], piece[3]), t, piece[2])
      result.replace(with: multiplyAdd(high, t, piece[1]), where: x .> piece[0])
      piece += layout.pieceLength
    }
    let isBeyond = x .> curve[8]
    if all(.!isBeyond) { return result }
    let beyond = multiplyAdd(binaryLogarithm(x), curve[10], curve[9])
    result.replace(with: beyond, where: isBeyond)
    return result
  }
}
