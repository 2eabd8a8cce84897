// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowOperations

/// A function of one number, as a table of straight pieces for row kernels. It is computed in
/// double precision.
@safe
final class SampledCurve: Sendable {
  nonisolated(unsafe) private let pieces: UnsafeMutablePointer<SIMD2<Float>>
  private let minimum: Float
  private let valueAtZero: Float
  private let maximum: Float
  private let scale: Float
  private let fractionBits: UInt32

  /// The number at which the first piece begins, as a share of the largest number.
  private static let span: Float = 0x1p-46

  /// Samples a function over 0…`upper`. Larger numbers get the value at `upper`.
  ///
  /// - Parameters:
  ///   - edge: a number at which the function jumps or bends. A piece begins there.
  ///   - isFine: whether an octave has 512 pieces, as a logarithm needs, instead of 128.
  init(
    upTo upper: Double, edge: Double = 1, isFine: Bool = false, _ unscaled: (Double) -> Double
  ) {
    fractionBits = isFine ? 14 : 16
    let upper = Float(upper / edge)
    func function(_ x: Double) -> Double { unscaled(x * edge) }
    // Pieces begin at powers of 2. So if the edge is scaled to 1, a piece begins there.
    scale = Float(1 / edge)
    let step = UInt32(1) << fractionBits
    minimum = Float(bitPattern: (upper * Self.span).bitPattern & ~(step - 1))
    maximum = upper
    valueAtZero = Float(function(0))
    let count = Int((upper.bitPattern - minimum.bitPattern) / step) + 1
    unsafe pieces = .allocate(capacity: count)
    for index in 0..<count {
      let start = Float(bitPattern: minimum.bitPattern + UInt32(index) * step)
      let end = Float(bitPattern: start.bitPattern + step)
      // This x is just inside the piece, because the function may jump at the piece's ends.
      let x = Double(start) * (1 + 0x1p-40)
      let y = function(x)
      let last = Double(end) * (1 - 0x1p-40)
      let slope = (function(last) - y) / (last - x)
      unsafe (pieces + index).initialize(to: SIMD2(Float(y - slope * x), Float(slope)))
    }
  }

  deinit {
    unsafe pieces.deallocate()
  }

  /// Returns the table. It is valid as long as this object lives.
  ///
  /// - Parameter negativeScale: the scale of the function below 0; see ``CurveTable``.
  @unsafe
  func table(negativeScale: Float) -> CurveTable {
    var table = CurveTable()
    unsafe table.pieces = UnsafePointer(pieces)
    (table.scale, table.minimum, table.maximum) = (scale, minimum, maximum)
    (table.valueAtZero, table.negativeScale) = (valueAtZero, negativeScale)
    table.fractionBits = fractionBits
    return table
  }
}
