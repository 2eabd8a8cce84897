// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import TestSupport
import Testing

@testable import NALUnits

/// The peak that HDR10+ states, in messages written field by field (ST 2094-40, HEVC syntax).
@Suite struct HDR10PlusPeakTests {
  /// - Parameters:
  ///   - windows: `num_windows`.
  ///   - parts: rows and columns of the targeted display's actual peak; nil for none.
  private func message(_ maxSCL: [UInt64], windows: UInt64 = 1, parts: (Int, Int)? = nil)
    -> SEIMessage
  {
    var writer = BitWriter()
    // Country, provider and its code, application identifier and version.
    for (value, count) in [(0xB5, 8), (0x003C, 16), (1, 16), (4, 8), (1, 8), (windows, 2)] {
      writer.u(value, count)
    }
    for _ in 1..<max(windows, 1) {
      for count in [16, 16, 16, 16, 16, 16, 8, 16, 16, 16, 1] { writer.u(1, count) }
    }
    writer.u(400 * 10_000, 27)
    writer.flag(parts != nil)
    if let (rows, columns) = parts {
      writer.u(UInt64(rows), 5)
      writer.u(UInt64(columns), 5)
      for _ in 0..<rows * columns { writer.u(9, 4) }
    }
    for value in maxSCL { writer.u(value, 17) }
    writer.u(500, 17)
    return SEIMessage(registeredUserData: writer.bytes)
  }

  @Test func largestOfTheFirstWindow() {
    #expect(message([7000, 12_345, 300]).hdr10PlusPeak == 1234.5)
    #expect(message([40_000, 1, 1], windows: 3).hdr10PlusPeak == 4000)
    #expect(message([1, 1, 25_000], parts: (25, 25)).hdr10PlusPeak == 2500)
    #expect(message([1, 8000, 2], windows: 2, parts: (3, 2)).hdr10PlusPeak == 800)
  }

  /// More than PQ holds is what PQ holds.
  @Test func limits() {
    #expect(message([131_071, 0, 0]).hdr10PlusPeak == 10_000)
    #expect(message([0, 0, 0]).hdr10PlusPeak == nil)
    #expect(message([5, 5, 5], windows: 0).hdr10PlusPeak == nil)
  }

  /// Cut messages and others say nothing; the fixture's fields are 0.
  @Test func othersSayNothing() throws {
    let whole = message([7000, 12_345, 300], windows: 2, parts: (25, 25)).payload
    // Behind maxscl is the average, of 17 bits, and what fills the last byte.
    for count in 0..<whole.count - 3 {
      let cut = SEIMessage(registeredUserData: Array(whole.prefix(count)))
      #expect(cut.hdr10PlusPeak == nil, "\(count)")
    }
    for name in ["hevc-sei-hdr10plus", "hevc-sei-recovery"] {
      for message in Units.messages(try Units.unit(name), name) {
        #expect(message.hdr10PlusPeak == nil)
      }
    }
  }
}
