// SPDX-License-Identifier: GPL-2.0-or-later
// The functions in this file return sums that can be rounded to single precision without an error
// from rounding twice. A sum in double precision that is rounded to nearest may land halfway
// between two numbers of single precision, and the second rounding then goes the wrong way. A sum
// that is rounded to odd never has this problem (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums: proved algorithms using rounding to odd", 2008). Rounding to odd means
// that an inexact sum is cut off and its last bit is set. With these sums, all instruction sets get
// the same bits.
#if BASELINE && arch(x86_64)

/// Returns a + b, rounded to odd.
@_transparent
func sumToOdd(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
  let sum = a + b
  // The next two lines compute the exact error of the sum (Knuth, "The Art of Computer
  // Programming", 4.2.2, theorem B).
  let part = sum - a
  let error = (a - (sum - part)) + (b - part)
  let bits = unsafeBitCast(sum, to: SIMD4<Int64>.self)
  // Infinity must stay. Its error is NaN, so the comparisons are false.
  let isInexact = unsafeBitCast((error .< 0) .| (error .> 0), to: SIMD4<Int64>.self)
  let isTooLarge = (bits ^ unsafeBitCast(error, to: SIMD4<Int64>.self)) &>> 63
  let cutOff = bits &+ (isTooLarge & isInexact)
  return unsafeBitCast(cutOff | (isInexact & 1), to: SIMD4<Double>.self)
}

/// Returns a + b, rounded to odd.
@_transparent
func sumToOdd(_ a: Double, _ b: Double) -> Double {
  let sum = a + b
  let part = sum - a
  let error = (a - (sum - part)) + (b - part)
  let bits = Int64(bitPattern: sum.bitPattern)
  let isInexact: Int64 = error < 0 || error > 0 ? -1 : 0
  let isTooLarge = (bits ^ Int64(bitPattern: error.bitPattern)) &>> 63
  let cutOff = bits &+ (isTooLarge & isInexact)
  return Double(bitPattern: UInt64(bitPattern: cutOff | (isInexact & 1)))
}

#endif
