// SPDX-License-Identifier: GPL-2.0-or-later
/// Maps the values between two pivots: `rpu_data_mapping_param` (ETSI GS CCM 001).
package enum MappingPiece: Hashable, Sendable {
  /// `mapping_idc` 0: the coefficients `poly_coef` of the powers 0 and 1, or of the powers 0 to 2.
  case polynomial([Coefficient])

  // ETSI GS CCM 001 V1.1.1 names `linear_interp_flag` but does not define what follows it. The
  // layout comes from US 10,701,399 B2, annex A.1.5; no stream that uses it is known.
  /// `mapping_idc` 0 with `linear_interp_flag`: one unsigned `pred_linear_interp_value` for the
  /// piece's first pivot. The last piece of a component also has a value for its second pivot.
  case linearInterpolation([Coefficient])
  /// `mapping_idc` 1: multivariate multiple regression with `mmr_constant` and, for each order from
  /// 1 to 3, a row of 7 coefficients `mmr_coef`.
  case mmr(constant: Coefficient, coefficients: [[Coefficient]])

  /// How many coefficients each order of ``mmr(constant:coefficients:)`` has.
  package static let mmrCoefficientCount = 7

  /// The code for the kind of mapping: 0 for a polynomial, 1 for a regression.
  package var mappingIDC: UInt8 {
    if case .mmr = self { 1 } else { 0 }
  }
}

extension MappingPiece {
  mutating func code(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, isLast: Bool
  ) throws(DolbyVisionError) {
    var idc = mappingIDC
    try coder.ue(&idc, "mapping_idc", in: 0...1)
    if idc == 0 {
      try codePolynomial(&coder, fractionBits, isLast: isLast)
    } else {
      try codeMMR(&coder, fractionBits)
    }
  }

  private mutating func codePolynomial(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, isLast: Bool
  ) throws(DolbyVisionError) {
    var coefficients: [Coefficient] = []
    var isInterpolation = false
    var orderMinus1 = 0
    switch self {
    case .polynomial(let list): (coefficients, orderMinus1) = (list, list.count - 2)
    case .linearInterpolation(let list): (coefficients, isInterpolation) = (list, true)
    case .mmr: break
    }
    try coder.ue(&orderMinus1, "poly_order_minus1", in: 0...1)
    // The flag is coded for first-order polynomials only (ETSI GS CCM 001).
    if orderMinus1 == 0 { try coder.flag(&isInterpolation, "linear_interp_flag") }
    if isInterpolation {
      try coefficients.codeUnsigned(
        &coder, of: isLast ? 2 : 1, fractionBits, "pred_linear_interp_value")
      self = .linearInterpolation(coefficients)
    } else {
      try coefficients.codeSigned(&coder, of: orderMinus1 + 2, fractionBits, "poly_coef")
      self = .polynomial(coefficients)
    }
  }

  private mutating func codeMMR(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?
  ) throws(DolbyVisionError) {
    var (constant, rows): (Coefficient, [[Coefficient]]) = (Coefficient(), [])
    if case .mmr(let first, let others) = self { (constant, rows) = (first, others) }
    var orderMinus1 = UInt8(clamping: rows.count - 1)
    let position = coder.bitPosition
    try coder.u(&orderMinus1, 2, "mmr_order_minus1")
    // Two bits can code 3, which would be a fourth order, but only three orders are defined.
    guard orderMinus1 <= 2 else {
      throw .outOfRange(
        element: "mmr_order_minus1", bitPosition: position, observed: Int64(orderMinus1),
        expected: 0...2)
    }
    try constant.codeSigned(&coder, fractionBits, "mmr_constant")
    try coder.resize(&rows, to: Int(orderMinus1) + 1, with: [], "mmr_coef")
    for index in rows.indices {
      try rows[index].codeSigned(&coder, of: Self.mmrCoefficientCount, fractionBits, "mmr_coef")
    }
    self = .mmr(constant: constant, coefficients: rows)
  }
}
