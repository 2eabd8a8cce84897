// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import TestSupport
import Testing

@testable import NALUnits

/// HDR10+ in user data is read and written again. The tests write the user data field by field
/// (ST 2094-40, HEVC syntax).
@Suite struct HDR10PlusMetadataTests {
  /// - Parameters:
  ///   - windows: `num_windows`.
  ///   - parts: the number of rows and columns in which the actual peak of the targeted display is
  ///     stated; `nil` if it is not stated.
  private func payload(
    _ maxSCL: [UInt64], windows: UInt64 = 1, parts: (Int, Int)? = nil
  ) -> [UInt8] {
    var writer = BitWriter()
    // Country, provider and its code, application identifier and version.
    for (value, count) in [(0xB5, 8), (0x003C, 16), (1, 16), (4, 8), (1, 8), (windows, 2)] {
      writer.u(value, count)
    }
    for _ in 1..<max(windows, 1) {
      for count in [16, 16, 16, 16, 16, 16, 8, 16, 16, 16, 1] { writer.u(1, count) }
    }
    writer.u(400, 27)
    writer.flag(parts != nil)
    if let (rows, columns) = parts {
      writer.u(UInt64(rows), 5)
      writer.u(UInt64(columns), 5)
      for _ in 0..<rows * columns { writer.u(9, 4) }
    }
    for _ in 0..<windows {
      for value in maxSCL + [500] { writer.u(value, 17) }
      writer.u(2, 4)
      for (percentage, value) in [(50, 300), (99, 6000)] as [(UInt64, UInt64)] {
        writer.u(percentage, 7)
        writer.u(value, 17)
      }
      writer.u(12, 10)
    }
    writer.flag(false)
    for _ in 0..<windows {
      writer.flag(true)
      for (value, count) in [(1000, 12), (2000, 12), (2, 4), (300, 10), (700, 10)] {
        writer.u(UInt64(value), count)
      }
      writer.flag(true)
      writer.u(5, 6)
    }
    return writer.bytes
  }

  private func peak(_ payload: [UInt8]) throws -> Double? {
    try HDR10PlusMetadata(payload: payload)?.peakLuminance
  }

  @Test func fieldsAreRead() throws {
    let bytes = payload([7000, 12_345, 300], windows: 2, parts: (2, 3))
    let metadata = try #require(try HDR10PlusMetadata(payload: bytes))
    #expect(metadata.targetedSystemDisplayMaximumLuminance == 400)
    #expect(metadata.targetedPeaks?.peaks == [9, 9, 9, 9, 9, 9])
    #expect(metadata.masteringPeaks == nil)
    #expect(metadata.windows.map { $0.shape != nil } == [false, true])
    let window = metadata.windows[0]
    #expect(window.maxSCL == [7000, 12_345, 300] && window.averageMaxRGB == 500)
    #expect(window.distribution == [.init(50, 300), .init(99, 6000)])
    #expect(window.fractionBrightPixels == 12)
    #expect(window.toneCurve == .init(kneeX: 1000, kneeY: 2000, anchors: [300, 700]))
    #expect(window.colorSaturationWeight == 5)
  }

  @Test(arguments: [(1, nil), (3, (25, 25)), (2, (3, 2))] as [(UInt64, (Int, Int)?)])
  func whatIsReadIsWrittenAgain(windows: UInt64, parts: (Int, Int)?) throws {
    let bytes = payload([1, 2, 3], windows: windows, parts: parts)
    #expect(try HDR10PlusMetadata(payload: bytes)?.payload == bytes)
  }

  @Test func largestOfTheFirstWindow() throws {
    #expect(try peak(payload([7000, 12_345, 300])) == 1234.5)
    #expect(try peak(payload([40_000, 1, 1], windows: 3)) == 4000)
    #expect(try peak(payload([1, 1, 25_000], parts: (25, 25))) == 2500)
    // 131 071 is more than PQ can represent.
    #expect(try peak(payload([131_071, 0, 0])) == 10_000)
    #expect(try peak(payload([0, 0, 0])) == nil)
    #expect(try peak(payload([5, 5, 5], windows: 0)) == nil)
  }

  @Test func cutMessagesAndOthersAreRefused() throws {
    let whole = payload([7000, 12_345, 300], windows: 2, parts: (25, 25))
    for count in 6..<whole.count {
      #expect(throws: BitstreamError.self, "\(count)") {
        try HDR10PlusMetadata(payload: Array(whole.prefix(count)))
      }
    }
    for message in Units.messages(try Units.unit("hevc-sei-recovery"), "hevc-sei-recovery") {
      #expect(try HDR10PlusMetadata(payload: message.payload) == nil)
    }
  }
}
