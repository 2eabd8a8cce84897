// SPDX-License-Identifier: GPL-2.0-or-later
/// Storage format of a component's numbers.
package enum SampleKind: Sendable {
  /// Bytes.
  case byte
  /// Words of 16 bits, whose code value is shifted to the left by so many bits.
  case word(shift: UInt16)
  /// Half-precision numbers.
  case half
}

/// Layout of a component's rows in a frame.
package struct SampleLayout: Sendable {
  /// Storage format of the numbers.
  package var kind: SampleKind
  /// The numbers from one of the component's to the next.
  package var stride: Int

  /// A layout.
  package init(kind: SampleKind, stride: Int) {
    self.kind = kind
    self.stride = stride
  }
}

/// Rows of samples, each with a weight: one row, or the four of a filter across rows.
package struct WeightedRows {
  /// The rows' first samples.
  package var rows: UnsafePointer<UnsafeRawPointer>
  /// Weights of the rows.
  package var weights: UnsafePointer<Float>
  /// Number of the rows.
  package var count: Int

  /// Rows and weights over memory that the caller keeps.
  package init(
    rows: UnsafePointer<UnsafeRawPointer>, weights: UnsafePointer<Float>, count: Int
  ) {
    self.rows = rows
    self.weights = weights
    self.count = count
  }
}

/// Smallest, largest and sum of numbers.
package struct RowSummary: Sendable {
  /// The smallest number.
  package var minimum = Float.infinity
  /// The largest.
  package var maximum = -Float.infinity
  /// All of them added.
  package var sum = 0.0

  /// A summary of no numbers.
  package init() {}
}
