// SPDX-License-Identifier: GPL-2.0-or-later

// Formats with two planes keep samples of more than 8 bits in the upper bits of a word, as P010
// does. Formats with three planes keep them in the lower bits, as FFmpeg's yuv420p10 does.

/// How a component's numbers are stored.
package enum SampleKind: Sendable {
  /// Unsigned bytes, one code value each.
  case byte
  /// 16-bit words, with the code value shifted left by this many bits.
  case word(shift: UInt16)
  /// Half-precision floating point.
  case half
}

/// How a component's samples are arranged in a row.
package struct SampleLayout: Sendable {
  /// How the numbers are stored.
  package var kind: SampleKind
  /// The distance from one sample of the component to the next, in samples.
  package var stride: Int

  package init(kind: SampleKind, stride: Int) {
    self.kind = kind
    self.stride = stride
  }
}

/// Rows of samples, each with a weight. There is one row, or there are four for a filter across
/// rows.
package struct WeightedRows {
  /// The first sample of each row.
  package var rows: UnsafePointer<UnsafeRawPointer>
  /// The weight of each row.
  package var weights: UnsafePointer<Float>
  /// The number of rows, 1 or 4.
  package var count: Int

  /// Wraps memory that the caller keeps.
  package init(
    rows: UnsafePointer<UnsafeRawPointer>, weights: UnsafePointer<Float>, count: Int
  ) {
    self.rows = rows
    self.weights = weights
    self.count = count
  }
}

/// The smallest, the largest and the sum of numbers.
package struct RowSummary: Sendable {
  /// The smallest number so far.
  package var minimum = Float.infinity
  /// The largest number so far.
  package var maximum = -Float.infinity
  /// The sum of all numbers so far. Numbers of a row are added in single precision, rows in double
  /// precision.
  package var sum = 0.0

  /// Makes a summary of no numbers.
  package init() {}
}
