internal import LibAV
internal import MediaCore

/// Turns a decoder's pictures into the frames that the track presents, each with the exact time
/// that it is presented for.
///
/// A frame lasts until the next one begins, so that one is always held back; the durations in the
/// container are those of the decoding order and would be wrong for reordered frames.
struct PresentedFrames {
  private let timeline: EditTimeline
  private let usualDuration: MediaTime
  private var held: (frame: DecodedFrame, start: MediaTime)?

  /// Decoded frames that no edit presents.
  private(set) var hiddenCount = 0
  /// Frames whose time was missing or not after the time of the frame before.
  private(set) var repairedTimeCount = 0

  /// - Parameter usualDuration: what is taken for the duration of a last frame that has none.
  init(timeline: EditTimeline, usualDuration: MediaTime) {
    self.timeline = timeline
    self.usualDuration = usualDuration
  }

  /// Takes the next picture; gives the one before it, if that is presented.
  mutating func add(_ frame: DecodedFrame) -> VideoFrame? {
    var start: MediaTime
    switch (frame.presentationTime, held) {
    case (let time?, nil): start = time
    case (let time?, let held?) where held.start < time: start = time
    case (_, let held?):
      repairedTimeCount += 1
      start = held.start + duration(of: held.frame)
    case (nil, nil):
      repairedTimeCount += 1
      start = .zero
    }
    start = start.converted(to: frame.presentationTime?.timescale ?? start.timescale)
    let before = held
    held = (frame, start)
    return before.flatMap { present($0.frame, from: $0.start, to: start) }
  }

  /// Gives the last frame, if it is presented.
  mutating func finish() -> VideoFrame? {
    guard let last = held else { return nil }
    held = nil
    return present(last.frame, from: last.start, to: last.start + duration(of: last.frame))
  }

  private func duration(of frame: DecodedFrame) -> MediaTime {
    frame.duration > .zero ? frame.duration : usualDuration
  }

  private mutating func present(
    _ frame: DecodedFrame, from start: MediaTime, to end: MediaTime
  ) -> VideoFrame? {
    guard timeline.presents(from: start, to: end) else {
      hiddenCount += 1
      return nil
    }
    var presented = VideoFrame(
      pixelBuffer: frame.pixelBuffer, presentationTime: start, duration: end - start,
      fieldOrder: frame.fieldOrder)
    presented.sourceRPU = frame.pixelBuffer.attachments.dolbyVisionRPU
    presented.sourceHDR10Plus = frame.hdr10Plus
    return presented
  }
}
