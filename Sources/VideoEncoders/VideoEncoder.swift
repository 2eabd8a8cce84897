// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// Compresses frames into samples. Frames arrive in presentation order, and samples are returned in
/// decode order.
///
/// Only one thread may use an encoder at a time.
package protocol VideoEncoder: AnyObject {
  /// The parameter sets of H.264 or HEVC with start codes (annex B), or the content of AV1's
  /// `av1C`. Samples of H.264 and HEVC do not repeat the parameter sets. In parameter sets, code
  /// points that the encoder does not know are "unspecified".
  var parameterSets: [UInt8] { get }

  /// The requested parameters, and the parameters that the encoder uses.
  var parameterReport: EncoderParameterReport { get }

  /// Takes a frame and returns the samples that have become ready, often none.
  ///
  /// - Throws: ``VideoEncoderError/encodingFailed(encoder:code:)``.
  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample]

  /// Returns samples that the encoder still holds, or none once all have been returned. No frame
  /// can be encoded after the first call.
  func drain() throws(VideoEncoderError) -> [EncodedSample]

  /// Shows the encoder a frame that comes before the first frame to encode. The previous segment
  /// contains the sample of that frame.
  func follow(_ frame: VideoFrame) throws(VideoEncoderError)

  /// Notes a frame that comes before the first frame to encode, because the metadata of later
  /// frames may depend on it. Unlike ``follow(_:)``, this does not change how frames are encoded.
  func note(_ frame: VideoFrame)

  /// The light levels measured in all frames. They are available once the last sample has been
  /// returned. `nil`, the default, means that the encoder does not measure.
  var contentLightLevel: ContentLightLevel? { get }

  /// Whether any sample so far contains a place for the measured light levels, which has to be
  /// filled in at the end. `false` is the default.
  var samplesStateLightLevels: Bool { get }
}

extension VideoEncoder {
  /// Ignores the frame, because this encoder learns nothing from it.
  package func follow(_ frame: VideoFrame) throws(VideoEncoderError) {}

  /// Ignores the frame, because the encoder writes no metadata of frames.
  package func note(_ frame: VideoFrame) {}

  /// `nil`, because nothing was measured.
  package var contentLightLevel: ContentLightLevel? { nil }

  /// `false`, because this encoder's samples contain no place for light levels.
  package var samplesStateLightLevels: Bool { false }
}

/// The parameters that an encoder was asked to use, and the parameters that it uses.
package struct EncoderParameterReport: Sendable {
  /// The encoder's name and version.
  package let encoder: String
  /// The options that were set, in order, under the encoder's own names.
  package let requested: [(name: String, value: String)]
  /// The values that the encoder uses, as the library reports them once the encoder is open.
  package let effective: [(name: String, value: String)]

  /// Makes a report from its parts.
  package init(
    encoder: String, requested: [(name: String, value: String)],
    effective: [(name: String, value: String)]
  ) {
    (self.encoder, self.requested, self.effective) = (encoder, requested, effective)
  }
}

/// Why an encoder cannot be opened or cannot continue.
package enum VideoEncoderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// This build lacks the encoder.
  case notBuiltIn(encoder: String)
  /// FFmpeg's libavcodec was built without the encoder.
  case notInLibavcodec(encoder: String)
  /// The encoder has no lossless coding.
  case losslessUnavailable(encoder: String)
  /// At an average bit rate, the encoder cannot make every frame a key frame. The name includes the
  /// version.
  case keyFramesAloneUnavailable(encoder: String)
  /// The library was built without support for this bit depth.
  case bitDepthUnavailable(encoder: String, bitDepth: Int)
  /// The encoder cannot compress frames of this size.
  case unsupportedSize(
    encoder: String, size: VideoDimensions, reason: String, decidedBy: EncoderProperty?)
  /// The encoder cannot write this chroma subsampling or depth.
  case unsupportedFormat(encoder: String, format: PixelFormat)
  /// The encoder does not know the option, or does not accept the value.
  case invalidOption(encoder: String, name: String, value: String)
  /// The option would contradict other settings.
  case contradictingOption(encoder: String, name: String, decidedBy: EncoderProperty)
  /// The option is never used with this encoder.
  case refusedOption(encoder: String, name: String, reason: String)
  /// The coding tree unit is larger than frames of this size allow.
  case treeUnitTooLarge(largest: Int)
  /// The encoder refused the parameters as a whole.
  case openFailed(encoder: String)
  /// Another x265 encoder with a different coding tree unit is open in this process.
  case treeUnitInUse(size: Int)
  /// A frame's metadata could not be written.
  case metadataFailed(String)
  /// The encoder failed at a frame and returned this code.
  case encodingFailed(encoder: String, code: Int)

  /// The setting that the error message gives advice about, or `nil` if it gives no advice.
  package var decidedBy: EncoderProperty? {
    switch self {
    case .unsupportedSize(_, _, _, let property): property
    case .contradictingOption(_, _, let property): property
    case .keyFramesAloneUnavailable: .rateFactor
    // x264 and x265 check each option alone when it is set. Only when an encoder is opened do they
    // check all options together, so a refusal at that time probably comes from the options.
    case .openFailed: .options
    default: nil
    }
  }

  /// The message, as a clause without a period.
  package var description: String {
    switch self {
    case .notBuiltIn(let encoder):
      "\(encoder) is not part of this build, which was made without the package trait 'GPLEncoders'"
    case .notInLibavcodec(let encoder):
      "FFmpeg's libavcodec on this machine was built without \(encoder)"
    case .losslessUnavailable(let encoder): "\(encoder) has no lossless coding"
    case .keyFramesAloneUnavailable(let encoder):
      "\(encoder) cannot make every frame a key frame at an average bit rate"
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
    case .refusedOption(let encoder, let name, let reason):
      "the \(encoder) option '\(name)' cannot be used: \(reason)"
    case .treeUnitTooLarge(let largest):
      "the x265 option 'ctu' would contradict the settings: use at most \(largest) for frames "
        + "of this size"
    case .openFailed(let encoder):
      "\(encoder) refused its parameters"
    case .treeUnitInUse(let size):
      "x265 cannot use a coding tree unit of \(size) while another encoder uses a different one"
    case .metadataFailed(let reason): reason
    case .encodingFailed(let encoder, let code):
      // The return code is the same for a lack of memory as for other failures.
      "\(encoder) failed while encoding (code \(code)); perhaps memory ran out"
    }
  }
}
