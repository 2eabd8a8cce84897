// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore

/// Deinterlaces frames. All frames that are made from a frame keep its attachments.
final class DeinterlacingShaper: FrameShaper {
  private let plan: DeinterlacingPlan
  /// The filter, or `nil` until a frame needs it.
  private var deinterlacer: Deinterlacer?
  /// The frames that were sent to the filter and that its results may still refer to. `firstSent`
  /// is the number of the first of these frames.
  private var sent: [VideoFrame] = []
  private var firstSent = 0
  /// The previous frame, if it did not need the filter. The filter compares neighbors to find what
  /// moves, so it has to see this frame, too.
  private var last: VideoFrame?

  init(_ plan: DeinterlacingPlan) { self.plan = plan }

  func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    var frame = frame
    if frame.fieldOrder == .progressive { frame.fieldOrder = plan.untoldOrder }
    // Two frames that follow each other here may have frames between them that no edit presents. If
    // so, the two are not neighbors in time, and the filter must not compare them.
    if let before = sent.last ?? last, before.end != frame.presentationTimeStamp {
      try finish(to: next)
    }
    if deinterlacer == nil {
      guard frame.fieldOrder != .progressive || !plan.keepsProgressive else {
        last = frame
        return try next(frame)
      }
      deinterlacer = try plan.makeDeinterlacer()
      firstSent = 0
      if let last {
        // The previous frame was already handed on, so drop what the filter makes of it.
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

  /// - Parameter start: the number of the first frame whose results are handed on.
  private func hand(
    _ results: [Deinterlacer.Result], to next: FrameTaker, from start: Int = 0
  ) throws {
    for result in results where result.index >= start {
      guard sent.indices.contains(result.index - firstSent) else { continue }
      try next(made(result, of: sent[result.index - firstSent]))
      // Results come in order. Keep this result's frame, because the next result may refer to it.
      while firstSent < result.index, sent.count > 1 {
        sent.removeFirst()
        firstSent += 1
      }
    }
  }

  private func made(_ result: Deinterlacer.Result, of frame: VideoFrame) -> VideoFrame {
    // The filter passes progressive frames through. Return the original frame, which still has its
    // own buffer and attachments.
    if frame.fieldOrder == .progressive && plan.keepsProgressive { return frame }
    var made = frame
    made.pixelBuffer = result.pixelBuffer
    made.fieldOrder = .progressive
    guard plan.isDoubling else { return made }
    let half = frame.duration.half
    made.duration = result.isSecondField ? frame.duration - half : half
    if result.isSecondField { made.presentationTimeStamp = frame.presentationTimeStamp + half }
    return made
  }
}

extension VideoFrame {
  /// The time from which the frame is no longer presented.
  var end: MediaTime { presentationTimeStamp + duration }
}

extension MediaTime {
  /// Half of the time. It is exact if the timescale can be doubled.
  fileprivate var half: MediaTime {
    let doubled = timescale.multipliedReportingOverflow(by: 2)
    return doubled.overflow || value % 2 == 0
      ? MediaTime(value: value / 2, timescale: timescale)
      : MediaTime(value: value, timescale: doubled.partialValue)
  }
}
