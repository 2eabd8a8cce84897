// SPDX-License-Identifier: GPL-2.0-or-later
import ISOBMFF
import MediaCore
@testable import Reading
import Testing

/// Fragments that state a wrong beginning are found and corrected. In these tests, each fragment
/// lasts one second, which is 1000 ticks.
@Suite struct FragmentClockTests {
  private func corrections(_ times: [Int64]) -> [Int: Int64] {
    let fragments = times.enumerated().map {
      TrackFragment(offset: UInt64($0 * 100), decodeTimeStamp: $1, duration: 1000)
    }
    return FragmentClock(fragments, timescale: 1000)?.corrections ?? [:]
  }

  @Test(arguments: [-1000, -200, 1000, 90_000] as [Int64])
  func oneWrongFragment(by error: Int64) {
    for index in 1..<5 {
      var times: [Int64] = [0, 1000, 2000, 3000, 4000, 5000]
      times[index] += error
      #expect(corrections(times) == [index: -error], "\(index)")
    }
  }

  /// A file that cannot be read is not taken for one whose clocks are right.
  @Test func filesThatCannotBeRead() {
    #expect(throws: ISOBMFFError.self) { try FragmentClock.clocks(path: "/nowhere/a.mp4") }
  }

  @Test func theEnds() {
    #expect(corrections([500, 1000, 2000, 3000]) == [0: -500])
    #expect(corrections([0, 1000, 2000, 2500]) == [3: 500])
    #expect(corrections([0, 0]) == [1: 1000])
    #expect(corrections([0, 1000, 7000, 9000, 4000, 5000]) == [2: -5000, 3: -6000])
  }

  /// If the last fragment begins late, another track shows whether the jump is a gap, which that
  /// track also has, or a mistake.
  @Test func theLastBesideAnotherTrack() {
    let fragments = [0, 1000, 2000, 4000].enumerated().map {
      TrackFragment(offset: UInt64($0 * 100), decodeTimeStamp: $1, duration: 1000)
    }
    func corrections(_ end: Int64) -> [Int: Int64]? {
      FragmentClock(
        fragments, timescale: 1000, otherEnd: MediaTime(value: end, timescale: 1000))?.corrections
    }
    #expect(corrections(5000) == nil)
    #expect(corrections(4100) == [3: -1000])
  }

  /// These are not corrected: gaps in which nothing was recorded, clocks that were set back for
  /// good, fragments whose last duration was guessed, and times that say nothing.
  @Test func othersStay() {
    #expect(corrections([0, 1000, 2000, 9000, 10_000]) == [:])
    #expect(corrections([0, 5000, 10_000, 15_000]) == [:])
    #expect(corrections([0, 1000, 2000, 3000, 0, 1000, 2000]) == [:])
    #expect(corrections([0, 970, 2000, 2980, 4000]) == [:])
    #expect(corrections([0, 0, 0, 0]) == [:])
    #expect(corrections([4000]) == [:])
    #expect(corrections([]) == [:])
  }
}
