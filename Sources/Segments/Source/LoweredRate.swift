// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Planning
internal import VideoEncoders

/// A rate for another try at a segment that left the decoder's buffer too empty.
package struct LoweredRate: Sendable {
  /// The bits that arrive each second in the coded picture buffer, the decoder's buffer for encoded
  /// frames.
  let rate: Double
  /// The parameter sets of the first try. All segments share them.
  let parameterSets: [UInt8]

  /// Returns the level that the parameter sets declare.
  func level(_ codec: VideoCodec) -> String? {
    // All segments share one level, but the encoder would choose a different one for the lower
    // rate.
    codec.bitstream?.level(in: parameterSets)
  }
}

extension SegmentSource {
  /// Returns the plan for a segment. If the encoder has to know the buffer, the plan says how full
  /// the buffer is when the segment begins.
  func plan(of range: SegmentRange, _ lowered: LoweredRate?) throws -> EncodingPlan {
    guard let buffer = encoder.buffer, let start = range.fullness else { return encoding }
    guard lowered != nil || encoding.unknownBuffer == nil else { return try encoding.firstTry() }
    return encoding.withBuffer(
      start: start, rate: lowered?.rate ?? buffer.rate, level: lowered?.level(encoding.codec))
  }

  /// Returns the rate for another try at a segment; `nil` if the segment needs none. A segment
  /// needs another try if it leaves the coded picture buffer emptier than the next segment expects,
  /// or if it has emptied a buffer that the encoder did not know.
  ///
  /// - Parameter before: the rate of the last try; `nil` after the first try, which had the user's
  ///   rate or no buffer.
  /// - Throws: ``TranscodingError`` with the code `unfitSegment` if no rate helps.
  package func loweredRate(
    _ before: LoweredRate?, of range: SegmentRange, after segment: EncodedSegment
  ) throws -> LoweredRate? {
    let sets = before?.parameterSets ?? segment.parameterSets
    guard segment.parameterSets == sets else {
      throw unfit(range, because: "the bit rate that its buffer needs would change its level")
    }
    guard let buffer = encoder.buffer, let fullness = segment.fullness else { return nil }
    // No segment follows the last one, so it may leave the buffer empty.
    let isTooEmpty = range.end != nil && fullness.share < CodedPictureBuffer.seam
    if before == nil, encoding.unknownBuffer != nil {
      // The encoder did not know the buffer yet.
      return isTooEmpty || fullness.hasRunEmpty
        ? LoweredRate(rate: buffer.rate, parameterSets: sets) : nil
    }
    guard isTooEmpty else { return nil }
    // Aim a bit lower than necessary, because the encoder does not meet its rate exactly.
    let missing = (CodedPictureBuffer.seam - fullness.share + 0.05) * buffer.size
    let lower = (before?.rate ?? buffer.rate) - 1.25 * missing / max(fullness.seconds, 0.001)
    guard lower > buffer.rate / 2 else {
      throw unfit(range, because: "it empties the buffer that vbv-bufsize describes")
    }
    return LoweredRate(rate: lower, parameterSets: sets)
  }
}
