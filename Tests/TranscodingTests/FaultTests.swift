// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import Bitstreams
import CodePoints
import DolbyVision
@testable import Editing
@testable import Host
@testable import Planning
import TestSupport
import Testing

/// The wording of each fault of an output, and the code that programs decide by.
@Suite struct FaultTests {
  private static let record = ConfigurationRecord(
    profile: 8, baseLayerSignalCompatibilityID: 4, width: 1920, height: 1080, frameRate: 30)

  static let transcoding: [(Notice, Notice.Code, String)] = [
    (
      .outputUnreadable(TranscodingError(.unusableInput, "a")), "outputUnreadable",
      "it cannot be opened (a)"
    ),
    (.otherTrackCount(1, promised: 2), "otherTrackCount", "it has 1 track in place of 2"),
    (
      .firstFrameUndecodable, "firstFrameUndecodable", "its first frame cannot be decoded"
    ),
    (
      .audioUndecodable(2), "audioUndecodable",
      "the audio of track 2 cannot be decoded as that of the source"
    ),
    (.otherTrackLength(1), "otherTrackLength", "track 1 has another length than was written"),
    (
      .otherSampleCount(1, 2, promised: 3), "otherSampleCount",
      "track 1 has 2 samples in place of 3"
    ),
    (
      .otherCarriedSamples(3, kind: "mebx"), "otherCarriedSamples",
      "the samples of track 3 (mebx) are not those of the source"
    ),
    (.otherSampleTimes(1), "otherSampleTimes", "track 1 has other times than were written"),
    (.framesUndecodable(1, of: 2), "framesUndecodable", "1 of 2 frames can be decoded"),
    (.framesDamaged(1), "framesDamaged", "it has 1 damaged frame"),
    (
      .otherStatement("the size", "1×1", promised: "2×2"), "otherStatement",
      "the size is 1×1 in place of 2×2"
    ),
    (.otherCleanAperture, "otherCleanAperture", "the clean aperture is not as promised"),
    (.otherFieldOrder, "otherFieldOrder", "the field order is not as promised"),
    (
      .metadataMissing(.staticMetadata(box: "mdcv"), in: MasteringDisplayColorVolume.places),
      "metadataMissing", "the mastering display is not in mdcv box and SEI 137 as promised"
    ),
    (
      .metadataNotPromised(.init(DolbyVisionRPU.self)), "metadataNotPromised",
      "it states Dolby Vision, which is not of its frames"
    ),
    (HDR10Plus.faults.missing, "hdr10PlusMissing", "HDR10+ is missing"),
    (
      HDR10Plus.faults.notPromised, "hdr10PlusNotPromised",
      "HDR10+ is there, which is not of its frames"
    ),
    (
      .rpuNotPromised, "rpuNotPromised",
      "a sample has a Dolby Vision RPU, which is not of its frame"
    ),
    (
      .otherSampleRPUCount(2), "otherSampleRPUCount",
      "a sample has 2 Dolby Vision RPUs in place of 1"
    ),
    (
      .otherSampleRPUProfile(nil), "otherSampleRPUProfile",
      "a sample has a Dolby Vision RPU of profile unknown"
    ),
    (
      .sampleRPUDamaged(.tooShort(expected: 2, observed: 1)), "sampleRPUDamaged",
      "a sample has a damaged Dolby Vision RPU: the RPU has 1 bytes, and at least 2 are needed"
    ),
  ]

  static let editing: [(Notice, Notice.Code, String)] = [
    (.trackMissing, "trackMissing", "a track is missing"),
    (
      .otherSamples(track: 2), "otherSamples",
      "the samples of track 2 are not those of the source"
    ),
    (
      .otherTags(.hlg), "otherTags", "its tags are BT.2020 (9) / HLG (18) / BT.2020 (9)"
    ),
    (.otherMetadata(in: .box("mdcv")), "otherMetadata", "its box 'mdcv' is another"),
    (.otherMetadata(in: .message(137)), "otherMetadata", "its SEI 137 is another"),
    (.otherRPUs, "otherRPUs", "its frames have other RPUs"),
    (.otherRecord, "otherRecord", "its Dolby Vision configuration is another"),
  ]

  @Test func theArticleHasThem() throws {
    let record = try #require(Self.record)
    let all = (Self.transcoding + Self.editing).map(\.0) + [.recordNotStated(record)]
    #expect(try NoticeTable().disagreements(on: all) == [])
  }

  @Test(arguments: transcoding + editing)
  func ofOutputs(notice: Notice, code: Notice.Code, text: String) {
    #expect(notice.code == code && notice.text == text && notice.severity == .error)
  }

  @Test func ofCopiedRecords() throws {
    let record = try #require(Self.record)
    let notice = Notice.recordNotStated(record)
    #expect(notice.code == "recordNotStated" && notice.severity == .error)
    #expect(notice.text == "it does not state Dolby Vision \(record)")
  }

  /// The error of an output has its faults as values, and in its message.
  @Test func anErrorHasThem() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.mov")
    let file = try UnfinishedFile(destination: path, overwrite: false, in: .withoutInput())
    defer { file.discard() }
    let error = try file.keptError([.trackMissing, .otherRPUs])
    #expect(error.kind == .verificationFailed && error.faults == [.trackMissing, .otherRPUs])
    #expect(error.keptPath == path + ".failed")
    #expect(
      error.message
        == "\(path) is not what was promised: a track is missing; its frames have other RPUs; it "
        + "was kept as \(error.keptPath ?? "nothing")")
    #expect(error.of("track 1").faults == error.faults)
  }
}
