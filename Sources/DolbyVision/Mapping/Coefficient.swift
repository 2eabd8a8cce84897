// SPDX-License-Identifier: GPL-2.0-or-later
/// A number of a mapping as it is coded.
package struct Coefficient: Hashable, Sendable {
  /// The whole number that the fraction is added to; 0 for floating point, where it is not coded.
  package var integer: Int64
  /// The fraction's numerator; for floating point the 32 bits of the number.
  package var fraction: UInt32

  /// A number from its parts.
  package init(_ integer: Int64 = 0, _ fraction: UInt32 = 0) {
    self.integer = integer
    self.fraction = fraction
  }

  /// A floating-point number.
  package init(_ value: Float) {
    self.init(0, value.bitPattern)
  }

  /// The number that is meant.
  package func value(_ format: CoefficientFormat) -> Double {
    switch format {
    case .fixed(let log2): Double(integer) + Double(fraction) / Double(UInt64(1) << UInt64(log2))
    case .float: Double(Float(bitPattern: fraction))
    }
  }
}

extension Coefficient {
  /// A signed number: `se(v)` and `u(v)`, or 32 bits.
  mutating func codeSigned(
    _ coder: inout some SyntaxCoder, _ format: CoefficientFormat, _ element: String
  ) throws(DolbyVisionError) {
    if case .fixed = format { try coder.se(&integer, element) }
    try codeFraction(&coder, format, element)
  }

  /// A number that is not negative: `ue(v)` and `u(v)`, or 32 bits.
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
      guard integer == 0 else {
        throw .inconsistent("\(element) is a floating-point number with a whole part beside it")
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
