// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// The numbers of Dolby Vision's curves for row kernels; see ``RowOperations/ReshapingNumbers``.
@safe
final class ReshapingTable: Sendable {
  nonisolated(unsafe) private let memory: UnsafeMutablePointer<Float>

  init(_ reshaping: SignalReshaping) {
    let count = reshaping.curves.count * ReshapingNumbers.curveLength
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    for (component, curve) in reshaping.curves.enumerated() {
      let start = component * ReshapingNumbers.curveLength
      write([Double(curve.pieces.count), curve.pivots[0], curve.pivots.last ?? 1], at: start)
      for (index, piece) in curve.pieces.enumerated() {
        write(
          [curve.pivots[index]] + piece.numbers,
          at: start + ReshapingNumbers.firstPiece + index * ReshapingNumbers.pieceLength)
      }
    }
  }

  deinit {
    unsafe memory.deallocate()
  }

  private func write(_ numbers: [Double], at start: Int) {
    for (index, number) in numbers.enumerated() { unsafe memory[start + index] = Float(number) }
  }

  /// The numbers. They are valid as long as this object lives.
  @unsafe var numbers: UnsafePointer<Float> { unsafe UnsafePointer(memory) }
}

extension SignalReshaping.Piece {
  /// The order of regression and the coefficients, as kernels read them.
  fileprivate var numbers: [Double] {
    switch self {
    case .polynomial(let coefficients): [0, coefficients.x, coefficients.y, coefficients.z]
    case .regression(let constant, let coefficients):
      [Double(coefficients.count), constant] + coefficients.joined()
    }
  }
}
