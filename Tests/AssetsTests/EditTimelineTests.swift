// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import MediaCore
import TestSupport
import Testing

@Suite struct EditTimelineTests {
  private static func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 600) }

  /// The edit of a real clip begins at 273, inside the frame from 260 to 280. That frame is shown.
  @Test func theFrameThatAnEditBeginsInsideOfIsPresented() {
    let timeline = EditTimeline(
      edits: [.init(duration: Self.ticks(1529), mediaStart: Self.ticks(273))])
    func isPresented(_ start: Int64, _ end: Int64) -> Bool {
      timeline.presents(from: Self.ticks(start), to: Self.ticks(end))
    }
    #expect(!isPresented(240, 260))
    #expect(isPresented(260, 280))
    #expect(isPresented(1780, 1800))
    #expect(isPresented(1801, 1821))
    #expect(!isPresented(1802, 1822))
    let shown = timeline.presentationTime(of: Self.ticks(260), lasting: Self.ticks(20))
    #expect(shown == .zero)
    #expect(
      timeline.presentationTime(of: Self.ticks(280), lasting: Self.ticks(20)) == Self.ticks(7))
  }

  /// The data rate of a track does not depend on how much of its media an edit list shows.
  @Test func aPartHasTheSameDataRate() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Fixture.bytes("movie-hlg"), to: "movie.mov")
    let track = try #require(try await MediaAsset.load(path: path).videoTrack)
    let half = track.presenting(
      track.timeline.clipped(from: .zero, to: Self.ticks(24)), span: nil)
    #expect(half.presentedDuration == Self.ticks(24))
    let (rate, partRate) = try #require(
      track.estimatedDataRate.flatMap { rate in
        half.estimatedDataRate.map { (rate, $0) }
      })
    #expect(abs(partRate - rate) < rate / 100)
  }

  @Test func emptyEditsAndSeveralEditsMoveThePresentation() {
    let timeline = EditTimeline(edits: [
      .init(duration: Self.ticks(600), mediaStart: nil),
      .init(duration: Self.ticks(100), mediaStart: Self.ticks(1000)),
      .init(duration: Self.ticks(100), mediaStart: Self.ticks(0)),
    ])
    #expect(timeline.duration == Self.ticks(800))
    #expect(
      timeline.presentationTime(of: Self.ticks(1020), lasting: Self.ticks(20)) == Self.ticks(620))
    #expect(
      timeline.presentationTime(of: Self.ticks(20), lasting: Self.ticks(20)) == Self.ticks(720))
    #expect(timeline.presentationTime(of: Self.ticks(500), lasting: Self.ticks(20)) == nil)
  }

  @Test func aDwellPresentsOneFrame() {
    let timeline = EditTimeline(
      edits: [.init(duration: Self.ticks(600), mediaStart: Self.ticks(50), isDwell: true)])
    #expect(timeline.presents(from: Self.ticks(40), to: Self.ticks(60)))
    #expect(!timeline.presents(from: Self.ticks(60), to: Self.ticks(80)))
  }

  /// A part of a timeline can begin and end inside edits, exactly to the tick. The part is itself a
  /// timeline.
  @Test func aPartOfThePresentation() {
    let timeline = EditTimeline(edits: [
      .init(duration: Self.ticks(600), mediaStart: nil),
      .init(duration: Self.ticks(100), mediaStart: Self.ticks(1000)),
      .init(duration: Self.ticks(50), mediaStart: Self.ticks(7), isDwell: true),
      .init(duration: nil, mediaStart: Self.ticks(0)),
    ])
    #expect(timeline.clipped(from: .zero, to: nil) == timeline)
    #expect(
      timeline.clipped(from: Self.ticks(590), to: Self.ticks(640))
        == EditTimeline(edits: [
          .init(duration: Self.ticks(10), mediaStart: nil),
          .init(duration: Self.ticks(40), mediaStart: Self.ticks(1000)),
        ]))
    #expect(
      timeline.clipped(from: Self.ticks(690), to: Self.ticks(760))
        == EditTimeline(edits: [
          .init(duration: Self.ticks(10), mediaStart: Self.ticks(1090)),
          .init(duration: Self.ticks(50), mediaStart: Self.ticks(7), isDwell: true),
          .init(duration: Self.ticks(10), mediaStart: Self.ticks(0)),
        ]))
    // An edit that begins where the part ends is not in the part, and an edit without an end still
    // has no end.
    #expect(
      timeline.clipped(from: Self.ticks(720), to: Self.ticks(750))
        == EditTimeline(edits: [
          .init(duration: Self.ticks(30), mediaStart: Self.ticks(7), isDwell: true)
        ]))
    #expect(
      timeline.clipped(from: Self.ticks(800), to: nil)
        == EditTimeline(edits: [.init(duration: nil, mediaStart: Self.ticks(50))]))
    let short = EditTimeline(
      edits: [.init(duration: Self.ticks(100), mediaStart: Self.ticks(1000))])
    #expect(short.clipped(from: Self.ticks(100), to: nil).edits.isEmpty)
    #expect(short.mediaEnd == Self.ticks(1100))
    #expect(timeline.mediaEnd == nil)
  }

  /// A time is moved to the media's nearest tick, even if the edit begins between two ticks.
  @Test func theNearestTickOfTheMedia() {
    let timeline = EditTimeline(
      edits: [
        .init(duration: Self.ticks(600), mediaStart: nil),
        .init(duration: Self.ticks(1200), mediaStart: MediaTime(value: 1, timescale: 1000)),
      ])
    let time = MediaTime(value: 1_334, timescale: 1000)
    let nearest = timeline.nearestTick(to: time, timescale: 30)
    // The tick of the media that is nearest to 0.335 s is its tick 10, at 0.3333 s.
    #expect(nearest == MediaTime(value: 1000 + 332, timescale: 1000) + Self.third)
    #expect(timeline.nearestTick(to: Self.ticks(300), timescale: 30) == Self.ticks(300))
  }

  private static let third = MediaTime(value: 1, timescale: 3000)

  @Test func whatIsShownOfATextThatEditsCut() throws {
    let timeline = EditTimeline(
      edits: [.init(duration: Self.ticks(600), mediaStart: Self.ticks(1200))])
    let shown = try #require(
      timeline.presentedInterval(of: Self.ticks(1100), lasting: Self.ticks(900)))
    #expect(shown == (.zero, Self.ticks(600)))
    let whole = try #require(
      timeline.presentedInterval(of: Self.ticks(1300), lasting: Self.ticks(60)))
    #expect(whole == (Self.ticks(100), Self.ticks(160)))
    #expect(timeline.presentedInterval(of: Self.ticks(0), lasting: Self.ticks(60)) == nil)
  }
}
