// SPDX-License-Identifier: GPL-2.0-or-later
#if !GPLEncoders
internal import CodePoints
package import MediaCore

/// The place of an encoder in a build without the trait `GPLEncoders`: its facts are known, and
/// opening it is refused.
package protocol MissingEncoder: EncoderLibrary {}

extension MissingEncoder {
  /// The version, which is none.
  package static var version: String { "not built in" }
  /// The parameter sets, which are none.
  package var parameterSets: [UInt8] { [] }
  /// The parameters, which are none.
  package var parameterReport: EncoderParameterReport {
    EncoderParameterReport(encoder: Self.name, requested: [], effective: [])
  }

  /// Refuses every encoder.
  package static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: name)
  }

  /// Refuses a frame.
  package func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    throw .notBuiltIn(encoder: Self.name)
  }

  /// Gives nothing.
  package func drain() throws(VideoEncoderError) -> [EncodedSample] { [] }
}

/// The place of x264.
package final class X264Encoder: MissingEncoder {
  /// Refuses every encoder.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: Self.name)
  }
}

/// The place of x265.
package final class X265Encoder: MissingEncoder {
  /// Refuses every encoder.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: Self.name)
  }
}
#endif
