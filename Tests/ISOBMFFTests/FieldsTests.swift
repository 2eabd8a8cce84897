// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

@Suite struct FieldsTests {
  /// `colr` payloads, as they appear in files, are read correctly and written back unchanged.
  @Test(
    arguments: [
      (Array("nclx".utf8) + [0, 9, 0, 18, 0, 9, 0x80], "9/18/9", true),
      (Array("nclx".utf8) + [0, 1, 0, 1, 0, 1, 0], "1/1/1", false),
      (Array("nclc".utf8) + [0, 12, 0, 1, 0, 1], "12/1/1", nil),
      (Array("nclx".utf8) + [1, 0, 1, 1, 0xFF, 0xFF, 0], "256/257/65535", false),
    ] as [([UInt8], String, Bool?)])
  func colorInformation(payload: [UInt8], triple: String, full: Bool?) throws {
    let information = try ColorInformation(payload)
    let entry = SampleEntry(Box("hvc1", children: [Box("colr", fields: payload)]))
    #expect(entry.signal.color.triple == triple)
    #expect(entry.signal.videoFullRangeFlag == full)
    #expect(information.payload == payload)
    let cut = try? ColorInformation(Array(payload.dropLast()))
    // `nclx` without its last byte says everything but the range, and is written back unchanged.
    #expect(cut.map { $0.payload } == (full == nil ? nil : Array(payload.dropLast())))
    #expect(throws: ISOBMFFError.self) { try ColorInformation(Array(payload.dropLast(2))) }
  }

  @Test func anICCProfileStatesNoCodePoints() {
    let profile = Box("colr", fields: Array("prof".utf8) + [1, 2, 3])
    let nclx = Box("colr", fields: Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0])
    #expect(SampleEntry(Box("avc1", children: [profile])).signal.color.isUnspecified)
    #expect(SampleEntry(Box("avc1", children: [profile, nclx])).signal.color == .pq)
  }

  @Test func editListsOfBothVersionsComeBack() throws {
    let short = EditList(entries: [
      .init(segmentDuration: 64, mediaTime: -1), .init(segmentDuration: 1529, mediaTime: 273),
    ])
    let long = EditList(entries: [.init(segmentDuration: 1 << 33, mediaTime: 1 << 40)])
    #expect(short.box.fields.count == 8 + 2 * 12)
    #expect(long.box.fields.count == 8 + 20)
    for list in [short, long] { #expect(try EditList(fields: list.box.fields) == list) }
  }

  @Test func aListThatClaimsMoreEntriesThanItHasIsAnError() {
    #expect(throws: ISOBMFFError.self) { try EditList(fields: [0, 0, 0, 0, 255, 255, 255, 255]) }
  }

  @Test(.needsSharedMedia) func headersOfAPhoneClip() throws {
    let movie = try Movie(
      MemoryByteSource(try SharedMedia.bytes("hdr/androidx__dolbyVision-hdr.MOV")))
    #expect(movie.header.timescale == 600)
    #expect(movie.tracks.map(\.handler) == ["vide", "soun", "meta", "meta", "meta"])
    let video = try #require(movie.tracks.first)
    #expect(video.editList?.entries == [.init(segmentDuration: 64, mediaTime: 0)])
    // The matrix makes a quarter turn and a shift by 720 samples, so that the frame stays in view.
    #expect(video.header.matrix == [0, 65536, 0, -65536, 0, 0, 720 << 16, 0, 1 << 30])
    let entry = try #require(video.sampleEntries.first)
    #expect(entry.format == "hvc1")
    #expect(entry.signal.color == .hlg)
    #expect(entry.staticHDRMetadata.ambientViewingEnvironment?.illuminance == 314)
    #expect(movie.missingData == nil)
    #expect(SampleTimes(video)?.compositionTimes == [0, 20, 40, 60, 80])
  }
}
