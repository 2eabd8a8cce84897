// SPDX-License-Identifier: GPL-2.0-or-later
/// A coded number in a mapping.
package struct Coefficient: Hashable, Sendable {
  /// The integer that the fraction is added to; 0 in floating point, which has no separate integer.
  package var integer: Int64

  // The fraction is not turned into a `Double`, because a unit that is written again must have the
  // same bits.
  /// The numerator of the fraction; in floating point, the bit pattern of the number.
  package var fraction: UInt32

  package init(_ integer: Int64 = 0, _ fraction: UInt32 = 0) {
    self.integer = integer
    self.fraction = fraction
  }

  /// Makes a floating-point number.
  package init(_ value: Float) {
    self.init(0, value.bitPattern)
  }

  /// Returns the value of the number.
  package func value(_ format: CoefficientFormat) -> Double {
    switch format {
    case .fixed(let log2): Double(integer) + Double(fraction) / Double(UInt64(1) << UInt64(log2))
    case .float: Double(Float(bitPattern: fraction))
    }
  }
}

extension Coefficient {
  /// Codes a signed number: `se(v)` and `u(v)`, or 32 bits for floating point.
  mutating func codeSigned(
    _ coder: inout some SyntaxCoder, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    if case .fixed = format { try coder.se(&integer, element) }
    try codeFraction(&coder, format, element)
  }

  /// Codes an unsigned number: `ue(v)` and `u(v)`, or 32 bits for floating point.
  mutating func codeUnsigned(
    _ coder: inout some SyntaxCoder, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    if case .fixed = format { try coder.ue(&integer, element, in: 0...Int64(UInt32.max)) }
    try codeFraction(&coder, format, element)
  }

  private mutating func codeFraction(
    _ coder: inout some SyntaxCoder, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    switch format {
    case .fixed(let log2): try coder.u(&fraction, log2, element)
    case .float:
      // The integer would be lost silently, since this format has no place for it.
      guard integer == 0 else {
        throw .inconsistent("\(element) is in floating point and cannot have a separate whole part")
      }
      try coder.u(&fraction, 32, element)
    }
  }
}

extension [Coefficient] {
  mutating func codeSigned(
    _ coder: inout some SyntaxCoder, of count: Int, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    try coder.resize(&self, to: count, with: Coefficient(), element)
    for index in indices { try self[index].codeSigned(&coder, format, element) }
  }

  mutating func codeUnsigned(
    _ coder: inout some SyntaxCoder, of count: Int, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    try coder.resize(&self, to: count, with: Coefficient(), element)
    for index in indices { try self[index].codeUnsigned(&coder, format, element) }
  }
}
