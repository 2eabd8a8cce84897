internal import Assets
internal import CodePoints
internal import ColorConversion
internal import MediaCore

extension PictureDescription {
  /// A track's pictures as they are decoded.
  ///
  /// - Parameter signal: what they mean, after all was weighed.
  init(_ facts: VideoFacts, signal: SignalDescription) {
    self.init(
      signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive)
    staticHDRMetadata = facts.hdrMetadata.staticMetadata
  }
}
