// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

/// How the light of a PQ frame is distributed, in units of 0.1 cd/m². A pixel's light is that of
/// its largest component.
package struct LightDistribution: Sendable {
  /// The largest R, G and B; empty if they were not asked for.
  package private(set) var maximum: [UInt32] = []
  /// The levels as PQ's signal, 0…1.
  package private(set) var signal: LightLevels = (0, 0, 0)
  /// The levels in cd/m².
  package private(set) var luminance: LightLevels = (0, 0, 0)

  /// How many pixels are in each bin.
  private var counts = [UInt32](repeating: 0, count: binCount)
  /// How many pixels are in each block of bins.
  private var blocks: [Int] = []
  private var total = 0
  /// The bins from here on are empty.
  private var end = binCount

  // The bins divide the fourth power of PQ's signal evenly. From bin to bin, light then grows by
  // less than one unit of 0.1 cd/m² below 1 000 cd/m², and by two units at 10 000. That is so fine
  // that light has to be computed only for the bins, not for each pixel.

  /// The number of the last bin, which has the signal 1.
  static let lastBin = 1 << 17
  private static let binCount = lastBin + 1
  /// How many bins a block has.
  private static let blockSize = 512

  /// The light in the middle of each bin, in cd/m².
  private static let binLuminance: [Double] = (0..<binCount).map {
    PQ.eotf((Double($0) / Double(lastBin)).squareRoot().squareRoot())
  }
  private static let binUnits: [UInt32] = binLuminance.map(units)

  /// Returns the end of the bins for a signal: pixels up to this signal are in bins before it.
  private static func end(of signal: Double) -> Int {
    // Pixels' bins are computed in single precision, so they may differ from this number by one.
    let limited = min(max(signal, 0), 1)
    let square = limited * limited
    return min(Int(square * square * Double(lastBin)) + 3, binCount)
  }

  /// Counts pixels.
  ///
  /// - Parameter bins: the bin of each pixel's largest signal.
  mutating func count(_ bins: UnsafeBufferPointer<UInt32>) {
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      for index in bins.indices { unsafe counts[Int(bins[index])] &+= 1 }
    }
    total += bins.count
  }

  /// Ends the count.
  ///
  /// - Parameters:
  ///   - maximum: PQ's signals of the largest R, G and B; empty if they were not asked for.
  ///   - signal: the levels of the pixels that were counted.
  mutating func finish(maximum: [Float], signal: LightLevels) {
    self.maximum = maximum.map { Self.units(of: PQ.eotf(Double($0))) }
    self.signal = signal
    // Leave out the bins above the brightest pixel. Few frames use all of PQ's range, and adding up
    // all bins takes as long as counting the pixels of a small frame.
    end = Self.end(of: signal.maximum)
    blocks = stride(from: 0, to: end, by: Self.blockSize).map { Self.sum(counts[block(at: $0)]) }
    var sum = 0.0
    // Checked indices would make this sum the slowest part of measuring a small frame.
    unsafe counts.withUnsafeBufferPointer { counts in
      unsafe Self.binLuminance.withUnsafeBufferPointer { luminance in
        for (index, pixels) in blocks.enumerated() where pixels > 0 {
          for bin in block(at: index * Self.blockSize) {
            unsafe sum += Double(counts[bin]) * luminance[bin]
          }
        }
      }
    }
    luminance = (
      PQ.eotf(signal.minimum), PQ.eotf(signal.maximum),
      // Light in the middle of a bin may be more than that of its brightest pixel.
      min(sum / Double(max(total, 1)), PQ.eotf(signal.maximum))
    )
  }

  private func block(at start: Int) -> Range<Int> { start..<min(start + Self.blockSize, end) }

  private static func units(of luminance: Double) -> UInt32 { UInt32((luminance * 10).rounded()) }

  private static func sum(_ counts: ArraySlice<UInt32>) -> Int {
    unsafe counts.withUnsafeBufferPointer { counts in
      Int(unsafe counts.reduce(UInt64(0)) { $0 &+ UInt64($1) })
    }
  }

  /// The average light of all pixels.
  package var average: UInt32 { Self.units(of: luminance.mean) }

  /// Returns the light of a percentile: the smallest light such that at least this percentage of
  /// pixels is no brighter.
  package func percentile(_ percentage: Double) -> UInt32 {
    let least = percentage / 100 * Double(total)
    var (below, bin) = (0, 0)
    for count in blocks {
      guard Double(below + count) < least else { break }
      below += count
      bin += Self.blockSize
    }
    while bin < Self.lastBin {
      below += Int(counts[bin])
      if Double(below) >= least { break }
      bin += 1
    }
    return min(Self.binUnits[min(bin, Self.lastBin)], Self.units(of: luminance.maximum))
  }

  /// Returns the percentage of pixels that are darker than a given light.
  package func percentage(below light: UInt32) -> Double {
    percentage(of: counts[..<min(firstBin(of: light), end)])
  }

  /// The percentage of pixels that are as bright as the brightest one.
  package var brightestPercentage: Double {
    let brightest = counts[..<end].lastIndex { $0 > 0 } ?? 0
    return percentage(of: counts[firstBin(of: Self.binUnits[brightest])..<end])
  }

  /// Returns the first bin that is at least as bright as a given light.
  private func firstBin(of light: UInt32) -> Int {
    var bins = 0..<Self.binCount
    while let middle = bins.isEmpty ? nil : bins.lowerBound + bins.count / 2 {
      bins =
        Self.binUnits[middle] < light
        ? middle + 1..<bins.upperBound : bins.lowerBound..<middle
    }
    return bins.lowerBound
  }

  private func percentage(of counts: ArraySlice<UInt32>) -> Double {
    100 * Double(Self.sum(counts)) / Double(max(total, 1))
  }
}
