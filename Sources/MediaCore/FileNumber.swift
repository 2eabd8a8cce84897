// SPDX-License-Identifier: GPL-2.0-or-later
/// A number that files state, and the values that are believed.
///
/// Fields have up to 64 bits, and damage and malice fill all of them. With bounds that are kept
/// where a number is read, nothing that is made of it later overflows.
package struct FileNumber: Hashable, Sendable {
  /// The field, as its standard calls it.
  package let field: String
  /// The values that are believed.
  package let bounds: ClosedRange<Int64>

  package init(_ field: String, _ bounds: ClosedRange<Int64>) {
    (self.field, self.bounds) = (field, bounds)
  }

  /// The number; nil beyond its bounds, where it counts as not stated.
  package func believed(_ number: some BinaryInteger) -> Int64? {
    Int64(exactly: number).flatMap { bounds.contains($0) ? $0 : nil }
  }

  /// The fault of a number beyond its bounds; nil for others.
  package func fault(_ number: some BinaryInteger) -> String? {
    believed(number) == nil
      ? "\(field) is \(number), not \(bounds.lowerBound) to \(bounds.upperBound)" : nil
  }
}
