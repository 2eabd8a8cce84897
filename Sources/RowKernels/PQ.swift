// SPDX-License-Identifier: GPL-2.0-or-later
// Computing light from PQ's signal (SMPTE ST 2084, equation 4.1) takes two powers with a quotient
// in between. Each of these three steps has its own loop, so that the processor works on more
// pixels at a time. A light of 1 is 10 000 cd/m².

/// Computes the logarithm of signal^(1/m2).
struct PQSignalLogarithm: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // The logarithm has to be precise, because the next steps make its errors hundreds of times
    // larger if signals are bright.
    preciseBinaryLogarithm(smaller(larger(x, 0), 1)) * (32.0 / 2523)
  }
}

/// Computes the quotient whose 1/m1-th power is light.
struct PQLightQuotient: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // Logarithms below −0.28 belong to black. The power p = signal^(1/m2) is near 1 for all signals
    // except the darkest. Numerator and denominator are then small differences of larger numbers
    // and would lose precision. So both are computed from p − 1, which this polynomial gives with
    // full relative precision.
    let limited = larger(x, -0.28)
    let square = limited * limited
    let low = multiplyAdd(limited, 0.240_226_42, 0.693_147_2)
    let high = multiplyAdd(limited, 0.009_593_04, 0.055_501_6)
    let polynomial = multiplyAdd(multiplyAdd(square, 0.001_229_9, high), square, low)
    let less = limited * polynomial
    return larger(less + 0.164_062_5, 0) / multiplyAdd(less, -18.6875, 0.164_062_5)
  }
}

/// Computes light from the quotient. This step is precise, too, because a change of primaries can
/// leave very little of a component, and PQ distinguishes even small amounts of light.
struct PQLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { precisePower(x, 16384.0 / 2610) }
}
