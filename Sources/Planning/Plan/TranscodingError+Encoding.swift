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

  /// The error in words, with the preset's key that would avoid it.
  fileprivate var advised: String { decidedBy.map { "\(self)\($0.advice)" } ?? description }

  fileprivate var kind: TranscodingError.Kind {
    switch self {
    case .notBuiltIn, .notInLibavcodec, .losslessUnavailable, .bitDepthUnavailable,
      .treeUnitInUse:
      .unavailable
    case .unsupportedSize, .unsupportedFormat: .unusableInput
    case .invalidOption, .contradictingOption, .treeUnitTooLarge, .openFailed: .invalidSettings
    case .encodingFailed: .unavailable
    case .metadataFailed: .internalFault
    }
  }
}

extension TranscodingError {
  /// A contradiction that `strict` refuses.
  init(refusing conflict: Notice) {
    self.init(
      .unusableInput, conflict.text, code: .conflictingStatements,
      arguments: ["notice": conflict.code.rawValue])
  }

  /// An encoder's refusal while planning, before a file is opened.
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
    case .color: ": use video.colorProperties"
    case .range: ": use video.range"
    case .chromaLocation: ": use video.chromaLocation"
    case .sampleAspectRatio: ": use the source's pixel aspect ratio"
    case .rateFactor: ": use constantRateFactor"
    case .quality: ": use lossless or constantRateFactor"
    case .averageBitRate: ": use averageBitRate"
    case .lossless: ": use lossless"
    case .speed: ": use speed"
    case .maxKeyFrameInterval: ": use maxKeyFrameInterval"
    case .allowFrameReordering: ": use allowFrameReordering"
    case .format: ": use video.pixelFormat"
    case .profile: ": use profileLevel"
    case .size: "; make them smaller with video.width"
    case .level: "; use a higher one or AutoLevel in video.profileLevel"
    case .staticMetadata: ": use the source's metadata"
    case .dynamicMetadata: ": use hdrMetadataInsertionMode"
    case .options: ": check video.compressionProperties.encoderOptions"
    case .container: ": use the settings that the container needs"
    }
  }
}
