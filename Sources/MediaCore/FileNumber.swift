// SPDX-License-Identifier: GPL-2.0-or-later
/// A numeric field of a file, and the range of numbers that we accept in the field.
///
/// Numbers are checked as soon as they are read, so that later computations cannot overflow.
package struct FileNumber: Hashable, Sendable {
  /// The field's name in its standard.
  package let field: String
  /// The values that are accepted.
  package let bounds: ClosedRange<Int64>

  package init(_ field: String, _ bounds: ClosedRange<Int64>) {
    (self.field, self.bounds) = (field, bounds)
  }

  /// Returns the number, or `nil` if it is out of bounds and therefore counts as absent.
  package func believed(_ number: some BinaryInteger) -> Int64? {
    // Fields have up to 64 bits, and damaged or malicious files use all of them.
    Int64(exactly: number).flatMap { bounds.contains($0) ? $0 : nil }
  }

  /// Describes what is wrong with a number out of bounds; `nil` if it is within them.
  package func fault(_ number: some BinaryInteger) -> String? {
    believed(number) == nil
      ? "\(field) is \(number), not \(bounds.lowerBound) to \(bounds.upperBound)" : nil
  }
}
