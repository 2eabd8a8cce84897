// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import MediaCore
import Testing
@testable import Transcoding

@Suite struct EditTimelineTests {
  private static func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 600) }

  /// The edit of a real clip: it begins at 273, inside the frame from 260 to 280, which is shown.
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
}
