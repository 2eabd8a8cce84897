// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// The functions of ColorScience, in single precision.

/// A function of each component by itself.
protocol ComponentFunction: PixelFunction {
  func callAsFunction(_ x: Lanes) -> Lanes
}

extension ComponentFunction {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    Pixels(self(pixels.x), self(pixels.y), self(pixels.z))
  }
}

/// BT.2100, table 5, inverse OETF: the exponential as a power of 2, its factors folded in.
struct HLGToLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = larger(x, 0)
    return joined(signal, preciseExponential2(exponent(signal)))
  }
}

/// The same to 4e-6.
struct HLGToLightRoughly: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = larger(x, 0)
    return joined(signal, exponential2(exponent(signal)))
  }
}

/// The exponential's exponent: 1 / (a · ln 2), and −c / (a · ln 2) − log2 12.
@_transparent
private func exponent(_ signal: Lanes) -> Lanes {
  multiplyAdd(signal, 8.067_286, -8.101_922)
}

/// The square up to half the signal, the exponential above.
@_transparent
private func joined(_ signal: Lanes, _ exponential: Lanes) -> Lanes {
  (exponential + 0.023_722_41)
    .replacing(with: signal * signal * (1.0 / 3), where: signal .<= 0.5)
}

/// BT.2100, table 5, OETF.
struct HLGToSignal: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let light = larger(x, 0)
    // a · ln 2.
    let logarithm = binaryLogarithm(larger(multiplyAdd(light, 12, -0.284_668_92), 0.5))
    let above = multiplyAdd(logarithm, 0.123_957_43, 0.559_910_73)
    let below = (light * 3).squareRoot()
    return above.replacing(with: below, where: light .<= 1.0 / 12)
  }
}

/// Replaces numbers by a table's values for them. A number's first bits, which are its exponent and
/// the beginning of its mantissa, tell its piece.
func look(
  up row: UnsafeMutablePointer<Float>, _ operation: UnsafePointer<RowOperation>,
  _ range: Range<Int>
) {
  let table = operation.pointee.curve
  guard let start = table.pieces else { return }
  let fractionBits = table.fractionBits
  let first = Int(table.minimum.bitPattern &>> fractionBits)
  let pieces = start - first
  let negativeGain = table.negativeScale > 0 ? -1 / table.negativeScale : 1
  for index in range {
    let number = row[index] * table.scale
    let size = number < 0 ? -number * table.negativeScale : number
    let low = size > table.minimum ? size : table.minimum
    let limited = low < table.maximum ? low : table.maximum
    let piece = pieces[Int(limited.bitPattern &>> fractionBits)]
    let above = multiplyAdd(limited, piece.y, piece.x)
    let value = size < table.minimum ? table.valueAtZero : above
    row[index] = number < 0 ? value * negativeGain : value
  }
}
