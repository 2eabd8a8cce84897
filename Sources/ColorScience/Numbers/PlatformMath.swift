// SPDX-License-Identifier: GPL-2.0-or-later
// The only place of the module that touches the platform's C library.
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#elseif canImport(Darwin)
private import Darwin
#endif

/// `base` raised to `exponent`; a negative base gives the negative of its magnitude's power, so
/// that curves continue below black as odd functions.
func signedPower(_ base: Double, _ exponent: Double) -> Double {
  base < 0 ? -pow(-base, exponent) : pow(base, exponent)
}

/// e raised to `x`.
func exponential(_ x: Double) -> Double { exp(x) }

/// The natural logarithm.
func naturalLogarithm(_ x: Double) -> Double { log(x) }

/// The logarithm to base 10.
func decimalLogarithm(_ x: Double) -> Double { log10(x) }

/// The logarithm to base 2.
func binaryLogarithm(_ x: Double) -> Double { log2(x) }

/// The angle of the direction (x, y) in degrees, from 0 up to 360.
func hueAngle(_ x: Double, _ y: Double) -> Double {
  let degrees = atan2(y, x) * 180 / Double.pi
  return degrees < 0 ? degrees + 360 : degrees
}

/// The cosine of so many halves of a turn.
func cosineOfHalfTurns(_ x: Double) -> Double { cos(x * .pi) }
