// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// The numbers of headroom-adaptive gain curves for row kernels; see
/// ``RowOperations/HeadroomGainNumbers``.
@safe
final class HeadroomGainTable: Sendable {
  nonisolated(unsafe) private let memory: UnsafeMutablePointer<Float>

  init(_ shares: [HeadroomAdaptiveToneMap.Share]) {
    let count =
      HeadroomGainNumbers.firstCurve + shares.count * HeadroomGainNumbers.curveLength
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    let isByComponent = shares.contains { $0.alternate.mix.own != 0 }
    write([Double(shares.count), isByComponent ? 1 : 0], at: 0)
    for (index, share) in shares.enumerated() {
      let start = HeadroomGainNumbers.firstCurve + index * HeadroomGainNumbers.curveLength
      write(share.numbers, at: start)
      for (number, piece) in share.alternate.curve.pieces.enumerated() {
        write(
          [piece.start] + piece.coefficients.map { share.weight * $0 },
          at: start + HeadroomGainNumbers.firstPiece + number * HeadroomGainNumbers.pieceLength)
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

extension HeadroomAdaptiveToneMap.Share {
  /// What comes before the pieces of a curve.
  fileprivate var numbers: [Double] {
    let (mix, curve) = (alternate.mix.normalized, alternate.curve)
    guard let first = curve.points.first, let last = curve.points.last else { return [] }
    return [
      Double(curve.pieces.count), mix.components.x, mix.components.y, mix.components.z,
      mix.largest, mix.smallest, mix.own, weight * first.y, last.x,
      weight * (last.y + binaryLogarithm(last.x)), -weight,
    ]
  }
}
