// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import MediaCore
@testable import Reading
import Testing

/// The number of a frame and its time code label always match (SMPTE ST 12-1).
@Suite struct TimeCodeTests {
  private static func counting(
    _ numerator: Int, _ denominator: Int, drop: Bool = false
  ) throws -> TimeCode.Counting {
    let rate = try #require(FrameRate(numerator, per: denominator))
    return try #require(TimeCode.Counting(rate, isDropFrame: drop))
  }

  /// Known frames have the right labels. At 29.97 frames per second, two numbers are dropped every
  /// minute, except every tenth minute.
  @Test(
    arguments: [
      ("00:00:59;29", 1799), ("00:01:00;02", 1800), ("00:09:59;29", 17981),
      ("00:10:00;00", 17982), ("01:00:00;00", 107_892), ("10:00:00;00", 1_078_920),
      ("23:59:59;29", 2_589_407),
    ] as [(String, Int64)])
  func dropFrame(text: String, number: Int64) throws {
    let counting = try Self.counting(30000, 1001, drop: true)
    let label = try #require(TimeCodeLabel(text))
    let code = try #require(TimeCode(label, counting))
    #expect(code.number == number)
    #expect("\(TimeCode(number: number, counting))" == text)
  }

  @Test func everyRateRoundTrips() throws {
    for (rate, drop) in [
      ((24000, 1001), false), ((25, 1), false), ((30000, 1001), false), ((30000, 1001), true),
      ((60000, 1001), true), ((50, 1), false), ((120_000, 1001), true), ((2997, 100), true),
    ] {
      let counting = try Self.counting(rate.0, rate.1, drop: drop)
      for number in stride(from: 0, to: counting.framesInDay, by: 997) {
        let code = TimeCode(number: number, counting)
        #expect(TimeCode(code.label, counting) == code)
        #expect(TimeCodeLabel("\(code)") == code.label)
      }
    }
  }

  /// Labels that do not exist are refused: dropped numbers, and numbers that are too high.
  @Test func impossibleLabels() throws {
    let (drop, plain) = (try Self.counting(30000, 1001, drop: true), try Self.counting(25, 1))
    for text in ["00:01:00;00", "00:01:00;01", "00:00:00;30", "24:00:00;00"] {
      #expect(TimeCode(try #require(TimeCodeLabel(text)), drop) == nil, "\(text)")
    }
    for text in ["00:00:00:25", "00:00:00;10"] {
      #expect(TimeCode(try #require(TimeCodeLabel(text)), plain) == nil, "\(text)")
    }
    for text in ["10:00:01", "1:02.25", "10:60:00:00", "10:00:60:00", "a:b:c:d", "1:2:3:-4", ""] {
      #expect(TimeCodeLabel(text) == nil, "\(text)")
    }
    #expect(try TimeCode.Counting(#require(FrameRate(2933, per: 100)), isDropFrame: false) == nil)
    #expect(try TimeCode.Counting(#require(FrameRate(25)), isDropFrame: true) == nil)
  }

  @Test func timesThatContainersRound() throws {
    let counting = try Self.counting(30000, 1001)
    let start = TimeCode(number: 100, counting)
    // Frame 44 begins at 1.468133 s.
    #expect(start.advanced(by: MediaTime(value: 1468, timescale: 1000)).number == 144)
    #expect(start.advanced(by: MediaTime(value: 1460, timescale: 1000)).number == 143)
    let last = TimeCode(number: counting.framesInDay - 1, counting)
    #expect("\(last.advanced(by: 1 as Int64))" == "00:00:00:00")
    #expect(last.frames(until: start) == 101)
    #expect(counting.duration(of: .max).isValid && counting.frames(in: .invalid) == 0)
  }

  /// If the bound of a range has four parts, it is a time code. All other forms keep their meaning.
  @Test func spellings() {
    for text in ["10:00:01:12", "10:00:01;12"] {
      let bound = TimeRange.Bound(spelling: text)
      #expect(bound?.spelling == text)
      #expect(bound == TimeCodeLabel(text).map { .timeCode($0) })
    }
    #expect(
      TimeRange.Bound(spelling: "1:02.25") == .time(MediaTime(value: 6225, timescale: 100)))
  }
}
