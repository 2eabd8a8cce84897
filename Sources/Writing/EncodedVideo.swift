// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore
package import VideoEncoders

/// Frames that were encoded before, in segments, and that a session writes in the place of those
/// that it would encode.
package struct EncodedVideo: Sendable {
  /// The parameter sets of all segments, with start codes; they state the whole signal.
  package let parameterSets: [UInt8]
  /// The parameters that the encoder was asked for, and those that it used.
  package let report: EncoderParameterReport
  /// The light levels of all frames; nil where they were not measured.
  package let contentLightLevel: ContentLightLevel?
  /// Counts of the reading of the frames.
  package let counts: FrameCounts
  /// Makes what gives the samples in the order of decoding, and nil behind the last.
  package let makeReader: @Sendable () -> () throws -> EncodedSample?

  /// Encoded frames from their parts.
  package init(
    parameterSets: [UInt8], report: EncoderParameterReport, contentLightLevel: ContentLightLevel?,
    counts: FrameCounts, makeReader: @escaping @Sendable () -> () throws -> EncodedSample?
  ) {
    self.parameterSets = parameterSets
    self.report = report
    self.contentLightLevel = contentLightLevel
    self.counts = counts
    self.makeReader = makeReader
  }
}

/// Counts of the reading of a source's frames.
package struct FrameCounts: Hashable, Sendable, Codable {
  /// Damaged frames and packets that were concealed or left out.
  package var concealed = 0
  /// Frames that no edit presents.
  package var hidden = 0
  /// Frames whose time was missing or out of order and was made up.
  package var repairedTimes = 0

  /// Nothing yet.
  package init() {}
}
