// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
package import LibAV
package import MediaCore
package import Planning
internal import Synchronization
package import VideoEncoders

/// An open encoder that makes the samples of a movie's track. The frames come from a session, or a
/// program appends them.
package final class EncodingStage: Sendable {
  /// The encoder parameters that were requested, and the parameters that are used.
  package let report: EncoderParameterReport

  private let format: VideoTrackFormat
  private let encoder: Mutex<any VideoEncoder>

  /// Takes ownership of an encoder.
  ///
  /// - Parameter format: describes the encoder's samples to the muxer.
  package init(_ encoder: consuming sending any VideoEncoder, format: VideoTrackFormat) {
    report = encoder.parameterReport
    self.format = format
    self.encoder = Mutex(encoder)
  }

  /// Encodes frames until the queue is finished.
  ///
  /// - Parameter boxes: what the output's boxes say. Measured light levels are added to them.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there is no frame.
  package func run(_ frames: FrameQueue, boxes: TrackBoxes, to output: TrackWriter) throws {
    try open(output)
    var isEmpty = true
    while let frame = try frames.pop() {
      try encode(frame, to: output)
      isEmpty = false
    }
    guard !isEmpty else {
      throw TranscodingError(.unusableInput, "none of its frames is ever presented")
    }
    try finish(boxes, to: output)
  }

  /// Opens the track.
  package func open(_ output: TrackWriter) throws { try output.open(.encoded(format)) }

  /// Shows the encoder a frame that comes before the first frame to encode. The encoder may learn
  /// from this frame, but returns no sample for it.
  package func follow(_ frame: VideoFrame) throws { try encoder.withLock { try $0.follow(frame) } }

  /// Notes a frame that comes before the first frame to encode. The metadata of later frames may
  /// depend on it, but their encoding does not.
  package func note(_ frame: VideoFrame) { encoder.withLock { $0.note(frame) } }

  /// Encodes a frame. Waits while the writer is behind.
  package func encode(_ frame: VideoFrame, to output: TrackWriter) throws {
    let samples = try encoder.withLock { try $0.encode(frame) }
    for sample in samples { try output.write(sample) }
  }

  /// Writes the frames that the encoder still holds, and ends the track.
  ///
  /// - Parameter boxes: what the output's boxes say. Measured light levels are added to them.
  package func finish(_ boxes: TrackBoxes, to output: TrackWriter) throws {
    while case let samples = try encoder.withLock({ try $0.drain() }), !samples.isEmpty {
      for sample in samples { try output.write(sample) }
    }
    var boxes = boxes
    // `clli` contains the maximum over all frames, which is known only after the last one.
    let (measured, isInSamples) = encoder.withLock {
      ($0.contentLightLevel, $0.samplesStateLightLevels)
    }
    if let measured { boxes.hdrMetadata.state(measured) }
    boxes.samplesStateLightLevels = isInSamples
    try output.end(boxes)
  }
}

extension EncodingPlan {
  /// Opens the encoder of the plan.
  package func openEncoder() throws -> EncodingStage {
    let encoder = try makeEncoder()
    let format = try trackFormat(of: encoder)
    return EncodingStage(encoder, format: format)
  }
}
