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

/// Each fault of an output has a code and arguments, by which programs can decide what to do.
@Suite struct FaultTests {
  static let transcoding: [(Notice, Notice.Code, [String: String])] = [
    (.outputUnreadable(TranscodingError(.unusableInput, "a")), "outputUnreadable", ["fault": "a"]),
    (.otherTrackCount(1, promised: 2), "otherTrackCount", ["count": "1", "promisedCount": "2"]),
    (.firstFrameUndecodable, "firstFrameUndecodable", [:]),
    (.audioUndecodable(2), "audioUndecodable", ["track": "2"]),
    (.otherTrackLength(1), "otherTrackLength", ["track": "1"]),
    (
      .otherSampleCount(1, 2, promised: 3), "otherSampleCount",
      ["count": "2", "promisedCount": "3", "track": "1"]
    ),
    (.otherCarriedSamples(3, kind: "mebx"), "otherCarriedSamples", ["kind": "mebx", "track": "3"]),
    (.otherSampleTimes(1), "otherSampleTimes", ["track": "1"]),
    (.framesUndecodable(1, of: 2), "framesUndecodable", ["count": "1", "frameCount": "2"]),
    (.framesDamaged(1), "framesDamaged", ["count": "1"]),
    (
      .otherStatement("the size", "1×1", promised: "2×2"), "otherStatement",
      ["name": "the size", "promised": "2×2", "statement": "1×1"]
    ),
    (.rpuNotPromised, "rpuNotPromised", [:]),
    (.otherSampleRPUCount(2), "otherSampleRPUCount", ["count": "2"]),
    (
      .otherSampleMetadataCount(HDR10Plus.self, 0, promised: 1), "otherSampleMetadataCount",
      ["count": "0", "metadata": "hdr10Plus", "promised": "1"]
    ),
    (.otherSampleRPUProfile(nil), "otherSampleRPUProfile", ["profile": "unknown"]),
    (
      .sampleRPUDamaged(.tooShort(expected: 2, observed: 1)), "sampleRPUDamaged",
      ["fault": "\(DolbyVisionError.tooShort(expected: 2, observed: 1))"]
    ),
  ]

  static let editing: [(Notice, Notice.Code, [String: String])] = [
    (.trackMissing, "trackMissing", [:]),
    (.otherSamples(track: 2), "otherSamples", ["track": "2"]),
    (.otherTags(.hlg), "otherTags", ["color": "BT.2020 (9) / HLG (18) / BT.2020 (9)"]),
    (.otherMetadata(in: .box("mdcv")), "otherMetadata", ["place": "mdcv box"]),
    (.otherMetadata(in: .message(137)), "otherMetadata", ["place": "SEI 137"]),
    (.otherRPUs, "otherRPUs", [:]),
    (.otherRecord, "otherRecord", [:]),
  ]

  @Test func theArticleHasThem() throws {
    let all = (Self.transcoding + Self.editing).map(\.0)
    #expect(try NoticeTable().disagreements(on: all) == [])
  }

  @Test(arguments: transcoding + editing)
  func ofOutputs(notice: Notice, code: Notice.Code, arguments: [String: String]) {
    #expect(notice.code == code && notice.arguments == arguments && notice.severity == .error)
  }

  /// The error about an output has a list of the output's faults, and its message names them.
  @Test func anErrorHasThem() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.mov")
    let file = try UnfinishedFile(destination: path, overwrite: false, in: .withoutInput())
    defer { file.discard() }
    let error = try file.keptError([.trackMissing, .otherRPUs])
    #expect(error.kind == .verificationFailed && error.faults == [.trackMissing, .otherRPUs])
    #expect(error.keptPath == path + ".failed")
    for text in [path, Notice.trackMissing.text, Notice.otherRPUs.text, error.keptPath ?? "-"] {
      #expect(error.message.contains(text))
    }
    #expect(error.of("track 1").faults == error.faults)
  }
}
