// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore

/// Makes interlaced frames whole. Attachments of a frame stay with all frames that are made from
/// it.
final class DeinterlacingShaper: FrameShaper {
  private let plan: DeinterlacingPlan
  /// The filter, from the first frame that needs it on.
  private var deinterlacer: Deinterlacer?
  /// The frames that the filter was sent and that it still needs, and the number of the first.
  private var sent: [VideoFrame] = []
  private var firstSent = 0
  /// The frame before, where it did not need the filter: its rows tell what moves.
  private var last: VideoFrame?

  init(_ plan: DeinterlacingPlan) { self.plan = plan }

  func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    var frame = frame
    if frame.fieldOrder == .progressive { frame.fieldOrder = plan.untoldOrder }
    // Frames that no edit presents may lie between: what is no neighbor tells nothing.
    if let before = sent.last ?? last, before.end != frame.presentationTimeStamp {
      try finish(to: next)
    }
    if deinterlacer == nil {
      guard frame.fieldOrder != .progressive || !plan.mode.keepsProgressive else {
        last = frame
        return try next(frame)
      }
      deinterlacer = try plan.makeDeinterlacer()
      firstSent = 0
      if let last {
        // It was handed on already.
        _ = try send(last)
        self.last = nil
        try hand(send(frame), to: next, from: 1)
        return
      }
    }
    try hand(send(frame), to: next)
  }

  func finish(to next: FrameTaker) throws {
    if let deinterlacer { try hand(deinterlacer.finish(), to: next) }
    (deinterlacer, last) = (nil, nil)
    (sent, firstSent) = ([], 0)
  }

  private func send(_ frame: VideoFrame) throws(LibAVError) -> [Deinterlacer.Result] {
    sent.append(frame)
    return try deinterlacer?.send(frame.pixelBuffer, fieldOrder: frame.fieldOrder) ?? []
  }

  /// - Parameter start: the number of the first frame that is handed on.
  private func hand(
    _ results: [Deinterlacer.Result], to next: FrameTaker, from start: Int = 0
  ) throws {
    for result in results where result.index >= start {
      guard sent.indices.contains(result.index - firstSent) else { continue }
      try next(made(result, of: sent[result.index - firstSent]))
      // The filter gives frames in order, and the last is kept to know where the next begins.
      while firstSent < result.index, sent.count > 1 {
        sent.removeFirst()
        firstSent += 1
      }
    }
  }

  private func made(_ result: Deinterlacer.Result, of frame: VideoFrame) -> VideoFrame {
    if frame.fieldOrder == .progressive && plan.mode.keepsProgressive { return frame }
    var made = frame
    made.pixelBuffer = result.pixelBuffer
    made.fieldOrder = .progressive
    guard plan.mode.isDoubling else { return made }
    let half = frame.duration.half
    made.duration = result.isSecondField ? frame.duration - half : half
    if result.isSecondField { made.presentationTimeStamp = frame.presentationTimeStamp + half }
    return made
  }
}

extension VideoFrame {
  /// The time at which the frame is no longer presented.
  var end: MediaTime { presentationTimeStamp + duration }
}

extension MediaTime {
  /// Half of a time, exact where its timescale can be doubled.
  fileprivate var half: MediaTime {
    let doubled = timescale.multipliedReportingOverflow(by: 2)
    return doubled.overflow || value % 2 == 0
      ? MediaTime(value: value / 2, timescale: timescale)
      : MediaTime(value: value, timescale: doubled.partialValue)
  }
}
