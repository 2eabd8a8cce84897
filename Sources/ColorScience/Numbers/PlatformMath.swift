// SPDX-License-Identifier: GPL-2.0-or-later
// This is the only file of the module that imports the platform's C library.
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#elseif canImport(Darwin)
private import Darwin
#endif

/// Returns `base` raised to `exponent`. For a negative base, it returns the power of the magnitude,
/// with a minus sign.
func signedPower(_ base: Double, _ exponent: Double) -> Double {
  // This continues curves below black as odd functions, which xvYCC needs. `pow` would give NaN.
  base < 0 ? -pow(-base, exponent) : pow(base, exponent)
}

func exponential(_ x: Double) -> Double { exp(x) }

package func naturalLogarithm(_ x: Double) -> Double { log(x) }

func decimalLogarithm(_ x: Double) -> Double { log10(x) }

package func binaryLogarithm(_ x: Double) -> Double { log2(x) }

/// Returns 2 raised to `exponent`.
package func binaryPower(_ exponent: Double) -> Double { exp2(exponent) }

func tangent(_ angle: Double) -> Double { tan(angle) }

/// Returns the angle of the direction (x, y), in degrees from 0 up to 360.
func hueAngle(_ x: Double, _ y: Double) -> Double {
  let degrees = atan2(y, x) * 180 / Double.pi
  return degrees < 0 ? degrees + 360 : degrees
}

/// Returns the cosine of an angle in half turns.
func cosineOfHalfTurns(_ x: Double) -> Double { cos(x * .pi) }
