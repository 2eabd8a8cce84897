// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Testing

@testable import Grafting

/// Each frame of an encode is paired with the source's frame that it shows.
@Suite struct FramePairsTests {
  /// Returns frames at times in milliseconds.
  private func frames(_ times: [Int64]) -> [PresentedFrame] {
    times.map {
      let time = MediaTime(value: $0, timescale: 1000)
      return PresentedFrame(time: time, mediaTime: time, metadata: FrameMetadata())
    }
  }

  private func pairs(
    _ source: [Int64], _ encoded: [Int64], offset: Int = 0, hasTimes: Bool = true
  ) throws -> FramePairs {
    try FramePairs(frames(source), frames(encoded), offset: offset, hasTimes: hasTimes)
  }

  @Test(
    arguments: [
      // In this order, the encode's times are unchanged, later, or rounded by another container;
      // the encode lacks one of the frames, or begins with the third frame.
      ([0, 40, 80, 120], [0, 40, 80, 120], 0, [0, 1, 2, 3]),
      ([0, 40, 80, 120], [1000, 1040, 1080, 1120], 0, [0, 1, 2, 3]),
      ([0, 33, 67, 100], [0, 34, 66, 101], 0, [0, 1, 2, 3]),
      ([0, 40, 80, 120], [0, 80, 120], 0, [0, 2, 3]),
      ([0, 12, 45, 80, 120], [0, 35, 75], 2, [2, 3, 4]),
    ] as [([Int64], [Int64], Int, [Int])])
  func byTimes(source: [Int64], encoded: [Int64], offset: Int, expected: [Int]) throws {
    let pairs = try pairs(source, encoded, offset: offset)
    #expect(pairs.sources == expected && pairs.way == .times)
  }

  /// Frames are paired by their order if the rate differs but the number of frames does not, or if
  /// the file states no times.
  @Test func byOrder() throws {
    let slower = try pairs([0, 40, 80], [0, 42, 250])
    #expect(slower.sources == [0, 1, 2] && slower.way == .order)
    let raw = try pairs([0, 40, 80, 120], [0, 33, 66], offset: 1, hasTimes: false)
    #expect(raw.sources == [1, 2, 3] && raw.way == .order)
  }

  @Test(
    arguments: [
      ([0, 40], [0, 40, 80], 0), ([0, 40, 80], [0, 20], 0),
      ([0, 40, 80], [0, 40, 80], 1), ([0, 40, 80], [0], 3), ([0, 40, 80], [0], -1), ([], [0], 0),
      ([0], [], 0),
    ] as [([Int64], [Int64], Int)])
  func refused(source: [Int64], encoded: [Int64], offset: Int) {
    #expect(throws: (any Error).self) { try pairs(source, encoded, offset: offset) }
  }

  @Test(
    arguments: [
      (Notice.metadataNotOfEncode(["hdr10Plus"]), "metadataNotOfEncode"),
      (Notice.metadataReplaced(["hdr10Plus"]), "metadataReplaced"),
    ] as [(Notice, Notice.Code)])
  func notices(notice: Notice, code: Notice.Code) {
    #expect(notice.code == code && notice.arguments == ["metadata": "hdr10Plus"])
  }

  @Test func noticeOfRepeatedRPUs() {
    let notice = Notice.rpusRepeated(2)
    #expect(notice.code == "rpusRepeated" && notice.arguments == ["count": "2"])
  }

  @Test func placesAreSpread() throws {
    let pairs = try pairs([0, 40, 80, 120], [0, 40, 80, 120])
    #expect(pairs.places(2) == [0, 3] && pairs.places(9) == [0, 1, 2, 3])
  }
}
