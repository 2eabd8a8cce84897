// SPDX-License-Identifier: GPL-2.0-or-later
import MediaCore
@testable import Reading
import Testing

/// The bounds of ranges, as they are written on the command line.
@Suite struct TimeRangeTests {
  private static func milliseconds(_ value: Int64) -> TimeRange.Bound {
    .time(MediaTime(value: value, timescale: 1000))
  }

  @Test(arguments: [
    ("12", milliseconds(12_000)), ("12.5", milliseconds(12_500)), (".25", milliseconds(250)),
    ("0", milliseconds(0)), ("75", milliseconds(75_000)), ("1:02", milliseconds(62_000)),
    ("01:02:03.250", milliseconds(3_723_250)), ("90:00", milliseconds(5_400_000)),
    ("0.001", milliseconds(1)), ("@7500", .ticks(7500)), ("0f", .frame(0)), ("375f", .frame(375)),
  ])
  func spellings(text: String, bound: TimeRange.Bound) {
    #expect(TimeRange.Bound(spelling: text) == bound)
  }

  @Test(arguments: [
    "", ".", "f", "@", "-1", "-1f", "@-1", "+2", "1.", "1:60", "1:2:3:4:5", "1:", ":1", "1:61:00",
    "1e3", "12s", "1.5f", "@1.5", "1,5", "99999999999999999999", "nan", "٣", "1 2",
  ])
  func noSpellings(text: String) { #expect(TimeRange.Bound(spelling: text) == nil) }
}
