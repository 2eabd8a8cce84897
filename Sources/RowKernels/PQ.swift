// SPDX-License-Identifier: GPL-2.0-or-later
// SMPTE ST 2084, equation 4.1, with 1 for 10 000 cd/m²: two powers with a quotient in between. One
// loop for each part keeps more pixels in the processor's window at a time.

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
