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
  ///
  /// - Parameter fractionBits: ``RPUHeader/fractionBits`` of the header that it is coded under.
  package func value(fractionBits: Int?) -> Double {
    guard let fractionBits else { return Double(Float(bitPattern: fraction)) }
    return Double(integer) + Double(fraction) / Double(UInt64(1) << UInt64(fractionBits))
  }
}

extension Coefficient {
  /// Codes a signed number: `se(v)` and `u(v)`, or 32 bits for floating point.
  mutating func codeSigned(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, _ element: String
  ) throws(DolbyVisionError) {
    if fractionBits != nil { try coder.se(&integer, element) }
    try codeFraction(&coder, fractionBits, element)
  }

  /// Codes an unsigned number: `ue(v)` and `u(v)`, or 32 bits for floating point.
  mutating func codeUnsigned(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, _ element: String
  ) throws(DolbyVisionError) {
    if fractionBits != nil { try coder.ue(&integer, element, in: 0...Int64(UInt32.max)) }
    try codeFraction(&coder, fractionBits, element)
  }

  private mutating func codeFraction(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, _ element: String
  ) throws(DolbyVisionError) {
    if let fractionBits { return try coder.u(&fraction, fractionBits, element) }
    // The integer would be lost silently, since floating point has no place for it.
    guard integer == 0 else {
      throw .inconsistent("\(element) is in floating point and cannot have a separate whole part")
    }
    try coder.u(&fraction, 32, element)
  }
}

extension [Coefficient] {
  mutating func codeSigned(
    _ coder: inout some SyntaxCoder, of count: Int, _ fractionBits: Int?, _ element: String
  ) throws(DolbyVisionError) {
    try coder.resize(&self, to: count, with: Coefficient(), element)
    for index in indices { try self[index].codeSigned(&coder, fractionBits, element) }
  }

  mutating func codeUnsigned(
    _ coder: inout some SyntaxCoder, of count: Int, _ fractionBits: Int?, _ element: String
  ) throws(DolbyVisionError) {
    try coder.resize(&self, to: count, with: Coefficient(), element)
    for index in indices { try self[index].codeUnsigned(&coder, fractionBits, element) }
  }
}
