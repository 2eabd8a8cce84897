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

/// The first half of a power: the logarithm of the result, with the sign of the number in its last
/// bit. One loop for each half keeps twice as many pixels in the processor's window at a time.
struct PowerLogarithm: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let logarithm = binaryLogarithm(magnitude(x)) * curve.exponent
    let sign = IntegerLanes(repeating: 1) & (bits(x) &>> 31)
    return number(bits(logarithm) & ~1 | sign)
  }
}

/// The second half of a power.
struct PowerFromLogarithm: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let size = exponential2(x) * curve.outputScale
    return number(bits(size) | (bits(x) &<< 31))
  }
}

/// The first half of a power, precise.
struct PrecisePowerLogarithm: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let logarithm = preciseBinaryLogarithm(magnitude(x)) * curve.exponent
    let sign = IntegerLanes(repeating: 1) & (bits(x) &>> 31)
    return number(bits(logarithm) & ~1 | sign)
  }
}

/// The second half of a power, precise.
struct PrecisePowerFromLogarithm: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let size = preciseExponential2(x) * curve.outputScale
    return number(bits(size) | (bits(x) &<< 31))
  }
}

/// A power with a straight piece near 0.
struct PowerWithToe: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let size = magnitude(x)
    let base = multiplyAdd(size, curve.inputScale, curve.inputOffset)
    let curved = multiplyAdd(power(base, curve.exponent), curve.outputScale, curve.outputOffset)
    let straight = size * curve.toeSlope
    return joined(straight, curved, curve, size, of: x)
  }
}

/// The same, precise.
struct PrecisePowerWithToe: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let size = magnitude(x)
    let base = multiplyAdd(size, curve.inputScale, curve.inputOffset)
    let raised = precisePower(base, curve.exponent)
    let curved = multiplyAdd(raised, curve.outputScale, curve.outputOffset)
    let straight = size * curve.toeSlope
    return joined(straight, curved, curve, size, of: x)
  }
}

/// The straight piece and the curved one, which is nowhere below the former's end: published
/// constants do not make them meet.
@_transparent
private func joined(
  _ straight: Lanes, _ curved: Lanes, _ curve: PowerCurve, _ size: Lanes, of x: Lanes
) -> Lanes {
  let above = larger(curved, curve.toeEnd * curve.toeSlope)
  return withSign(above.replacing(with: straight, where: size .<= curve.toeEnd), of: x)
}

/// BT.2100, table 5, inverse OETF: the exponential as a power of 2, its factors folded in.
struct HLGToLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = larger(x, 0)
    // 1 / (a · ln 2), and −c / (a · ln 2) − log2 12.
    let above = preciseExponential2(multiplyAdd(signal, 8.067_286, -8.101_922)) + 0.023_722_41
    let below = signal * signal * (1.0 / 3)
    return above.replacing(with: below, where: signal .<= 0.5)
  }
}

/// BT.2100, table 5, OETF.
struct HLGToSignal: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let light = larger(x, 0)
    // a · ln 2.
    let logarithm = binaryLogarithm(larger(multiplyAdd(light, 12, -0.284_668_92), 0.5))
    let above = multiplyAdd(logarithm, 0.123_957_43, 0.559_910_73)
    let below = power(light * 3, 0.5)
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
  let first = Int(table.minimum.bitPattern &>> CurveTable.fractionBits)
  let pieces = start - first
  let negativeGain = table.negativeScale > 0 ? -1 / table.negativeScale : 1
  for index in range {
    let number = row[index] * table.scale
    let size = number < 0 ? -number * table.negativeScale : number
    let low = size > table.minimum ? size : table.minimum
    let limited = low < table.maximum ? low : table.maximum
    let piece = pieces[Int(limited.bitPattern &>> CurveTable.fractionBits)]
    let above = multiplyAdd(limited, piece.y, piece.x)
    let value = size < table.minimum ? table.valueAtZero : above
    row[index] = number < 0 ? value * negativeGain : value
  }
}
