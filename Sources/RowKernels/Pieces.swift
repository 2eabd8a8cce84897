// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// Smooth functions are computed in 16 pieces, each a polynomial of low degree. Some bits of a
// number select the piece: the end of its exponent and the beginning of its mantissa. The remaining
// bits are the place within the piece.

/// The polynomials of 16 pieces.
protocol PiecePolynomials {
  init(_ coefficients: UnsafePointer<Float>)
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes
}

struct CubicPieces: PiecePolynomials {
  private let c0: LaneTable
  private let c1: LaneTable
  private let c2: LaneTable
  private let c3: LaneTable

  @_transparent
  init(_ c: UnsafePointer<Float>) {
    (c0, c1, c2, c3) = (LaneTable(c), LaneTable(c + 16), LaneTable(c + 32), LaneTable(c + 48))
  }

  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes { self(places, f, c3(places)) }

  /// Evaluates the polynomial with `last` in place of the last coefficient.
  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes, _ last: Lanes) -> Lanes {
    let high = multiplyAdd(last, f, c2(places))
    return multiplyAdd(multiplyAdd(high, f, c1(places)), f, c0(places))
  }

  /// Returns the last coefficients. Polynomials of higher degrees add their own terms to these.
  @_transparent
  func last(_ places: IntegerLanes) -> Lanes { c3(places) }
}

struct QuarticPieces: PiecePolynomials {
  private let low: CubicPieces
  private let c4: LaneTable

  @_transparent
  init(_ c: UnsafePointer<Float>) { (low, c4) = (CubicPieces(c), LaneTable(c + 64)) }

  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes {
    low(places, f, multiplyAdd(c4(places), f, low.last(places)))
  }
}

struct QuinticPieces: PiecePolynomials {
  private let low: CubicPieces
  private let c4: LaneTable
  private let c5: LaneTable

  @_transparent
  init(_ c: UnsafePointer<Float>) {
    (low, c4, c5) = (CubicPieces(c), LaneTable(c + 64), LaneTable(c + 80))
  }

  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes {
    let square = f * f
    // This is Estrin's scheme. Its halves do not wait for each other, unlike the steps of Horner's
    // scheme.
    let high = multiplyAdd(c5(places), f, c4(places)) * square
    return multiplyAdd(high, square, low(places, f))
  }
}

struct SexticPieces: PiecePolynomials {
  private let low: CubicPieces
  private let c4: LaneTable
  private let c5: LaneTable
  private let c6: LaneTable

  @_transparent
  init(_ c: UnsafePointer<Float>) {
    (low, c4, c5, c6) = (CubicPieces(c), LaneTable(c + 64), LaneTable(c + 80), LaneTable(c + 96))
  }

  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes {
    let square = f * f
    let middle = multiplyAdd(c5(places), f, c4(places))
    let high = multiplyAdd(c6(places), square, middle) * square
    return multiplyAdd(high, square, low(places, f))
  }
}

struct SepticPieces: PiecePolynomials {
  private let low: QuinticPieces
  private let c6: LaneTable
  private let c7: LaneTable

  @_transparent
  init(_ c: UnsafePointer<Float>) {
    (low, c6, c7) = (QuinticPieces(c), LaneTable(c + 96), LaneTable(c + 112))
  }

  @_transparent
  func callAsFunction(_ places: IntegerLanes, _ f: Lanes) -> Lanes {
    let square = f * f
    let high = multiplyAdd(c7(places), f, c6(places)) * square
    return multiplyAdd(high, square * square, low(places, f))
  }
}

/// A function in pieces.
struct PieceFunction<Pieces: PiecePolynomials> {
  private let pieces: Pieces
  private let fractionBits: IntegerLanes
  private let fractionMask: IntegerLanes
  /// The middle of the first piece: 1 plus half the length of a piece in the octave above 1.
  private let middle: Float
  private let scale: Float
  private let offset: Float
  private let limit: Float

  @_transparent
  init(_ curve: PieceCurve) {
    // The code that makes the operation sets the table and keeps it; see `TabledOperation`.
    pieces = Pieces(curve.coefficients.unsafelyUnwrapped)
    fractionBits = IntegerLanes(repeating: curve.fractionBits)
    let width = Int32(1) &<< curve.fractionBits
    fractionMask = IntegerLanes(repeating: width &- 1)
    middle = Float(bitPattern: UInt32(bitPattern: 0x3F80_0000 &+ width &>> 1))
    (scale, offset, limit) = (curve.scale, curve.offset, curve.limit)
  }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    value(smaller(larger(multiplyAdd(x, scale, offset), 1), limit))
  }

  /// Evaluates the function for numbers that are known to be inside the pieces.
  @_transparent
  func inside(_ x: Lanes) -> Lanes { value(multiplyAdd(x, scale, offset)) }

  @_transparent
  private func value(_ n: Lanes) -> Lanes {
    // Together with the exponent of 1, the bits of the place form a number of at least 1, whatever
    // the octave. `PieceTable` scales coefficients to match.
    let f = number(bits(n) & fractionMask | 0x3F80_0000) - middle
    return pieces(bits(n) &>> fractionBits, f)
  }
}

/// The gain that a tone curve has for a norm.
struct ToneGain<Pieces: PiecePolynomials> {
  private let pieces: PieceFunction<Pieces>
  private let peak: Float

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    (pieces, peak) = (PieceFunction(operation.pointee.pieces), operation.pointee.scale)
  }

  @_transparent
  // Above the source's peak, gain times norm stays constant, so that nothing gets brighter.
  func callAsFunction(_ norm: Lanes) -> Lanes { pieces(norm) * (peak / larger(norm, peak)) }
}

/// Multiplies pixels by the gain that a tone curve has for their norm.
struct PieceGain<Norm: PixelNumber, Pieces: PiecePolynomials>: PixelFunction {
  let norm: Norm
  let gain: ToneGain<Pieces>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels { pixels * gain(norm(pixels)) }
}

// PQ's signal (SMPTE ST 2084, equation 5.2) is computed in two steps: a power, and then a function
// in pieces. Each step has its own loop, so that the processor works on more pixels at a time. A
// light of 1 is 10 000 cd/m².

/// Computes the m1-th power of light from 0 to 1.
struct PQPower<let degree: Int>: ComponentFunction {
  private let power: Power<degree>

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) { power = Power(operation.pointee.power) }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { power(smaller(larger(x, 0), 1)) }
}

/// Computes the signal from the result of ``PQPower``.
struct PQPieces<Pieces: PiecePolynomials>: ComponentFunction {
  private let pieces: PieceFunction<Pieces>

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    pieces = PieceFunction(operation.pointee.pieces)
  }

  @_transparent
  // `PQPower` gives numbers from 0 to 1, and the pieces reach a little beyond, so no limit is
  // needed.
  func callAsFunction(_ x: Lanes) -> Lanes { pieces.inside(x) }
}
