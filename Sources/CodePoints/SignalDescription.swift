/// The stated meaning of a video signal: colors, range and chroma location.
///
/// A nil says that nothing is stated, which is not the same as the default that a reader assumes
/// (limited range, chroma location left): what is not stated stays unstated on the way through.
public struct SignalDescription: Hashable, Sendable {
  /// The color description; parts that are not stated are unspecified (2).
  public var color: ColorDescription
  /// `VideoFullRangeFlag` of H.273, 8.3: true for full range, false for limited; nil if unstated.
  public var videoFullRangeFlag: Bool?
  /// The chroma location of 4:2:0 video; nil if unstated.
  public var chromaLocation: ChromaLocation?

  /// A description from its parts; everything unstated by default.
  public init(
    color: ColorDescription = .unspecified, videoFullRangeFlag: Bool? = nil,
    chromaLocation: ChromaLocation? = nil
  ) {
    self.color = color
    self.videoFullRangeFlag = videoFullRangeFlag
    self.chromaLocation = chromaLocation
  }
}
