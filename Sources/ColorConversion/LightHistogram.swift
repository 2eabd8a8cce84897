// SPDX-License-Identifier: GPL-2.0-or-later
/// A distribution of the light of pixels, which count with their largest component.
package struct LightHistogram: Hashable, Sendable {
  /// The bins, of equal width in PQ's signal, 0…1.
  package static let binCount = 512
  /// The share of the pixels that are not looked at for the peak: noise, and a few sparks.
  private static let negligible = 0.000_05

  /// Pixels in each bin.
  private(set) var counts = [Int](repeating: 0, count: binCount)

  /// A histogram of no pixels.
  package init() {}

  /// The pixels.
  package var total: Int { counts.reduce(0, +) }

  /// The bin of a pixel, by PQ's signal of its largest component.
  static func bin(of signal: Float) -> UInt16 {
    signal > 0 ? UInt16(min(signal * Float(binCount), Float(binCount - 1))) : 0
  }

  /// Adds a pixel by its bin.
  mutating func add(bin: UInt16) { counts[Int(bin)] += 1 }

  /// Adds the pixels of another.
  package static func += (sum: inout LightHistogram, part: LightHistogram) {
    for bin in 0..<binCount { sum.counts[bin] += part.counts[bin] }
  }

  /// The share of the pixels that are brighter than a signal of PQ, 0…1: pixels up to a second
  /// signal count the less, the nearer they are to the first, so that grain around it is little.
  package func share(above low: Double, wholly high: Double) -> Double {
    let count = counts.indices.reduce(0.0) { sum, bin in
      let middle = (Double(bin) + 0.5) / Double(Self.binCount)
      return sum + Double(counts[bin]) * min(max((middle - low) / (high - low), 0), 1)
    }
    return count / Double(max(total, 1))
  }

  /// PQ's signal of the brightest light but for a few pixels: the upper end of its bin.
  package var peak: Double {
    var rest = Int(Double(total) * Self.negligible)
    for bin in counts.indices.reversed() {
      rest -= counts[bin]
      if rest < 0 { return Double(bin + 1) / Double(Self.binCount) }
    }
    return 0
  }

  /// The share of pixels that would have to move to other bins to make this distribution of
  /// another, 0…1. Bins are taken together by sixteen, so that grain moves none.
  package func distance(to other: LightHistogram) -> Double {
    let (mine, others) = (Double(max(total, 1)), Double(max(other.total, 1)))
    var moved = 0.0
    for start in stride(from: 0, to: Self.binCount, by: 16) {
      let (one, two) = (counts[start..<start + 16], other.counts[start..<start + 16])
      moved += abs(Double(one.reduce(0, +)) / mine - Double(two.reduce(0, +)) / others)
    }
    return moved / 2
  }
}
