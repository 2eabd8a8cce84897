// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Planning
internal import VideoEncoders

/// A rate with which a segment is encoded again, because it left its buffer too empty.
package struct LoweredRate: Sendable {
  /// The bits that fill the coded picture buffer each second.
  let rate: Double
  /// The parameter sets of the first try, which those of all segments are.
  let parameterSets: [UInt8]

  /// The level that they state. The encoder would choose it by the rate.
  func level(_ codec: VideoCodec) -> String? { codec.bitstream?.level(in: parameterSets) }
}

extension SegmentSource {
  /// The plan for a segment, which begins with its own fullness of the buffer.
  func plan(of range: SegmentRange, _ lowered: LoweredRate?) -> EncodingPlan {
    guard let buffer = encoder.buffer, let start = range.fullness else { return encoding }
    return encoding.withBuffer(
      start: start, rate: lowered?.rate ?? buffer.rate, level: lowered?.level(encoding.codec))
  }

  /// Rate with which a segment has to be encoded again, since it leaves the buffer emptier than the
  /// one behind it begins with; nil where it does not.
  ///
  /// - Parameter before: rate with which it was encoded; nil for that which is asked for.
  /// - Throws: ``TranscodingError`` of the code `unfitSegment` where no rate helps.
  package func loweredRate(
    _ before: LoweredRate?, of range: SegmentRange, after segment: EncodedSegment
  ) throws -> LoweredRate? {
    let sets = before?.parameterSets ?? segment.parameterSets
    guard segment.parameterSets == sets else {
      throw unfit(range, because: "with the rate that its buffer needs it has another level")
    }
    guard let buffer = encoder.buffer, let fullness = segment.fullness, range.end != nil,
      fullness.share < CodedPictureBuffer.seam
    else { return nil }
    // A bit more than what is missing, since the encoder does not meet its rate exactly.
    let missing = (CodedPictureBuffer.seam - fullness.share + 0.05) * buffer.size
    let lower = (before?.rate ?? buffer.rate) - 1.25 * missing / max(fullness.seconds, 0.001)
    guard lower > buffer.rate / 2 else {
      throw unfit(range, because: "it empties the buffer that vbv-bufsize describes")
    }
    return LoweredRate(rate: lower, parameterSets: sets)
  }
}
