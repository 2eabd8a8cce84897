// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import MediaCore
internal import Planning
internal import Synchronization
package import VideoEncoders

/// An open encoder, which makes the samples of a track of a movie: of the frames of a session, or
/// of those that a program appends.
package final class EncodingStage: Sendable {
  /// Parameters that the encoder was asked for, and those that it uses.
  package let report: EncoderParameterReport

  private let format: VideoTrackFormat
  private let encoder: Mutex<any VideoEncoder>

  /// Takes an encoder over.
  ///
  /// - Parameter format: the description of its samples for the muxer.
  package init(_ encoder: consuming sending any VideoEncoder, format: VideoTrackFormat) {
    report = encoder.parameterReport
    self.format = format
    self.encoder = Mutex(encoder)
  }

  /// Begins the track.
  package func open(_ output: TrackWriter) throws { try output.open(.encoded(format)) }

  /// Takes note of a frame before the first, whose sample is not wanted.
  package func follow(_ frame: VideoFrame) throws { try encoder.withLock { try $0.follow(frame) } }

  /// Encodes a frame. Waits while the writer is behind.
  package func encode(_ frame: VideoFrame, to output: TrackWriter) throws {
    let samples = try encoder.withLock { try $0.encode(frame) }
    for sample in samples { try output.write(sample) }
  }

  /// Writes the frames that the encoder still holds, and ends the track.
  ///
  /// - Parameter boxes: their statements but for the light levels that were measured.
  package func finish(_ boxes: TrackBoxes, to output: TrackWriter) throws {
    while case let samples = try encoder.withLock({ try $0.drain() }), !samples.isEmpty {
      for sample in samples { try output.write(sample) }
    }
    var boxes = boxes
    if let measured = encoder.withLock({ $0.contentLightLevel }) {
      boxes.hdrMetadata.state(measured)
    }
    try output.end(boxes)
  }
}

extension EncodingPlan {
  /// Opens the encoder.
  package func openEncoder() throws -> EncodingStage {
    let encoder = try makeEncoder()
    let format = try trackFormat(of: encoder)
    return EncodingStage(encoder, format: format)
  }
}
