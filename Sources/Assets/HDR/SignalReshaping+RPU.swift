// SPDX-License-Identifier: GPL-2.0-or-later
package import ColorScience
package import DolbyVision

extension SignalReshaping {
  /// Takes the reshaping of a frame from its RPU.
  ///
  /// - Parameter previous: the reshaping of the frame before. What the RPU leaves out is taken from
  ///   there.
  /// - Returns: `nil` if the RPU is not of profile 5, refers to a mapping that is missing, or has a
  ///   curve that cannot be computed.
  package init?(_ unit: ReferenceProcessingUnit, after previous: SignalReshaping? = nil) {
    guard unit.profile == 5 else { return nil }
    var curves = previous?.curves
    if let mapping = unit.dataMapping {
      let own = mapping.curves.compactMap { Curve($0, unit.header) }
      curves = own.count == 3 ? own : nil
    }
    guard let curves else { return nil }
    if let color = unit.displayManagement?.color {
      self.init(curves: curves, color)
    } else {
      self = (previous ?? .ipt).with(curves)
    }
  }

  private init(curves: [Curve], _ color: ColorMetadata) {
    self.init(
      curves: curves, toCones: Matrix3x3(color.yccToRGBCoef, unit: 1 << 13),
      offset: Triple(color.yccToRGBOffset.map { Double($0) / Double(1 << 28) }),
      mixing: Matrix3x3(color.rgbToLMSCoef, unit: 1 << 14))
  }
}

extension Matrix3x3 {
  /// Makes a matrix from nine integers, row by row.
  fileprivate init(_ numbers: [Int16], unit: Int) {
    let rows = stride(from: 0, to: 9, by: 3).map { row in
      Triple(numbers[row..<row + 3].map { Double($0) / Double(unit) })
    }
    self.init(rows[0], rows[1], rows[2])
  }
}

extension SignalReshaping.Curve {
  fileprivate init?(_ curve: ReshapingCurve, _ header: RPUHeader) {
    let whole = Double((UInt64(1) << UInt64(header.blBitDepth)) - 1)
    let pivots = curve.pivots.map { min(Double($0) / whole, 1) }
    guard pivots.count == curve.pieces.count + 1 else { return nil }
    let pieces = curve.pieces.indices.compactMap { index in
      curve.piece(index, header.fractionBits, from: pivots[index], to: pivots[index + 1])
    }
    guard pieces.count == curve.pieces.count else { return nil }
    self.init(pivots: pivots, pieces: pieces)
  }
}

extension ReshapingCurve {
  fileprivate func piece(
    _ index: Int, _ fractionBits: Int?, from start: Double, to end: Double
  ) -> SignalReshaping.Piece? {
    switch pieces[index] {
    case .polynomial(let coefficients):
      let numbers = coefficients.map { $0.value(fractionBits: fractionBits) } + [0]
      return .polynomial(Triple(numbers.prefix(3)))
    case .mmr(let constant, let coefficients):
      return .regression(
        constant: constant.value(fractionBits: fractionBits),
        coefficients: coefficients.map { row in row.map { $0.value(fractionBits: fractionBits) } })
    case .linearInterpolation(let values):
      // A piece states the value at its beginning. The value at its end is the first value of the
      // next piece. Only the last piece states the value at its end, too.
      var next = values.dropFirst().first
      if next == nil, index + 1 < pieces.count,
        case .linearInterpolation(let others) = pieces[index + 1]
      {
        next = others.first
      }
      guard let first = values.first?.value(fractionBits: fractionBits),
        let last = next?.value(fractionBits: fractionBits)
      else {
        return nil
      }
      let slope = end > start ? (last - first) / (end - start) : 0
      return .polynomial([first - slope * start, slope, 0])
    }
  }
}
