public import CodePoints

/// What travels with a picture: the meaning of its samples and the static HDR metadata.
public struct Attachments: Hashable, Sendable {
  /// Color, range and chroma location, as far as they are stated.
  public var signal: SignalDescription
  /// The display that the picture was mastered on.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// The content's light levels.
  public var contentLightLevel: ContentLightLevel?
  /// The surroundings that the picture was made to be seen in.
  public var ambientViewingEnvironment: AmbientViewingEnvironment?

  /// Attachments; nothing is stated by default.
  public init(
    signal: SignalDescription = SignalDescription(),
    masteringDisplay: MasteringDisplayColorVolume? = nil,
    contentLightLevel: ContentLightLevel? = nil,
    ambientViewingEnvironment: AmbientViewingEnvironment? = nil
  ) {
    self.signal = signal
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
    self.ambientViewingEnvironment = ambientViewingEnvironment
  }
}
