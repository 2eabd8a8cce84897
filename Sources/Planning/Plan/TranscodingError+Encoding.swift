// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import Host
internal import VideoEncoders

extension ConversionRefusal: ExplainedError {
  func explained(at path: String) -> TranscodingError {
    TranscodingError(.unusableInput, "\(path): \(self)")
  }
}

extension VideoEncoderError: ExplainedError {
  func explained(at path: String) -> TranscodingError {
    kind == .invalidSettings
      ? TranscodingError(planning: self) : TranscodingError(kind, "\(path): \(advised)")
  }

  /// The error in words, followed by advice for the preset if a change there can help.
  fileprivate var advised: String { decidedBy.map { "\(self)\($0.advice)" } ?? description }

  fileprivate var kind: TranscodingError.Kind {
    switch self {
    case .notBuiltIn, .notInLibavcodec, .losslessUnavailable, .bitDepthUnavailable,
      .keyFramesAloneUnavailable, .treeUnitInUse:
      .unavailable
    case .unsupportedSize, .unsupportedFormat: .unusableInput
    case .invalidOption, .contradictingOption, .refusedOption, .treeUnitTooLarge, .openFailed:
      .invalidSettings
    case .encodingFailed: .unavailable
    case .metadataFailed: .internalFault
    }
  }
}

extension TranscodingError {
  /// Makes the error for a contradiction that `strict` refuses.
  init(refusing conflict: Notice) {
    self.init(
      .unusableInput, conflict.text, code: .conflictingStatements,
      arguments: ["notice": conflict.code.rawValue])
  }

  /// Makes the error for an encoder's refusal, without the name of a file.
  init(planning error: VideoEncoderError) {
    let kind = error.kind
    let text = kind == .invalidSettings ? "preset: \(error.advised)" : error.advised
    // This case has its own code, because the command line has advice for this option.
    if case .contradictingOption(_, let name, .staticMetadata) = error {
      self.init(kind, text, code: .statedMetadata, arguments: ["option": name])
    } else {
      self.init(kind, text)
    }
  }
}

extension EncoderProperty {
  /// Advice for the preset, as the end of a sentence.
  fileprivate var advice: String {
    switch self {
    case .color: ": use video.colorProperties instead"
    case .range: ": use video.range instead"
    case .chromaLocation: ": use video.chromaLocation instead"
    case .sampleAspectRatio: ": use the source's pixel aspect ratio instead"
    case .rateFactor: ": use constantRateFactor instead"
    case .quality: ": use lossless or constantRateFactor instead"
    case .averageBitRate: ": use averageBitRate instead"
    case .lossless: ": use lossless instead"
    case .speed: ": use speed instead"
    case .maxKeyFrameInterval: ": use maxKeyFrameInterval instead"
    case .allowFrameReordering: ": use allowFrameReordering instead"
    case .format: ": use video.pixelFormat instead"
    case .profile: ": use profileLevel instead"
    case .size: "; make them smaller with video.width"
    case .level: "; use a higher one or AutoLevel in video.profileLevel"
    case .staticMetadata: ": use the source's metadata instead"
    case .dynamicMetadata: ": use hdrMetadataInsertionMode instead"
    case .options: ": check video.compressionProperties.encoderOptions"
    case .container: ": use the settings that the container needs"
    }
  }
}
