// SPDX-License-Identifier: GPL-2.0-or-later
/// Returns the binary logarithm of positive numbers, accurate to 3e-6. For 0 it is −127.
@_transparent
func binaryLogarithm(_ x: Lanes) -> Lanes {
  // The mantissa is scaled to be near 1. A polynomial of the mantissa minus 1 (a minimax fit) then
  // gives the rest, and logarithms near 0 stay precise.
  let (f, exponent) = parts(x)
  // Pairs of terms are computed at once (Estrin's scheme), so that the processor waits less.
  let square = f * f
  let low = multiplyAdd(f, -0.721_132_3, 1.442_713_4)
  let middle = multiplyAdd(f, -0.367_484_03, 0.479_349_7)
  let high = multiplyAdd(f, -0.206_603_53, 0.322_142_75)
  let p = multiplyAdd(multiplyAdd(high, square, middle), square, low)
  return multiplyAdd(f, p, wholeNumber(exponent))
}

/// Returns the binary logarithm, accurate to 1e-7, for callers whose later steps magnify its error.
@_transparent
func preciseBinaryLogarithm(_ x: Lanes) -> Lanes {
  let (f, exponent) = parts(x)
  let square = f * f
  let first = multiplyAdd(f, -0.721_357_1, 1.442_694_8)
  let second = multiplyAdd(f, -0.360_088_1, 0.480_939_4)
  let third = multiplyAdd(f, -0.250_061_48, 0.286_708_6)
  let fourth = multiplyAdd(f, -0.145_756_24, 0.236_882_17)
  let low = multiplyAdd(second, square, first)
  let high = multiplyAdd(fourth, square, third)
  return multiplyAdd(f, multiplyAdd(high, square * square, low), wholeNumber(exponent))
}

/// Splits numbers into an exponent and a mantissa from √½ to √2. `f` is the mantissa minus 1.
@_transparent
private func parts(_ x: Lanes) -> (f: Lanes, exponent: IntegerLanes) {
  // 0x3F35_04F3 are the bits of √½: numbers from there up to √2 get the exponent 0.
  let exponent = (bits(x) &- 0x3F35_04F3) &>> 23
  return (number(bits(x) &- (exponent &<< 23)) - 1, exponent)
}

/// Returns x to the power of −⅛ for x up to 1, accurate to 3e-7. Numbers below 2⁻⁷ count as 2⁻⁷,
/// but none occur: L, M and S of a display's pure colors, divided by those of white, are larger.
@_transparent
func inverseEighthRoot(_ x: Lanes) -> Lanes {
  let (f, exponent) = parts(larger(x, 0.007_812_5))
  let square = f * f
  let low = multiplyAdd(f, 0.070_286_96, -0.125_002_03)
  let middle = multiplyAdd(f, 0.039_716_557, -0.049_629_536)
  let high = multiplyAdd(f, 0.023_411_518, -0.035_971_027)
  let p = multiplyAdd(multiplyAdd(high, square, middle), square, low)
  return multiplyAdd(f, p, 1) * eighthsOfOctaves(exponent)
}

/// Returns 2 to the power of −n/8 for whole numbers from −7 to 0.
@_transparent
private func eighthsOfOctaves(_ n: IntegerLanes) -> Lanes {
  // The lowest three bits of −1 are 7, those of −7 are 1.
  lookUp(
    SIMD8(
      1, 1.834_008_1, 1.681_792_9, 1.542_210_8, 1.414_213_5, 1.296_839_6, 1.189_207_1, 1.090_507_7),
    n)
}

/// Returns 2 to the power of x, accurate to 4e-6 of the result. x must be from −126 to 128.
@_transparent
func exponential2(_ x: Lanes) -> Lanes {
  let (f, exponent) = split(x)
  let high = multiplyAdd(multiplyAdd(f, 0.009_570_097, 0.055_917_863), f, 0.240_247_44)
  let p = multiplyAdd(multiplyAdd(high, f, 0.693_121_8), f, 0.999_999_3)
  return number(bits(p) &+ exponent)
}

/// Returns 2 to the power of x, accurate to 1e-7 of the result. Below −126 it is nearly 0.
@_transparent
func preciseExponential2(_ x: Lanes) -> Lanes {
  let (f, exponent) = split(larger(x, -126))
  let square = f * f
  let low = multiplyAdd(f, 0.693_146_94, 1.000_000_1)
  let middle = multiplyAdd(f, 0.055_507_135, 0.240_221_2)
  let high = multiplyAdd(f, 0.001_327_646_7, 0.009_675_542)
  let p = multiplyAdd(multiplyAdd(high, square, middle), square, low)
  return number(bits(p) &+ exponent)
}

/// Splits numbers into a whole part and a fraction, `f`, from −½ to ½. `exponent` is the whole
/// part, shifted to the place of the exponent in a number's bits.
@_transparent
private func split(_ x: Lanes) -> (f: Lanes, exponent: IntegerLanes) {
  let shifted = x + roundingShift
  return (x - (shifted - roundingShift), bits(shifted) &<< 23)
}

/// Returns a power of x, accurate to 1e-7 times the exponent; x must not be negative. For 0 it is
/// nearly 0.
@_transparent
func precisePower(_ x: Lanes, _ exponent: Float) -> Lanes {
  preciseExponential2(preciseBinaryLogarithm(x) * exponent)
}

/// Adding 1.5 · 2²³ leaves a whole number in the lowest bits.
var roundingShift: Float { 12_582_912 }

/// Turns small integers into numbers.
@_transparent
func wholeNumber(_ integer: IntegerLanes) -> Lanes {
  // A plain conversion of the vector would become a loop over single numbers.
  number(integer &+ 0x4B40_0000) - roundingShift
}
