// SPDX-License-Identifier: GPL-2.0-or-later

/// Numbers that kernels work in, zeros at first, on a 64-byte boundary.
@safe
final class NumberMemory {
  /// The first number.
  @unsafe let start: UnsafeMutablePointer<Float>

  /// Memory for so many numbers.
  init(count: Int) {
    unsafe start = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Float>.stride, alignment: 64
    ).bindMemory(to: Float.self, capacity: max(count, 1))
    unsafe start.initialize(repeating: 0, count: max(count, 1))
  }

  deinit {
    unsafe start.deallocate()
  }
}

/// Histogram of distances, in hundredths, in memory in which kernels count.
@safe
final class DistanceHistogram {
  /// The counts; the last is of all distances that are larger than those before it.
  static let binCount = 1 << 16
  private static let binsOfOne = 100.0

  /// The first count.
  @unsafe let start: UnsafeMutablePointer<UInt32>

  /// A histogram of nothing.
  init() {
    unsafe start = .allocate(capacity: Self.binCount)
    unsafe start.initialize(repeating: 0, count: Self.binCount)
  }

  deinit {
    unsafe start.deallocate()
  }

  /// Takes all counts away, and adds them to others.
  func move(into counts: inout [Int]) {
    for bin in 0..<Self.binCount {
      counts[bin] += unsafe Int(start[bin])
      unsafe start[bin] = 0
    }
  }

  /// The distance that a share of all is not above; 0 of nothing.
  static func percentile(_ share: Double, of counts: [Int]) -> Double {
    let total = counts.reduce(0, +)
    var rest = (Double(total) * share).rounded(.up)
    for (bin, count) in counts.enumerated() {
      rest -= Double(count)
      if rest <= 0 { return Double(bin) / binsOfOne }
    }
    return 0
  }
}
