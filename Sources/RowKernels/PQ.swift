// SPDX-License-Identifier: GPL-2.0-or-later
// SMPTE ST 2084, equations 4.1 and 5.2, with 1 for 10 000 cd/m². Two powers with a quotient in
// between, cut into loops as other powers are.

/// Signal^(1/m2), its logarithm, precise: the light of bright signals moves hundreds of times as
/// much.
struct PQSignalLogarithm: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    preciseBinaryLogarithm(smaller(larger(x, 0), 1)) * (32.0 / 2523)
  }
}

/// From there to the quotient whose 1/m1-th power is light. Both of its sides are small where the
/// power p is near 1, which it is for all but the darkest signals: they are sums with p − 1, which
/// a polynomial gives as precisely.
struct PQLightQuotient: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // Below lies black.
    let limited = larger(x, -0.28)
    let square = limited * limited
    let low = multiplyAdd(limited, 0.240_226_42, 0.693_147_2)
    let high = multiplyAdd(limited, 0.009_593_04, 0.055_501_6)
    let polynomial = multiplyAdd(multiplyAdd(square, 0.001_229_9, high), square, low)
    let less = limited * polynomial
    return larger(less + 0.164_062_5, 0) / multiplyAdd(less, -18.6875, 0.164_062_5)
  }
}

/// Light from the quotient, precise too: what is left of a component after other primaries can be
/// small, and PQ tells small lights apart.
struct PQLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { precisePower(x, 16384.0 / 2610) }
}

/// Light^m1, its logarithm.
struct PQLightLogarithm: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    binaryLogarithm(smaller(larger(x, 0), 1)) * (2610.0 / 16384)
  }
}

/// From there to the logarithm of the signal: the quotient is raised to the 79th power, so that its
/// logarithm is precise. It lies between 0.8359 and 1, where one polynomial is enough.
struct PQSignalFromLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let p = exponential2(x)
    let f = multiplyAdd(p, 0.164_062_5, -0.164_062_5) / multiplyAdd(p, 18.6875, 1)
    let square = f * f
    let first = multiplyAdd(f, -0.721_354_25, 1.442_695)
    let second = multiplyAdd(f, -0.365_289_93, 0.480_636_9)
    let third = multiplyAdd(f, -0.404_297_9, 0.248_273_58)
    let polynomial = multiplyAdd(multiplyAdd(third, square, second), square, first)
    return f * polynomial * (2523.0 / 32)
  }
}

/// A number from its logarithm.
struct Exponential: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { preciseExponential2(x) }
}
