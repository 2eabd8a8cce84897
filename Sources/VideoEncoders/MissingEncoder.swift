// SPDX-License-Identifier: GPL-2.0-or-later
#if !GPLEncoders
internal import CodePoints
package import MediaCore

/// Takes the place of an encoder in a build without the package trait `GPLEncoders`. Facts about
/// the encoder are known, but it cannot be opened.
package protocol MissingEncoder: EncoderLibrary {}

extension MissingEncoder {
  /// Says that the library is not built in.
  package static var version: String { "not built in" }
  /// Always empty, since no such encoder can be opened.
  package var parameterSets: [UInt8] { [] }
  /// Always empty, since no such encoder can be opened.
  package var parameterReport: EncoderParameterReport {
    EncoderParameterReport(encoder: Self.name, requested: [], effective: [])
  }

  /// Refuses all settings.
  package static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: name)
  }

  /// Refuses the frame.
  package func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    throw .notBuiltIn(encoder: Self.name)
  }

  /// Returns no samples, because none were encoded.
  package func drain() throws(VideoEncoderError) -> [EncodedSample] { [] }
}

/// Stands in for x264.
package final class X264Encoder: MissingEncoder {
  /// Refuses all settings.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: Self.name)
  }
}

/// Stands in for x265.
package final class X265Encoder: MissingEncoder {
  /// Refuses all settings.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    throw .notBuiltIn(encoder: Self.name)
  }
}
#endif
