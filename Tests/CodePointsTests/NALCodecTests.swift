// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import Testing

@testable import CodePoints

@Suite struct NALCodecTests {
  @Test func namesAndBoxes() {
    #expect(NALCodec.allCases.map(\.rawValue) == ["hevc", "h264"])
    #expect(NALCodec.allCases.map(\.name) == ["HEVC", "H.264"])
    #expect(NALCodec.allCases.map(\.configurationBox) == ["hvcC", "avcC"])
  }

  /// The types are from ISO/IEC 14496-15, 5.4.2 and 8.4.1, and from Dolby's "Dolby Vision Streams
  /// Within the ISO Base Media File Format".
  @Test(
    arguments: [
      ("hvc1", .hevc, true, false), ("hev1", .hevc, false, false), ("dvh1", .hevc, true, true),
      ("dvhe", .hevc, false, true), ("avc1", .h264, true, false), ("avc3", .h264, false, false),
      ("dva1", .h264, true, true), ("dvav", .h264, false, true),
    ] as [(FourCC, NALCodec, Bool, Bool)])
  func sampleEntries(type: FourCC, codec: NALCodec, holdsAll: Bool, isDolbyVision: Bool) throws {
    let entry = try #require(VideoSampleEntry(type))
    #expect(entry.type == type)
    #expect(
      (entry.codec, entry.holdsAllParameterSets, entry.isDolbyVision)
        == (codec, holdsAll, isDolbyVision))
    #expect(
      VideoSampleEntry(codec, holdsAllParameterSets: holdsAll, isDolbyVision: isDolbyVision)
        == entry)
  }

  @Test func otherSampleEntriesAreNone() {
    #expect(VideoSampleEntry("encv") == nil)
    #expect(VideoSampleEntry("av01") == nil)
  }
}
