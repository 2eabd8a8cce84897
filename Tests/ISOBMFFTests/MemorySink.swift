// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport

@testable import ISOBMFF

/// Keeps in memory what an editor writes.
struct MemorySink: ByteSink {
  let source: MemoryByteSource
  var bytes: [UInt8] = []

  mutating func write(_ more: [UInt8]) { bytes += more }

  mutating func copy(_ range: Range<UInt64>) {
    bytes += source.read(at: range.lowerBound, count: range.count)
  }
}
