// SPDX-License-Identifier: GPL-2.0-or-later
/// How the light of a frame is distributed, in units of 0.1 cd/m². A pixel's light is that of its
/// largest component.
package struct LightDistribution: Sendable {
  /// The largest R, G and B.
  package private(set) var maximum: [UInt32] = [0, 0, 0]
  /// How many pixels have each light.
  private var counts = [UInt32](repeating: 0, count: Self.brightest + 1)
  private var total = 0
  /// The levels in cd/m².
  package private(set) var luminance: LightLevels = (0, 0, 0)
  /// The levels as PQ's signal, 0…1; `nil` for other signals.
  package private(set) var signal: LightLevels?

  /// 10 000 cd/m², where PQ ends.
  private static let brightest = 100_000
  private static let unitsPerLuminance = 10.0

  /// Counts pixels.
  ///
  /// - Parameter light: the light of each pixel's largest component, with 1 for 10 000 cd/m².
  mutating func count(_ light: UnsafeBufferPointer<Float>) {
    let (scale, last) = (Float(Self.brightest), UInt32(Self.brightest))
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      for index in light.indices {
        // At 2^23, the last bits of a number count units, so the sum rounds. A conversion would
        // also check each number.
        let number = unsafe (max(light[index], 0) * scale + 0x1p23).bitPattern & 0x7F_FFFF
        unsafe counts[Int(min(number, last))] &+= 1
      }
    }
    total += light.count
  }

  /// States what is known about all pixels.
  ///
  /// - Parameter maximum: the largest R, G and B, with 1 for 10 000 cd/m².
  mutating func state(maximum: [Double], signal: LightLevels?, luminance: LightLevels) {
    self.maximum = maximum.map {
      UInt32((min(max($0, 0), 1) * Double(Self.brightest)).rounded())
    }
    (self.signal, self.luminance) = (signal, luminance)
  }

  /// The largest component of the brightest pixel.
  package var brightest: UInt32 { maximum.max() ?? 0 }

  /// The average of all pixels.
  package var average: UInt32 { UInt32((luminance.mean * Self.unitsPerLuminance).rounded()) }

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
