// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// Compresses frames given in the order of presentation into samples in the order of decoding.
///
/// An encoder is used by one thread at a time.
package protocol VideoEncoder: AnyObject {
  /// The parameter sets with start codes (H.264 and H.265, Annex B). They are not in the samples.
  /// Code points that the encoder does not know are "unspecified" in them.
  var parameterSets: [UInt8] { get }

  /// The parameters that the encoder was asked for, and those that it uses, for people.
  var parameterReport: EncoderParameterReport { get }

  /// Takes a frame; gives the samples that have become ready, often none.
  ///
  /// - Throws: ``VideoEncoderError/encodingFailed(encoder:code:)``.
  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample]

  /// Gives samples that are still held back; none when all were given. No frame can be encoded
  /// after the first call.
  func drain() throws(VideoEncoderError) -> [EncodedSample]

  /// Takes note of a frame before the first, whose sample is not wanted: the segment before has it.
  func follow(_ frame: VideoFrame) throws(VideoEncoderError)

  /// The light levels of all frames, where they are measured, after the last sample was given;
  /// nil, the default, where they are not.
  var contentLightLevel: ContentLightLevel? { get }
}

extension VideoEncoder {
  /// Ignores the frame: nothing depends on it.
  package func follow(_ frame: VideoFrame) throws(VideoEncoderError) {}

  /// Measured light levels: nil, since nothing was measured.
  package var contentLightLevel: ContentLightLevel? { nil }
}

/// The parameters that an encoder was asked for, and those that it uses.
package struct EncoderParameterReport: Sendable {
  /// The encoder and its version.
  package let encoder: String
  /// The options that were set, in order, as the encoder's own names and values.
  package let requested: [(name: String, value: String)]
  /// The values in force after the encoder was opened, as far as it tells them.
  package let effective: [(name: String, value: String)]

  /// A report from its parts.
  package init(
    encoder: String, requested: [(name: String, value: String)],
    effective: [(name: String, value: String)]
  ) {
    (self.encoder, self.requested, self.effective) = (encoder, requested, effective)
  }
}

/// Error of an encoder that cannot be opened or cannot continue.
package enum VideoEncoderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// This build has no such encoder.
  case notBuiltIn(encoder: String)
  /// The library was built without support for this bit depth.
  case bitDepthUnavailable(encoder: String, bitDepth: Int)
  /// The encoder cannot compress frames of this size.
  case unsupportedSize(
    encoder: String, size: VideoDimensions, reason: String, decidedBy: EncoderProperty?)
  /// The encoder cannot write this chroma subsampling.
  case unsupportedFormat(encoder: String, format: PixelFormat)
  /// An option that the encoder does not know, or a value that it does not take.
  case invalidOption(encoder: String, name: String, value: String)
  /// An option that would contradict other settings.
  case contradictingOption(encoder: String, name: String, decidedBy: EncoderProperty)
  /// A coding tree unit that is larger than frames of this size can have.
  case treeUnitTooLarge(largest: Int)
  /// The encoder refused the parameters as a whole.
  case openFailed(encoder: String)
  /// Another x265 encoder with a different coding tree unit is open in this process.
  case treeUnitInUse(size: Int)
  /// Metadata of a frame that could not be written.
  case metadataFailed(String)
  /// The encoder failed at a frame, with the code that it returned.
  case encodingFailed(encoder: String, code: Int)

  /// The property of the settings that would have to be another; nil where none would help.
  package var decidedBy: EncoderProperty? {
    switch self {
    case .unsupportedSize(_, _, _, let property): property
    case .contradictingOption(_, _, let property): property
    case .openFailed: .options
    default: nil
    }
  }

  /// Description of the error.
  package var description: String {
    switch self {
    case .notBuiltIn(let encoder):
      "\(encoder) is no part of this build, which was made without the package trait 'GPLEncoders'"
    case .bitDepthUnavailable(let encoder, let bitDepth):
      "this \(encoder) library was built without \(bitDepth)-bit support"
    case .unsupportedSize(let encoder, let size, let reason, _):
      "\(encoder) cannot encode \(size) frames: \(reason)"
    case .unsupportedFormat(let encoder, let format):
      "\(encoder) cannot encode \(format) frames"
    case .invalidOption(let encoder, let name, let value):
      "\(encoder) does not take the option \(name)=\(value)"
    case .contradictingOption(let encoder, let name, _):
      "the \(encoder) option '\(name)' would contradict the settings"
    case .treeUnitTooLarge(let largest):
      "the x265 option 'ctu' would contradict the settings: use \(largest) at most for frames "
        + "of this size"
    case .openFailed(let encoder):
      "\(encoder) refused its parameters"
    case .treeUnitInUse(let size):
      "x265 cannot use a coding tree unit of \(size) while another encoder uses a different one"
    case .metadataFailed(let reason): reason
    case .encodingFailed(let encoder, let code):
      "\(encoder) failed while encoding (code \(code)), as it does where it gets no memory"
    }
  }
}
