// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// These functions do the same as those of ColorScience, in single precision.

/// A function that is applied to each component separately.
protocol ComponentFunction: PixelFunction {
  func callAsFunction(_ x: Lanes) -> Lanes
}

extension ComponentFunction {
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels {
    Pixels(self(pixels.x), self(pixels.y), self(pixels.z))
  }
}

/// Applies HLG's inverse OETF (BT.2100, table 5), accurate to 1e-7.
struct HLGToLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // Without this limit, the square would turn noise below black into light.
    let signal = larger(x, 0)
    return joined(signal, preciseExponential2(exponent(signal)))
  }
}

/// Applies HLG's inverse OETF, accurate to 4e-6.
struct HLGToLightRoughly: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = larger(x, 0)
    return joined(signal, exponential2(exponent(signal)))
  }
}

/// Returns the exponent of 2 that gives HLG's exponential for signals above one half.
@_transparent
private func exponent(_ signal: Lanes) -> Lanes {
  // The numbers are 1 / (a · ln 2) and −c / (a · ln 2) − log2 12. They contain the change of base
  // and the division by 12, which therefore cost nothing.
  multiplyAdd(signal, 8.067_286, -8.101_922)
}

/// Returns the square for signals up to one half, and the exponential for signals above.
@_transparent
private func joined(_ signal: Lanes, _ exponential: Lanes) -> Lanes {
  // The addend is b / 12, with the b of table 5.
  (exponential + 0.023_722_41)
    .replacing(with: signal * signal * (1.0 / 3), where: signal .<= 0.5)
}

/// Applies HLG's OETF (BT.2100, table 5).
struct HLGToSignal: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let light = larger(x, 0)
    // The logarithm has base 2, so its factor is a · ln 2. Its argument must be positive, even if
    // the square root is the result.
    let logarithm = binaryLogarithm(larger(multiplyAdd(light, 12, -0.284_668_92), 0.5))
    let above = multiplyAdd(logarithm, 0.123_957_43, 0.559_910_73)
    let below = squareRoot(light * 3)
    return above.replacing(with: below, where: light .<= 1.0 / 12)
  }
}

/// Replaces numbers with the values that a table has for them.
func look(
  up row: UnsafeMutablePointer<Float>, _ operation: UnsafePointer<RowOperation>,
  _ range: Range<Int>
) {
  let table = operation.pointee.curve
  guard let start = table.pieces else { return }
  let fractionBits = table.fractionBits
  // The first bits of a number (its exponent and the beginning of its mantissa) select the piece,
  // so no logarithm and no search is needed.
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
