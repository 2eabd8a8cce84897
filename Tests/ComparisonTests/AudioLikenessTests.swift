// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

@testable import Comparison

/// The comparison finds how much later and louder a signal is, and how much noise was added to it.
@Suite struct AudioLikenessTests {
  private static func noise(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  @Test(arguments: [-100, -1, 0, 1, 37, 100]) func delaysAreFound(delay: Int) {
    let signal = Self.noise(1200, seed: 1)
    let (first, second) = (Array(signal[100..<1100]), Array(signal[100 - delay..<1100 - delay]))
    #expect(second.delay(behind: first, limit: 100) == delay)
  }

  /// Channels that cancel each other have a delay, too.
  @Test func channelsInAntiphaseHaveADelay() {
    func channels(_ late: Int) -> [[Float]] {
      let signal = [Float](repeating: 0, count: late) + Self.noise(1000, seed: 7)
      return [signal, signal.map { -$0 }]
    }
    #expect(AudioComparison.delay(channels(30), behind: channels(0)) == 30)
  }

  /// A tone's correlation has a peak in every period. The peak nearest to 0 is taken as the delay.
  @Test(arguments: [-12, 5, 20]) func aToneIsLateByLessThanItsPeriod(delay: Int) {
    func tone(_ shift: Int) -> [Float] {
      (0..<2000).map { Float(sin(2 * .pi * Double($0 - shift) / 48)) }
    }
    #expect(tone(delay).delay(behind: tone(0), limit: 200) == delay)
  }

  @Test func silenceHasNoDelay() {
    let silence = [Float](repeating: 0, count: 500)
    let noise = Self.noise(500, seed: 2)
    #expect(noise.delay(behind: silence, limit: 9) == nil)
    #expect(silence.delay(behind: noise, limit: 9) == nil)
  }

  /// The second signal is half as loud as the first, with noise 40 dB below it. The comparison
  /// finds both the gain and the noise.
  @Test func gainAndNoiseAreTold() throws {
    var likeness = Likeness()
    let (signal, noise) = (Self.noise(100_000, seed: 3), Self.noise(100_000, seed: 4))
    for (sample, other) in zip(signal, noise) {
      likeness.add(SIMD2(Double(sample), 0.5 * Double(sample) + 0.005 * Double(other)))
    }
    #expect(abs(try #require(likeness.factor) - 0.5) < 1e-3)
    #expect(abs(try #require(likeness.signalToNoise) - 40) < 0.1)
  }

  @Test func whatIsTheSameHasNoNoise() {
    var likeness = Likeness()
    for sample in Self.noise(1000, seed: 5) { likeness.add(SIMD2(repeating: Double(sample))) }
    #expect(likeness.factor == 1 && likeness.signalToNoise == nil)
  }
}
