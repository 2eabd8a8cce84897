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

/// A power.
struct PlainPower: ComponentFunction {
  let curve: PowerCurve

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let base = magnitude(x) * curve.inputScale
    return withSign(power(base, curve.exponent) * curve.outputScale, of: x)
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
    return withSign(curved.replacing(with: straight, where: size .<= curve.toeEnd), of: x)
  }
}

/// SMPTE ST 2084, equation 4.1, with 1 for 10 000 cd/m².
struct PQToLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = smaller(larger(x, 0), 1)
    let p = precisePower(signal, 32.0 / 2523)
    let numerator = larger(p - 0.835_937_5, 0)
    let denominator = multiplyAdd(p, -18.6875, 18.851_562_5)
    return precisePower(numerator / denominator, 16384.0 / 2610)
  }
}

/// SMPTE ST 2084, equation 5.2.
struct PQToSignal: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let light = smaller(larger(x, 0), 1)
    let p = precisePower(light, 2610.0 / 16384)
    let quotient = multiplyAdd(p, 18.851_562_5, 0.835_937_5) / multiplyAdd(p, 18.6875, 1)
    return precisePower(quotient, 2523.0 / 32)
  }
}

/// BT.2100, table 5, inverse OETF: the exponential as a power of 2, its factors folded in.
struct HLGToLight: ComponentFunction {
  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let signal = larger(x, 0)
    // 1 / (a · ln 2), and −c / (a · ln 2) − log2 12.
    let above = exponential2(multiplyAdd(signal, 8.067_286, -8.101_922)) + 0.023_722_41
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
