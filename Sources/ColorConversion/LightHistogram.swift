// SPDX-License-Identifier: GPL-2.0-or-later
/// A distribution of light over pixels. Each pixel counts with its largest component.
package struct LightHistogram: Hashable, Sendable {
  /// The number of bins, which divide PQ's signal, 0…1, evenly.
  package static let binCount = 512
  /// The share of all pixels that may be brighter than the peak. These few pixels are ignored,
  /// because they are noise or sparks.
  private static let negligible = 0.000_05

  /// How many pixels each bin has.
  private(set) var counts = [Int](repeating: 0, count: binCount)
  /// The share of the frame's cells that have highlights, 0…1. A cell with few bright pixels counts
  /// in part.
  package var brightCells = 0.0

  /// Makes a distribution without pixels.
  package init() {}

  /// The number of pixels in all bins.
  package var total: Int { counts.reduce(0, +) }

  /// Returns the bin of a pixel, by PQ's signal of its largest component.
  static func bin(of signal: Float) -> UInt16 {
    signal > 0 ? UInt16(min(signal * Float(binCount), Float(binCount - 1))) : 0
  }

  /// Adds a pixel by its bin.
  mutating func add(bin: UInt16) { counts[Int(bin)] += 1 }

  /// Returns the share of pixels that are bright, 0…1. A pixel whose PQ signal is above `high`
  /// counts fully. One between `low` and `high` counts in part: the more, the closer it is to
  /// `high`.
  package func share(above low: Double, wholly high: Double) -> Double {
    let count = counts.indices.reduce(0.0) { sum, bin in
      let middle = (Double(bin) + 0.5) / Double(Self.binCount)
      // With a hard threshold, grain near the threshold would change the share from frame to frame.
      return sum + Double(counts[bin]) * min(max((middle - low) / (high - low), 0), 1)
    }
    return count / Double(max(total, 1))
  }

  /// Returns the mean of a function of the signal over all pixels whose signal is above `least`, or
  /// 0 if there are none.
  package func mean(above least: Double, _ function: (Double) -> Double) -> Double {
    shares(from: least, to: 1).reduce(0) { $0 + $1.share * function($1.signal) }
  }

  /// Considers only pixels brighter than `least`. Returns the signal that a given share of them
  /// exceeds, or `least` if there are none.
  package func quantile(_ share: Double, above least: Double) -> Double {
    var rest = share
    for (signal, share) in shares(from: least, to: 1).reversed() {
      rest -= share
      if rest < 0 { return signal }
    }
    return least
  }

  /// Returns the signal of each bin in a range, with the bin's share of the pixels in that range.
  /// Bins without pixels are left out.
  package func shares(from low: Double, to high: Double) -> [(signal: Double, share: Double)] {
    let bins = counts.enumerated().map {
      (signal: (Double($0.offset) + 0.5) / Double(Self.binCount), count: $0.element)
    }.filter { $0.count > 0 && $0.signal > low && $0.signal <= high }
    let total = Double(bins.reduce(0) { $0 + $1.count })
    return bins.map { ($0.signal, Double($0.count) / total) }
  }

  /// PQ's signal of the brightest light, apart from a few pixels. It is the upper end of a bin.
  package var peak: Double {
    var rest = Int(Double(total) * Self.negligible)
    for bin in counts.indices.reversed() {
      rest -= counts[bin]
      if rest < 0 { return Double(bin + 1) / Double(Self.binCount) }
    }
    return 0
  }

  /// Returns the share of pixels that would have to move to other bins to turn this distribution
  /// into another, 0…1.
  package func distance(to other: LightHistogram) -> Double {
    let (mine, others) = (Double(max(total, 1)), Double(max(other.total, 1)))
    var moved = 0.0
    // Sixteen bins are added up first, because grain would move pixels between neighboring bins.
    for start in stride(from: 0, to: Self.binCount, by: 16) {
      let (one, two) = (counts[start..<start + 16], other.counts[start..<start + 16])
      moved += abs(Double(one.reduce(0, +)) / mine - Double(two.reduce(0, +)) / others)
    }
    // Each pixel that moves counts twice: it is missing in one bin and extra in another.
    return moved / 2
  }
}
