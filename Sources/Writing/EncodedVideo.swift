// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore
package import VideoEncoders

/// Frames that were encoded earlier, in segments. A session writes them instead of encoding frames
/// itself.
package struct EncodedVideo: Sendable {
  /// What all segments share: the parameter sets with start codes (annex B), or the content of
  /// AV1's `av1C`. It declares the color, range and chroma location of the output.
  package let parameterSets: [UInt8]
  /// The encoder parameters that were requested, and the parameters that were used.
  package let report: EncoderParameterReport
  /// The light levels of all frames, or `nil` if they were not measured.
  package let contentLightLevel: ContentLightLevel?
  /// The counts from reading the source's frames.
  package let counts: FrameCounts
  /// Makes a function that returns the next sample in decode order at each call, and `nil` at the
  /// end.
  package let makeReader: @Sendable () -> () throws -> EncodedSample?

  /// Creates a description of encoded frames.
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

/// Counts of what happened while a source's frames were read.
package struct FrameCounts: Hashable, Sendable, Codable {
  /// Damaged frames and packets that were concealed or dropped.
  package var concealed = 0
  /// Frames that no edit presents.
  package var hidden = 0
  /// Frames with a missing or misplaced time, which was replaced.
  package var repairedTimes = 0

  /// Creates counts that are all zero.
  package init() {}
}
