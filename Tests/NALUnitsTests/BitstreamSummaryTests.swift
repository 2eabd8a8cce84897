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

  /// The facts of the phone's `hvcC`, read from its bytes.
  @Test(.needsSharedMedia) func phoneConfiguration() throws {
    let bytes = try Self.configuration("hdr/androidx__dolbyVision-hdr.MOV", "hvcC")
    let summary = try #require(BitstreamSummary(.hevc, configuration: bytes, firstSample: []))
    #expect((summary.profileName, summary.levelName) == ("Main 10", "3.1"))
    #expect((summary.parameterSet.width, summary.parameterSet.height) == (1280, 720))
    #expect(summary.parameterSet.bitDepthLuma == 10)
    #expect(
      summary.signal
        == SignalDescription(color: .hlg, videoFullRangeFlag: false, chromaLocation: nil))
    #expect(summary.configurationSEI.map(\.payloadType) == [148])
    let light = summary.configurationSEI.first?.value(of: AmbientViewingEnvironment.self)
    #expect(light?.illuminance == 314)
  }

  @Test(
    .needsSharedMedia,
    arguments: [
      ("sdr/androidx__bt601.mp4", "6/6/6"), ("sdr/torchcodec__bt709_full_range.mp4", "1/1/1"),
    ])
  func vuiOfH264(name: String, triple: String) throws {
    let bytes = try Self.configuration(name, "avcC")
    let summary = try #require(BitstreamSummary(.avc, configuration: bytes, firstSample: []))
    #expect(summary.signal.color.triple == triple)
  }

  @Test(.needsSharedMedia) func damagedConfigurationsAreNoneOrOthers() throws {
    var random = SeededGenerator(seed: 9)
    for (name, box, codec) in [
      ("hdr/androidx__dolbyVision-hdr.MOV", "hvcC", NALCodec.hevc),
      ("sdr/androidx__bt601.mp4", "avcC", .avc),
    ] {
      let bytes = try Self.configuration(name, box)
      for _ in 0..<3000 {
        var damaged = bytes
        for _ in 0..<4 {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= UInt8.random(
            in: 1...255, using: &random)
        }
        let summary = BitstreamSummary(codec, configuration: damaged, firstSample: damaged)
        _ = (summary?.profileName, summary?.levelName, summary?.signal)
      }
      for count in 0..<bytes.count {
        _ = BitstreamSummary(codec, configuration: Array(bytes.prefix(count)), firstSample: [])
      }
    }
  }
}
