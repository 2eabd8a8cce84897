// SPDX-License-Identifier: GPL-2.0-or-later
import MediaCore
import Testing

@testable import LibAV

/// Each number that libavformat returns has bounds, and is believed within them but not beyond.
@Suite struct StreamNumbersTests {
  @Test func everyNumberOfATrackIsBounded() throws {
    for row in StreamNumbers.table {
      let bounds = row.number.bounds
      for value in [bounds.lowerBound, bounds.upperBound] {
        var numbers = StreamNumbers()
        numbers[keyPath: row.path] = value
        try numbers.check(track: 1)
      }
      for value in [bounds.lowerBound - 1, bounds.upperBound + 1, .min, .max] {
        var numbers = StreamNumbers()
        numbers[keyPath: row.path] = value
        let error = #expect(throws: LibAVError.self) { try numbers.check(track: 2) }
        #expect(error?.kind == .invalidData)
        #expect(error?.context?.hasPrefix("track 2: \(row.number.field) is \(value), not ") == true)
      }
    }
  }

  /// A time beyond its bounds counts as missing. The sum of three others does not overflow.
  @Test func everyTimeIsBounded() throws {
    let (ticks, seconds) = (StreamNumbers.ticks.bounds, StreamNumbers.seconds.bounds)
    for (bounds, timescale) in [(ticks, Int32.max), (seconds, 1)] {
      for end in [bounds.lowerBound, bounds.upperBound] {
        let time = MediaTime(value: end, timescale: timescale)
        #expect(try times(end, timescale).allSatisfy { $0 == time })
        #expect(!end.multipliedReportingOverflow(by: 3).overflow)
        let beyond = end + end.signum()
        #expect(try times(beyond, timescale).allSatisfy { $0 == nil })
        #expect(try times(end.signum() < 0 ? .min + 1 : .max, timescale).allSatisfy { $0 == nil })
      }
    }
    #expect(try Self.packet(ticks.upperBound + 1, .max).duration == .zero)
    let count = StreamNumbers.sampleCount
    #expect(count.believed(count.bounds.upperBound) == count.bounds.upperBound)
    #expect(count.believed(count.bounds.upperBound + 1) == nil && count.believed(-1) == nil)
  }

  private static func packet(_ ticks: Int64, _ timescale: Int32) throws -> Packet {
    try Packet(bytes: [1], trackIndex: 0, timescale: timescale, ticks: (ticks, ticks, ticks))
  }

  private func times(_ ticks: Int64, _ timescale: Int32) throws -> [MediaTime?] {
    let packet = try Self.packet(ticks, timescale)
    return [packet.presentationTimeStamp, packet.decodeTimeStamp]
  }
}
