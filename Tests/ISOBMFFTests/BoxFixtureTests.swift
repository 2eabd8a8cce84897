// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

/// Boxes are read from byte tables that follow the standards and were not written by this program.
@Suite struct BoxFixtureTests {
  private static let boxes = [
    "colr-nclx", "colr-nclx-full", "colr-nclc", "colr-prof", "mdcv", "clli", "amve", "cclv", "pasp",
    "clap", "fiel", "gama", "vexu", "hfov", "dvvC-84", "dvcC-5", "dvcC-7", "elst", "elst-long",
    "mvhd", "mvhd-long", "tkhd", "tkhd-long", "mdhd", "mdhd-long", "hvcC", "hvcC-sei", "avcC",
    "avcC-high",
  ]

  @Test(arguments: boxes) func aBoxIsReadAndWritten(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let boxes = try Box.parse(bytes)
    #expect(boxes.map { "\($0.type)" } == [String(name.prefix { $0 != "-" })])
    #expect(boxes.first?.bytes == bytes)
  }

  private static func entry(_ names: String...) throws -> SampleEntry {
    SampleEntry(Box("hvc1", children: try names.flatMap { try Box.parse(Fixture.bytes($0)) }))
  }

  @Test(
    arguments: [
      ("colr-nclx", "9/18/9", false), ("colr-nclx-full", "1/1/1", true),
      ("colr-nclc", "12/1/1", nil), ("colr-prof", "2/2/2", nil),
    ] as [(String, String, Bool?)])
  func colors(name: String, triple: String, isFull: Bool?) throws {
    let entry = try Self.entry(name)
    #expect(entry.signal.color.triple == triple)
    #expect(entry.signal.videoFullRangeFlag == isFull)
    #expect(entry.profiles.map(\.count) == (name == "colr-prof" ? [312] : []))
    #expect(entry.colorInformation.map(\.payload) == [try Fixture.content(name)])
  }

  @Test func staticHDRMetadata() throws {
    let metadata = try Self.entry("cclv", "clli", "mdcv", "amve").staticHDRMetadata
    #expect(metadata.ambientViewingEnvironment?.illuminance == 314)
    #expect(metadata.masteringDisplay?.maximumLuminance == 1000)
    #expect(metadata.masteringDisplay?.minimumLuminance == 0.0001)
    #expect(metadata.masteringDisplay?.green == .init(x: 13250, y: 34500))
    #expect(metadata.contentLightLevel?.maxContentLightLevel == 940)
    #expect(metadata.contentLightLevel?.maxPicAverageLightLevel == 200)
    let volume = try #require(metadata[ContentColorVolume.self])
    #expect(volume.primaries?.red == .init(x: 32000, y: 16500))
    #expect(volume.maxLuminanceValue == 100_000 && volume.avgLuminanceValue == 20_000)
    #expect(metadata.values.flatMap(\.faults) == [])
    let written = metadata.values.map(\.boxed.bytes)
    #expect(written == (try ["amve", "mdcv", "clli", "cclv"].map(Fixture.bytes)))
  }

  /// Metadata that is cut off says nothing.
  @Test(arguments: ["mdcv", "clli", "amve", "cclv"]) func cutMetadata(name: String) throws {
    let content = try Fixture.content(name)
    for count in 0..<content.count {
      let metadata = StaticHDRMetadata { "\($0)" == name ? Array(content.prefix(count)) : nil }
      #expect(metadata.values.isEmpty, "\(count) bytes")
    }
  }

  @Test func shapesOfPictures() throws {
    let entry = try Self.entry("clap", "fiel", "gama")
    let aperture = try #require(entry.cleanAperture)
    #expect(abs(aperture.width.value - 702.915) < 0.001 && aperture.height.value == 576)
    #expect(aperture.horizontalOffset == .init(-1, 2))
    #expect(entry.fieldInformation?.isTopFirst == false)
    #expect(entry.gamma.map { abs($0 - 2.2) < 1e-5 } == true)
    #expect(SampleEntry.gammaBox(2.2).bytes == (try Fixture.bytes("gama")))
  }

  @Test func twoEyes() throws {
    let spatial = try #require(SpatialVideo(try Self.entry("vexu", "hfov", "hvcC")))
    #expect(spatial.boxes == ["vexu", "hfov"])
    #expect(spatial.hasBothEyes && !spatial.isPacked && !spatial.hasSecondLayer)
    #expect(spatial.horizontalFieldOfView == 63.4)
    #expect(SpatialVideo(try Self.entry("hvcC", "colr-nclx")) == nil)
  }

  @Test func editLists() throws {
    let short = try EditList(fields: Fixture.content("elst"))
    #expect(
      short.entries == [
        .init(segmentDuration: 64, mediaTime: -1), .init(segmentDuration: 64, mediaTime: 273),
      ])
    let long = try EditList(fields: Fixture.content("elst-long"))
    #expect(long.entries == [.init(segmentDuration: 1 << 33, mediaTime: 1 << 40)])
    #expect(short.box.bytes == (try Fixture.bytes("elst")))
    #expect(long.box.bytes == (try Fixture.bytes("elst-long")))
  }

  @Test(arguments: ["mvhd", "tkhd", "mdhd"], [false, true])
  func headers(type: String, isLong: Bool) throws {
    let box = try #require(try Box.parse(Fixture.bytes(type + (isLong ? "-long" : ""))).first)
    var header = try HeaderFields(box)
    #expect(header.duration == (isLong ? 1 << 33 : 1200))
    #expect((header.creationTime, header.modificationTime) == (3_000_000_000, 3_000_000_001))
    #expect(header.timescale == (type == "tkhd" ? nil : 600))
    #expect(header.trackID == (type == "tkhd" ? 1 : nil))
    #expect(header.box(box) == box)
    // A duration that fits into 32 bits gets the short form, and a longer one gets the long form.
    header.duration = isLong ? 1200 : 1 << 33
    let other = try Fixture.bytes(type + (isLong ? "" : "-long"))
    #expect(header.box(box).bytes == other)
    for count in 0..<12 {
      #expect(throws: ISOBMFFError.self) {
        try HeaderFields(Box(box.type, fields: Array(box.fields.prefix(count))))
      }
    }
  }
}
