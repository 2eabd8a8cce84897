// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import MediaCore
@testable import Planning
import Testing

/// Audio that no edit of the track presents is not encoded. The rest is presented at the same times
/// as in the source.
@Suite struct PresentedAudioTests {
  private static func time(_ samples: Int64) -> MediaTime {
    MediaTime(value: samples, timescale: 48000)
  }

  private static func edit(
    _ duration: Int64?, at start: Int64?, isDwell: Bool = false
  ) -> EditTimeline.Edit {
    EditTimeline.Edit(
      duration: duration.map(time), mediaStart: start.map(time), isDwell: isDwell)
  }

  /// Takes media frame by frame. Returns the parts that are encoded, in media time, and the edits
  /// that present them in the output.
  private func encode(
    _ edits: [EditTimeline.Edit], media: Range<Int64>, audible: Int64 = .min, frame: Int64 = 1024,
    end: Int64? = nil
  ) -> (parts: [Range<Int64>], edits: [EditTimeline.Edit]) {
    let timeline = EditTimeline(edits: edits)
    var presented = PresentedAudio(timeline, sampleRate: 48000)
    presented.start(at: media.lowerBound, audible: audible)
    var parts: [Range<Int64>] = []
    while presented.position < media.upperBound {
      let first = presented.position
      for part in presented.take(min(frame, media.upperBound - first)) {
        let range = first + part.lowerBound..<first + part.upperBound
        if let last = parts.last, last.upperBound == range.lowerBound {
          parts[parts.count - 1] = last.lowerBound..<range.upperBound
        } else {
          parts.append(range)
        }
      }
    }
    if let end { presented.end(at: end) }
    return (parts, presented.timeline(of: timeline).edits)
  }

  @Test func primingOfTheSourceIsLeftOut() {
    let result = encode([Self.edit(5000, at: 1024)], media: 0..<10_240)
    #expect(result.parts == [1024..<6024])
    #expect(result.edits == [Self.edit(5000, at: 1024)])
  }

  /// If the source has no samples for a while, the output gets an empty edit there.
  @Test func aStepIsLeftOut() {
    let timeline = EditTimeline(edits: [Self.edit(9000, at: 0)])
    var presented = PresentedAudio(timeline, sampleRate: 48000)
    presented.start(at: 0, audible: .min)
    _ = presented.take(1000)
    #expect(presented.count(ofNext: 5000) == 5000 && presented.count(ofNext: 50_000) == 8000)
    presented.pass(5000)
    #expect(presented.take(4000) == [0..<3000])
    #expect(
      presented.timeline(of: timeline).edits
        == [Self.edit(1000, at: 0), Self.edit(5000, at: nil), Self.edit(3000, at: 1000)])
  }

  /// Edits may repeat parts, leave some out or change their order. Each part is encoded only once.
  /// A dwell presents a single moment, for which a tenth of a second is encoded.
  @Test func severalEdits() {
    let edits = [
      Self.edit(700, at: nil), Self.edit(1000, at: 8000), Self.edit(2000, at: 500),
      Self.edit(300, at: nil), Self.edit(1000, at: 8500), Self.edit(100, at: 600, isDwell: true),
    ]
    let result = encode(edits, media: 0..<20_000)
    #expect(result.parts == [500..<5400, 8000..<9500])
    #expect(
      result.edits == [
        edits[0], Self.edit(1000, at: 5400), Self.edit(2000, at: 500), edits[3],
        Self.edit(1000, at: 5900), edits[5],
      ])
  }

  @Test func mediaThatBeginsLateOrEndsEarly() {
    let late = encode([Self.edit(nil, at: 0)], media: 2400..<5000)
    #expect(late.parts == [2400..<5000])
    #expect(late.edits == [Self.edit(2400, at: nil), Self.edit(2600, at: 2400)])
    let early = encode([Self.edit(6000, at: 0), Self.edit(500, at: 100)], media: 0..<5000)
    #expect(
      early.edits == [Self.edit(5000, at: 0), Self.edit(1000, at: nil), Self.edit(500, at: 100)])
    let last = encode([Self.edit(6000, at: 0)], media: 0..<5000)
    #expect(last.edits == [Self.edit(5000, at: 0)])
    let padded = encode([Self.edit(nil, at: 0)], media: 0..<5000, end: 4700)
    #expect(padded.edits == [Self.edit(4700, at: 0)])
  }

  /// Media before time zero is not presented, and neither is the codec's priming.
  @Test func mediaBeforeZero() {
    let result = encode([Self.edit(nil, at: 0)], media: -312..<4000)
    #expect(result.parts == [0..<4000] && result.edits == [Self.edit(4000, at: 0)])
    let primed = encode([Self.edit(nil, at: 0)], media: 0..<4000, audible: 1105)
    #expect(primed.parts == [1105..<4000])
    #expect(primed.edits == [Self.edit(1105, at: nil), Self.edit(2895, at: 1105)])
  }

  /// Edits in another timescale keep their length. Absurd times do no harm.
  @Test func oddTimes() {
    let tick = MediaTime(value: 1001, timescale: 30000)
    let edits = [EditTimeline.Edit(duration: tick, mediaStart: .zero)]
    let result = encode(edits, media: 0..<5000)
    #expect(result.edits == edits)
    let far = MediaTime(value: .max, timescale: 1)
    let wild = [
      EditTimeline.Edit(duration: far, mediaStart: far),
      EditTimeline.Edit(duration: far, mediaStart: MediaTime(value: .min, timescale: 1)),
    ]
    #expect(encode(wild, media: 0..<2000).parts.isEmpty)
  }
}
