// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import CodePoints
import ISOBMFF
import TestSupport
import Testing

@testable import NALUnits

@Suite struct BitstreamSummaryTests {
  private static func configuration(_ name: String, _ box: String) throws -> [UInt8] {
    let movie = try Movie(MemoryByteSource(try SharedMedia.bytes(name)))
    let entry = try #require(movie.tracks.first { $0.handler == "vide" }?.sampleEntries.first)
    return try #require(entry.boxes.first { "\($0.type)" == box }?.fields)
  }

  /// The summary of a phone's `hvcC` has the facts that its bytes state.
  @Test(.needsSharedMedia) func phoneConfiguration() throws {
    let bytes = try Self.configuration("hdr/androidx__dolbyVision-hdr.MOV", "hvcC")
    let summary = try #require(BitstreamSummary(.hevc, configuration: bytes, firstSample: []))
    #expect((summary.profileName, summary.levelName) == ("Main 10", "3.1"))
    #expect((summary.parameterSet?.width, summary.parameterSet?.height) == (1280, 720))
    #expect(summary.parameterSet?.bitDepthLuma == 10)
    #expect(
      summary.signal
        == SignalDescription(color: .hlg, videoFullRangeFlag: false, chromaLocation: nil))
    #expect(summary.configurationSEI.map(\.payloadType) == [148])
    let light = try summary.configurationSEI.first?.value(of: AmbientViewingEnvironment.self)
    #expect(light?.illuminance == 314)
  }

  @Test(
    .needsSharedMedia,
    arguments: [
      ("sdr/androidx__bt601.mp4", "6/6/6"), ("sdr/torchcodec__bt709_full_range.mp4", "1/1/1"),
    ])
  func vuiOfH264(name: String, triple: String) throws {
    let bytes = try Self.configuration(name, "avcC")
    let summary = try #require(BitstreamSummary(.h264, configuration: bytes, firstSample: []))
    #expect(summary.signal.color.triple == triple)
  }

  /// The summary of a record has the facts that the parameter sets in it state.
  @Test(
    arguments: [
      (.hevc, "hvcC", "Main 10", "1.0", [10, 64, 64], "9/18/9"),
      (.hevc, "hvcC-sei", "Main 10", "1.0", [10, 64, 64], "9/18/9"),
      (.h264, "avcC", "Constrained Baseline", "1.0", [8, 64, 64], "1/1/1"),
      (.h264, "avcC-high", "High", "4.0", [8, 1920, 1080], "6/6/6"),
    ] as [(NALCodec, String, String, String, [Int], String)])
  func records(
    codec: NALCodec, name: String, profile: String, level: String, numbers: [Int], triple: String
  ) throws {
    let content = try Fixture.content(name)
    let summary = try #require(BitstreamSummary(codec, configuration: content, firstSample: []))
    #expect((summary.profileName, summary.levelName) == (profile, level))
    let set = try #require(summary.parameterSet)
    #expect([set.bitDepthLuma, set.width, set.height] == numbers)
    #expect(summary.signal.color.triple == triple)
    #expect(summary.configurationSEI.map(\.payloadType) == (name == "hvcC-sei" ? [148] : []))
    // A record that is cut off gives no summary. The last four bytes of an `avcC` of a high profile
    // are an extension, which older writers leave out.
    for count in content.indices where name != "avcC-high" || count < content.count - 4 {
      let cut = Array(content.prefix(count))
      #expect(BitstreamSummary(codec, configuration: cut, firstSample: []) == nil, "\(count)")
    }
  }

  /// If four bytes are changed, there is either no summary, or one whose numbers the standards
  /// allow.
  @Test(
    arguments: [(.hevc, "hvcC"), (.h264, "avcC"), (.h264, "avcC-high")] as [(NALCodec, String)])
  func damagedRecordsAreNoneOrOthers(codec: NALCodec, name: String) throws {
    var random = SeededGenerator(seed: 9)
    let content = try Fixture.content(name)
    let whole = try #require(BitstreamSummary(codec, configuration: content, firstSample: []))
    var (none, same, others) = (0, 0, 0)
    for _ in 0..<3000 {
      var damaged = content
      for _ in 0..<4 {
        damaged[Int.random(in: damaged.indices, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
      }
      guard let summary = BitstreamSummary(codec, configuration: damaged, firstSample: damaged)
      else {
        none += 1
        continue
      }
      let set = try #require(summary.parameterSet)
      #expect((0...1 << 18).contains(set.width) && (0...1 << 18).contains(set.height))
      #expect((8...16).contains(set.bitDepthLuma) && (8...16).contains(set.bitDepthChroma))
      #expect((0...3).contains(set.chromaFormatIdc))
      #expect(!summary.profileName.isEmpty && summary.levelName?.contains(".") == true)
      if set == whole.parameterSet { same += 1 } else { others += 1 }
    }
    #expect(none > 0 && same > 0 && others > 0, "\(none), \(same), \(others)")
  }
}
