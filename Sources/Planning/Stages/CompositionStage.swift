// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
package import Host
package import MediaCore

/// Runs a composition on frames.
package final class CompositionStage: Sendable {
  private let plan: CompositionPlan
  private let converter: FrameConverter?
  private let toneMaps = Exclusive(AuthoredToneMaps())

  package init(_ plan: CompositionPlan) {
    self.plan = plan
    converter =
      plan.conversion.isIdentity
      ? nil
      : FrameConverter(
        plan: plan.conversion, width: plan.sourceSize.width, height: plan.sourceSize.height)
  }

  /// Takes frames from one queue, composes them, and puts the results into another.
  package func run(_ decoded: FrameQueue, _ composed: FrameQueue) throws {
    while let frame = try decoded.pop() { try composed.push(try compose(frame)) }
    composed.finish()
  }

  /// Composes the next frame in presentation order.
  ///
  /// - Throws: ``TranscodingError`` if the result does not have the planned size, format and tags.
  func compose(_ frame: VideoFrame) throws -> VideoFrame {
    var frame = frame
    let toneMap = toneMaps.use { $0.next(frame.metadata, plan.conversion) }
    let converted =
      converter?.convert(frame.pixelBuffer, toneMap: toneMap) ?? frame.pixelBuffer
    var attachments = converted.attachments
    attachments.signal = plan.conversion.target.signal
    // Dynamic metadata describes the code values. If a conversion changes them, the metadata would
    // mislead the compositor.
    if converter == nil || plan.conversion.keepsCodeValues {
      attachments.metadata = frame.metadata
    }
    let result = try plan.compositor.compose(
      CompositionRequest(
        sourceFrame: converted.withAttachments(attachments),
        compositionTime: frame.presentationTimeStamp, renderContext: plan.context))
    try check(result, at: frame.presentationTimeStamp)
    // The result has other pixels, so the frame's own metadata no longer fits. It is dropped here,
    // and can be computed again later.
    var tagged = result.attachments
    tagged.signal = plan.context.signal
    tagged.metadata = FrameMetadata()
    frame.pixelBuffer = result.withAttachments(tagged)
    return frame
  }

  private func check(_ result: PixelBuffer, at time: MediaTime) throws {
    let (size, signal) = (plan.context.size, result.attachments.signal)
    // Unset tags are fine. Tags that contradict the working space show a mistake in the compositor.
    var fault: String?
    if !plan.resultFormats.contains(result.format) {
      let formats = plan.resultFormats.map(\.description).joined(separator: " or ")
      fault = "is \(result.format) instead of \(formats)"
    } else if result.format != plan.context.pixelFormat {
      fault = "is \(result.format), but other frames are \(plan.context.pixelFormat)"
    } else if result.size != size {
      fault =
        "has \(result.size) pixels instead of \(size)"
    } else if !signal.color.isUnspecified, signal.color != plan.context.signal.color {
      fault = "is tagged \(signal.color), but the working space is \(plan.context.signal.color)"
    } else if let range = signal.videoFullRangeFlag,
      range != plan.context.signal.videoFullRangeFlag ?? false
    {
      fault = "is tagged \(range ? "full" : "limited") range, but other frames are not"
    } else if let location = signal.chromaLocation,
      location != plan.context.signal.chromaLocation ?? .left
    {
      fault = "is tagged with chroma location \(location), but other frames are not"
    }
    guard let fault else { return }
    throw TranscodingError(
      .invalidSettings, "the compositor's frame at \(time.seconds) s \(fault)")
  }
}

/// A queue of frames between two stages.
package typealias FrameQueue = BoundedQueue<VideoFrame>

/// A function that takes frames from one queue and puts others into the next.
package typealias FrameStage = @Sendable (_ from: FrameQueue, _ to: FrameQueue) throws -> Void
