// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// A smooth function for row kernels, in 16 pieces; see ``RowOperations/PieceCurve``.
@safe
final class PieceTable: Sendable {
  nonisolated(unsafe) private let coefficients: UnsafeMutablePointer<Float>
  private let degree: Int
  private let fractionBits: Int32
  private let scale: Float
  private let offset: Float
  private let limit: Float

  private static let pieceCount = 16

  /// Samples a function of x. The pieces divide the range of n = `scale` · x + `offset`.
  ///
  /// - Parameters:
  ///   - octaves: how many octaves the table covers, from n = 1 on. It must be a power of 2.
  ///   - degree: the degree of the polynomials.
  ///   - function: the function of x.
  init(
    octaves: Int, scale: Double, offset: Double, degree: Int, _ function: (Double) -> Double
  ) {
    self.degree = degree
    let perOctave = Self.pieceCount / octaves
    fractionBits = Int32(Float.significandBitCount - perOctave.trailingZeroBitCount)
    (self.scale, self.offset) = (Float(scale), Float(offset))
    let top = Double(sign: .plus, exponent: octaves, significand: 1)
    // The limit is just below the end, because the bits of the end itself would choose the first
    // piece.
    limit = Float(top).nextDown
    let count = Self.pieceCount * (degree + 1)
    unsafe coefficients = .allocate(capacity: count)
    unsafe coefficients.initialize(repeating: 0, count: count)
    for octave in 0..<octaves {
      let start = Double(sign: .plus, exponent: octave, significand: 1)
      for piece in 0..<perOctave {
        let first = start * (1 + Double(piece) / Double(perOctave))
        let range = first..<first + start / Double(perOctave)
        let polynomial = ChebyshevPolynomial(degree: degree, over: range) {
          function(($0 - offset) / scale)
        }
        let place = Int(Float(first).bitPattern >> UInt32(fractionBits)) % Self.pieceCount
        // Kernels measure distances in mantissas, from 1 to 2 in each octave, so the coefficient of
        // each power is multiplied by that power of the octave's size.
        var unit = 1.0
        for (power, coefficient) in polynomial.coefficients.enumerated() {
          unsafe coefficients[power * Self.pieceCount + place] = Float(coefficient * unit)
          unit *= start
        }
      }
    }
  }

  deinit {
    unsafe coefficients.deallocate()
  }

  /// The function. It is valid as long as this object lives.
  @unsafe var curve: PieceCurve {
    var curve = PieceCurve()
    unsafe curve.coefficients = UnsafePointer(coefficients)
    (curve.degree, curve.fractionBits) = (degree, fractionBits)
    (curve.scale, curve.offset, curve.limit) = (scale, offset, limit)
    return curve
  }
}

extension PieceTable {
  /// Makes the table of a tone curve's gain, from the curve's knee to the source's peak.
  convenience init(
    _ curve: any KneeToneCurve, _ precision: CurvePrecision, _ gain: (Double) -> Double
  ) {
    // Each octave has one piece, so each piece is half as long as the one after it. The curve bends
    // most near the knee, where pieces are shortest.
    let scale = 65535 / (curve.sourcePeak - curve.knee)
    self.init(
      octaves: 16, scale: scale, offset: 1 - scale * curve.knee,
      degree: precision.toneDegree, gain)
  }

  /// Returns the table that maps a power of light to PQ's signal. The power's exponent is m1 of
  /// SMPTE ST 2084.
  static func pqSignal(_ precision: CurvePrecision) -> PieceTable {
    precision == .full ? finePQSignal : roughPQSignal
  }

  private static let roughPQSignal = PieceTable(pqSignalAs: .tenBits)
  private static let finePQSignal = PieceTable(pqSignalAs: .full)

  /// Makes the table of PQ's signal.
  private convenience init(pqSignalAs precision: CurvePrecision) {
    // Light to a power is from 0 to 1. If 1/15 is added, it extends over four octaves, and the
    // signal is a smooth function of that sum's logarithm. The octaves reach a little beyond the
    // largest power, 1, so that an inexact power does not leave them.
    self.init(octaves: 4, scale: 14.999, offset: 1, degree: precision.pqDegree) {
      PQ.signal(ofPower: $0)
    }
  }
}

extension PowerTable {
  /// Returns the table that raises light to the exponent m1 of SMPTE ST 2084. This power is the
  /// first of two steps to PQ's signal.
  static func pqPower(_ precision: CurvePrecision) -> PowerTable {
    precision == .full ? finePQPower : roughPQPower
  }

  private static let roughPQPower = PowerTable(exponent: PQ.lightExponent, .tenBits)
  private static let finePQPower = PowerTable(exponent: PQ.lightExponent, .full)
}
