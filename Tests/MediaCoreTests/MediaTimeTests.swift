// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import MediaCore

@Suite struct MediaTimeTests {
  @Test(
    arguments: [
      (1001, 30_000, 90_000, 3003), (1, 3, 1000, 333), (2, 3, 1000, 667), (1, 2, 1, 1),
      (-1, 2, 1, -1), (5, 600, 600, 5),
      (Int64.max, 1, 1000, 1 << 61), (Int64.min, 1, 600, -1 << 61),
    ] as [(Int64, Int32, Int32, Int64)])
  func convertsRoundingHalvesAwayFromZero(
    value: Int64, timescale: Int32, newTimescale: Int32, expected: Int64
  ) {
    let time = MediaTime(value: value, timescale: timescale)
    #expect(time.converted(to: newTimescale).value == expected)
  }

  /// Files can state any number. Times are clamped so that the sum of any three does not overflow,
  /// even if their timescales differ.
  @Test func timesFarAwayAreClamped() {
    let far = MediaTime(value: .max, timescale: .max)
    let farther = [far + far, MediaTime(value: .max, timescale: 1) + far, far.converted(to: 1000)]
    for time in farther { #expect(time.value <= MediaTime.mostTicks && time > .zero) }
    #expect((.zero - far).value == -MediaTime.mostTicks)
    #expect(far.value + far.value + far.value > 0)
  }

  @Test func comparesExactlyWhereDoublesCannot() {
    let a = MediaTime(value: 9_007_199_254_740_993, timescale: 1_000_000)
    let b = MediaTime(value: 9_007_199_254_740_992, timescale: 1_000_000)
    #expect(b < a)
    #expect(a.seconds == b.seconds)
    let halves = [MediaTime(value: 1, timescale: 2), MediaTime(value: 300, timescale: 600)]
    #expect(halves[0] == halves[1])
    #expect(Set(halves).count == 1)
    #expect(Set([.zero, MediaTime(value: 0, timescale: 600)]).count == 1)
    #expect(MediaTime(value: -1, timescale: 3) < MediaTime(value: -1, timescale: 4))
  }

  @Test func sumsOfUnlikeTimescalesAreExact() {
    let sum = MediaTime(value: 1, timescale: 600) + MediaTime(value: 1, timescale: 44_100)
    #expect(sum == MediaTime(value: 149, timescale: 88_200))
    let difference = MediaTime(value: 273, timescale: 600) - MediaTime(value: 220, timescale: 600)
    #expect(difference == MediaTime(value: 53, timescale: 600))
  }
}
