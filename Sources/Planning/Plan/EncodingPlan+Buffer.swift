// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import VideoEncoders

/// The buffer in front of the decoder.
extension EncodingPlan {
  /// The buffer, if the first try hides it from the encoder. A try without a buffer is faster, and
  /// usually succeeds because few scenes reach the buffer's rate. But whoever writes the samples
  /// has to watch the buffer, and needs a second try if the buffer runs empty. `nil` if there is no
  /// buffer, or if the encoder knows it from the start.
  package var unknownBuffer: CodedPictureBuffer? {
    codec.encoder.needsBuffer(encoder) ? nil : encoder.buffer
  }

  /// Returns the plan for a first try, in which the encoder does not know ``unknownBuffer``.
  ///
  /// - Throws: ``VideoEncoderError`` if the encoder cannot be opened.
  package func firstTry() throws(VideoEncoderError) -> EncodingPlan {
    guard unknownBuffer != nil else { return self }
    var plan = self
    // The level says which rate a decoder has to expect, so it is chosen by an encoder that knows
    // the buffer.
    if encoder.level == nil {
      plan.encoder.level = codec.bitstream?.level(in: try makeEncoder().parameterSets)
    }
    plan.encoder.removeBuffer()
    return plan
  }

  /// The plan for a second try, in which the encoder keeps to the buffer.
  package var secondTry: EncodingPlan {
    var plan = self
    // If several x264 threads have to keep to a buffer, the result depends on their timing.
    plan.encoder.isReproducible = true
    return plan
  }

  /// Returns the plan with a model of the decoder's buffer: the share of the buffer that is filled
  /// at the start, and the bit rate at which the buffer fills.
  ///
  /// - Parameter level: the level to declare, or `nil` for the level in the settings.
  package func withBuffer(start: Double, rate: Double, level: String?) -> EncodingPlan {
    var plan = self
    plan.encoder.setBuffer(start: start, rate: rate)
    plan.encoder.level = level ?? plan.encoder.level
    return plan
  }
}
