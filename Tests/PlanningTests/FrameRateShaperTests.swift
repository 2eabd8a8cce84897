// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
@testable import DolbyVision
import MediaCore
@testable import Planning
import Settings
import Testing

/// If the settings state a frame rate, the right frames are shown at the right times.
@Suite struct FrameRateShaperTests {
  private let pool = PixelBufferPool(.yuv420p8, width: 16, height: 16)

  /// Makes a frame that begins at a tick and lasts for one tick; `rate` is the number of ticks per
  /// second. MaxCLL is set to the frame's number, by which tests recognize the frame.
  private func frame(_ index: Int, at tick: Int, _ rate: Int32, beginsShot: Bool = false) throws
    -> VideoFrame
  {
    let attachments = Attachments(
      contentLightLevel: ContentLightLevel(
        maxContentLightLevel: UInt16(index), maxPicAverageLightLevel: 0))
    let buffer = pool.makeBuffer(attachments: attachments) { (_) throws(Never) in }
    var frame = VideoFrame(
      pixelBuffer: buffer, presentationTimeStamp: MediaTime(value: Int64(tick), timescale: rate),
      duration: MediaTime(value: 1, timescale: rate))
    let unit = ReferenceProcessingUnit.profile84(
      level1: Level1(minPQ: 0, maxPQ: 2081, avgPQ: 819), isSceneRefresh: beginsShot, level6: nil,
      level11: .userGenerated)
    frame.metadata[DolbyVisionRPU.self] = try DolbyVisionRPU(writing: unit)
    return frame
  }

  private func shaped(
    _ frames: [VideoFrame], _ setting: String
  ) throws -> [(index: Int, start: MediaTime, duration: MediaTime, beginsShot: Bool)] {
    let source = FrameSource(VideoFacts(frames[0]), track: nil, first: frames[0])
    let setting = try #require(FrameRateSetting(spelling: setting))
    let shaper = FrameRateShaper(
      try #require(FrameRatePlan(setting, of: source, track: nil)))
    var result: [VideoFrame] = []
    for frame in frames { try shaper.add(frame) { result.append($0) } }
    try shaper.finish { result.append($0) }
    return result.map {
      (
        Int($0.pixelBuffer.attachments.contentLightLevel?.maxContentLightLevel ?? 0),
        $0.presentationTimeStamp,
        $0.duration, $0.beginsShot
      )
    }
  }

  @Test func everySecondFrameIsLeftOut() throws {
    let made = try shaped((0..<60).map { try frame($0, at: $0 + 7, 60) }, "30")
    #expect(made.map(\.index) == Array(stride(from: 0, to: 60, by: 2)))
    for (index, one) in made.enumerated() {
      #expect(one.start == MediaTime(value: Int64(7 + 2 * index), timescale: 60))
      #expect(one.duration == MediaTime(value: 1, timescale: 30))
    }
  }

  @Test func framesAreRepeated() throws {
    let made = try shaped((0..<10).map { try frame($0, at: $0, 10) }, "25")
    #expect(made.map(\.index).prefix(10) == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3])
    #expect(made.count == 25)
  }

  /// If the first frame of a shot is left out, the shot begins with the next frame.
  @Test func shotsKeepTheirBeginning() throws {
    let made = try shaped((0..<60).map { try frame($0, at: $0, 60, beginsShot: $0 == 31) }, "30")
    #expect(made.filter(\.beginsShot).map(\.index) == [32])
    let kept = try shaped((0..<60).map { try frame($0, at: $0, 60, beginsShot: $0 == 30) }, "30")
    #expect(kept.filter(\.beginsShot).map(\.index) == [30])
  }

  /// Gaps in which nothing is presented are not filled with frames, and what follows begins on
  /// time.
  @Test func gapsStayGaps() throws {
    let frames =
      try (0..<25).map { try frame($0, at: $0, 25) }
      + (0..<25).map { try frame(25 + $0, at: 126 + $0, 25) }
    let made = try shaped(frames, "30")
    #expect((59...62).contains(made.count), "\(made.count)")
    let second = try #require(made.first { $0.index == 25 })
    let begin = MediaTime(value: 126, timescale: 25)
    #expect(second.start <= begin && begin - second.start < MediaTime(value: 1, timescale: 30))
  }

  /// A frame is repeated for ten minutes at most. If it is shown for longer, it is written once,
  /// and a notice names it.
  @Test(arguments: [(600, false), (601, true)]) func longHoldsAreTold(
    seconds: Int, isTold: Bool
  ) throws {
    var first = try frame(0, at: 0, 1)
    first.duration = MediaTime(value: Int64(seconds), timescale: 1)
    let source = FrameSource(VideoFacts(first), track: nil, first: first)
    let setting = try #require(FrameRateSetting(spelling: "1"))
    let shapers: [any FrameShaper] = [
      FrameRateShaper(try #require(FrameRatePlan(setting, of: source, track: nil)))
    ]
    var count = 0
    for one in [first, try frame(1, at: seconds, 1)] { try shapers.add(one) { _ in count += 1 } }
    try shapers.finish { _ in count += 1 }
    #expect(count == (isTold ? 2 : 601))
    #expect(shapers.notices.map(\.code) == (isTold ? ["frameHeld"] : []))
    #expect(shapers.notices.allSatisfy { $0.arguments["length"] == "601.0" })
  }

  /// With `max`, frames are left out but not repeated, and each ends by the time the next one
  /// begins.
  @Test func atMostLeavesOutAlone() throws {
    let frames = try (0..<60).map { try frame($0, at: $0, 60) } + [frame(60, at: 120, 60)]
    let made = try shaped(frames, "max 30")
    #expect(made.count <= 32)
    let times = zip(made, made.dropFirst()).map { $1.start - $0.start }
    #expect(times.allSatisfy { $0 >= MediaTime(value: 1, timescale: 30) })
    #expect(zip(made, made.dropFirst()).allSatisfy { $0.start + $0.duration <= $1.start })
  }

  @Test(arguments: [
    ("29.97", 30_000, 1001), ("23.976", 24_000, 1001), ("23.98", 24_000, 1001),
    ("59.94", 60_000, 1001), ("25", 25, 1), ("12.5", 25, 2), ("60000/1001", 60_000, 1001),
    ("50/2", 25, 1),
  ])
  func spellings(text: String, top: Int, bottom: Int) throws {
    let rate = try #require(FrameRate(top, per: bottom))
    #expect(FrameRateSetting(spelling: text) == .exactly(rate))
    #expect(FrameRateSetting(spelling: "max \(text)") == .atMost(rate))
  }
}
