// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// Memory for the numbers that kernels keep, or that an operation points to. It begins on a 64-byte
/// boundary, and all numbers are 0 at first.
@safe
final class NumberMemory<Number: Numeric & BitwiseCopyable>: Sendable {
  /// The first number. It is valid as long as this object lives. Nobody may use the numbers while
  /// another thread writes them.
  @unsafe nonisolated(unsafe) let start: UnsafeMutablePointer<Number>

  init(count: Int) {
    unsafe start = UnsafeMutableRawPointer.allocate(
      // Registers of AVX-512 are loaded from multiples of 64 bytes.
      byteCount: max(count, 1) * MemoryLayout<Number>.stride, alignment: 64
    ).bindMemory(to: Number.self, capacity: max(count, 1))
    unsafe start.initialize(repeating: 0, count: max(count, 1))
  }

  deinit {
    unsafe start.deallocate()
  }
}

/// Numbers that a row operation points to: the coefficients of curves.
extension NumberMemory<Float> {
  /// Stores runs of numbers. Between runs, there may be gaps, whose numbers are 0.
  ///
  /// - Parameters:
  ///   - count: how many numbers there are.
  ///   - runs: the numbers, and the index of the first number of each run.
  private convenience init(count: Int, _ runs: [(start: Int, numbers: [Double])]) {
    self.init(count: count)
    for (first, numbers) in runs {
      precondition(first >= 0 && first + numbers.count <= count, "the run is inside")
      for (index, number) in numbers.enumerated() { unsafe start[first + index] = Float(number) }
    }
  }

  /// Lists Dolby Vision's curves; see `RowOperation.reshapingLayout`.
  convenience init(_ reshaping: SignalReshaping) {
    let layout = RowOperation.reshapingLayout
    let runs = reshaping.curves.enumerated().flatMap { component, curve in
      let start = component * layout.curveLength
      let head = [Double(curve.pieces.count), curve.pivots[0], curve.pivots.last ?? 1]
      return [(start: start, numbers: head)]
        + curve.pieces.enumerated().map { index, piece in
          (
            start: start + layout.firstPiece + index * layout.pieceLength,
            numbers: [curve.start(ofPiece: index)] + piece.numbers
          )
        }
    }
    self.init(count: reshaping.curves.count * layout.curveLength, runs)
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

extension NumberMemory<Float> {
  /// Lists headroom-adaptive gain curves; see `RowOperation.gainLayout`.
  convenience init(_ shares: [HeadroomAdaptiveToneMap.Share]) {
    let layout = RowOperation.gainLayout
    let isByComponent = shares.contains { $0.alternate.mix.own != 0 }
    let head = [Double(shares.count), isByComponent ? 1 : 0]
    let curves = shares.enumerated().flatMap { index, share in
      let start = layout.firstCurve + index * layout.curveLength
      return [(start: start, numbers: share.numbers)]
        + share.alternate.curve.pieces.enumerated().map { number, piece in
          (
            start: start + layout.firstPiece + number * layout.pieceLength,
            numbers: [piece.start] + piece.coefficients.map { share.weight * $0 }
          )
        }
    }
    self.init(
      count: layout.firstCurve + shares.count * layout.curveLength,
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
