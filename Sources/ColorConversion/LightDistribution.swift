// SPDX-License-Identifier: GPL-2.0-or-later
/// How the light of a frame is distributed, in units of 0.1 cd/m². A pixel's light is that of its
/// largest component.
package struct LightDistribution: Sendable {
  /// The largest R, G and B.
  package private(set) var maximum: [UInt32] = [0, 0, 0]
  /// How many pixels have each light.
  private var counts = [UInt32](repeating: 0, count: Self.brightest + 1)
  private var total = 0
  private var sum = 0.0

  /// 10 000 cd/m², where PQ ends.
  private static let brightest = 100_000

  /// Counts pixels.
  ///
  /// - Parameters:
  ///   - components: rows of linear R, G and B of the same length, with 1 for 10 000 cd/m².
  mutating func add(_ components: [UnsafeBufferPointer<Float>]) {
    let (red, green, blue) = unsafe (components[0], components[1], components[2])
    var (reds, greens, blues): (Float, Float, Float) = (0, 0, 0)
    for index in red.indices {
      let (r, g, b) = unsafe (red[index], green[index], blue[index])
      (reds, greens, blues) = (max(reds, r), max(greens, g), max(blues, b))
      let light = min(max(r, g, b, 0), 1)
      sum += Double(light)
      counts[Self.unit(light)] += 1
    }
    total += red.count
    maximum = zip(maximum, [reds, greens, blues]).map { max($0, UInt32(Self.unit(min($1, 1)))) }
  }

  private static func unit(_ light: Float) -> Int { Int((light * Float(brightest)).rounded()) }

  /// The largest component of the brightest pixel.
  package var brightest: UInt32 { maximum.max() ?? 0 }

  /// The average of all pixels.
  package var average: UInt32 {
    UInt32((sum / Double(max(total, 1)) * Double(Self.brightest)).rounded())
  }

  /// Returns the smallest light that a percentage of pixels does not exceed.
  package func percentile(_ percentage: Double) -> UInt32 {
    let least = percentage / 100 * Double(total)
    var below = 0
    for (light, count) in counts.enumerated() {
      below += Int(count)
      if Double(below) >= least { return UInt32(light) }
    }
    return UInt32(Self.brightest)
  }

  /// Returns how many per cent of the pixels are darker than a light.
  package func percentage(below light: UInt32) -> Double { percentage(of: counts[..<Int(light)]) }

  /// Returns how many per cent of the pixels are at least as bright as a light.
  package func percentage(from light: UInt32) -> Double { percentage(of: counts[Int(light)...]) }

  private func percentage(of counts: ArraySlice<UInt32>) -> Double {
    100 * Double(counts.reduce(0) { $0 + Int($1) }) / Double(max(total, 1))
  }
}
