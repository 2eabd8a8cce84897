// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// Numbers that a row operation points to, such as the coefficients of curves. Numbers that are not
/// written are 0.
@safe
final class OperationNumbers: Sendable {
  nonisolated(unsafe) private let memory: UnsafeMutablePointer<Float>

  /// Stores runs of numbers. Between runs, there may be gaps.
  ///
  /// - Parameters:
  ///   - count: how many numbers there are.
  ///   - runs: the numbers, and the index of the first number of each run.
  init(count: Int, _ runs: [(start: Int, numbers: [Double])]) {
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    for (start, numbers) in runs {
      precondition(start >= 0 && start + numbers.count <= count, "the run is inside")
      for (index, number) in numbers.enumerated() { unsafe memory[start + index] = Float(number) }
    }
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The first number. It is valid as long as this object lives.
  @unsafe var start: UnsafePointer<Float> { unsafe UnsafePointer(memory) }
}

extension OperationNumbers {
  /// Lists Dolby Vision's curves; see ``RowOperations/ReshapingNumbers``.
  convenience init(_ reshaping: SignalReshaping) {
    let runs = reshaping.curves.enumerated().flatMap { component, curve in
      let start = component * ReshapingNumbers.curveLength
      let head = [Double(curve.pieces.count), curve.pivots[0], curve.pivots.last ?? 1]
      return [(start: start, numbers: head)]
        + curve.pieces.enumerated().map { index, piece in
          (
            start: start + ReshapingNumbers.firstPiece + index * ReshapingNumbers.pieceLength,
            numbers: [curve.start(ofPiece: index)] + piece.numbers
          )
        }
    }
    self.init(count: reshaping.curves.count * ReshapingNumbers.curveLength, runs)
  }
}

extension SignalReshaping.Piece {
  /// The piece as kernels read it: the order of its regression, then its coefficients.
  fileprivate var numbers: [Double] {
    switch self {
    case .polynomial(let coefficients): [0, coefficients.x, coefficients.y, coefficients.z]
    case .regression(let constant, let coefficients):
      [Double(coefficients.count), constant] + coefficients.joined()
    }
  }
}

extension OperationNumbers {
  /// Lists headroom-adaptive gain curves; see ``RowOperations/HeadroomGainNumbers``.
  convenience init(_ shares: [HeadroomAdaptiveToneMap.Share]) {
    let isByComponent = shares.contains { $0.alternate.mix.own != 0 }
    let head = [Double(shares.count), isByComponent ? 1 : 0]
    let curves = shares.enumerated().flatMap { index, share in
      let start = HeadroomGainNumbers.firstCurve + index * HeadroomGainNumbers.curveLength
      return [(start: start, numbers: share.numbers)]
        + share.alternate.curve.pieces.enumerated().map { number, piece in
          (
            start: start + HeadroomGainNumbers.firstPiece
              + number * HeadroomGainNumbers.pieceLength,
            numbers: [piece.start] + piece.coefficients.map { share.weight * $0 }
          )
        }
    }
    self.init(
      count: HeadroomGainNumbers.firstCurve + shares.count * HeadroomGainNumbers.curveLength,
      [(start: 0, numbers: head)] + curves)
  }
}

extension HeadroomAdaptiveToneMap.Share {
  /// The numbers that come before the pieces of the curve.
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
