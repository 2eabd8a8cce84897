internal import Assets
internal import CodePoints
internal import ColorConversion
internal import VideoEncoders

extension ConversionRefusal: ExplainedError {
  func explained(at path: String) -> TranscodingError {
    TranscodingError(.unusableInput, "\(path): \(self)")
  }
}

extension VideoEncoderError: ExplainedError {
  func explained(at path: String) -> TranscodingError {
    TranscodingError(kind, kind == .invalidSettings ? "preset: \(self)" : "\(path): \(self)")
  }

  fileprivate var kind: TranscodingError.Kind {
    switch self {
    case .bitDepthUnavailable, .treeUnitInUse: .unavailable
    case .unsupportedSize, .unsupportedFormat: .unusableInput
    case .invalidOption, .contradictingOption, .openFailed: .invalidSettings
    case .encodingFailed, .metadataFailed: .internalFault
    }
  }
}

extension TranscodingError {
  /// A contradiction that the option `strict` refuses.
  init(refusing conflict: Notice) {
    self.init(
      .unusableInput, conflict.text, code: .conflictingStatements,
      arguments: ["notice": conflict.code.rawValue])
  }

  /// What an encoder's refusal means before a file is opened for it.
  init(planning error: VideoEncoderError) {
    let kind = error.kind
    self.init(kind, kind == .invalidSettings ? "preset: \(error)" : "\(error)")
  }
}
