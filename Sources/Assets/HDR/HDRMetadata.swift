public import CodePoints
public import DolbyVision

/// The HDR metadata of a track and where it was found.
public struct HDRMetadata: Sendable {
  /// A value and the places that state it: a box's name, an SEI message, the decoder.
  public struct Finding<Value: Sendable>: Sendable {
    /// The value that is believed: of what places state, the first that makes sense.
    public let value: Value
    /// The places that state it, in the order in which they are believed.
    public let places: [String]
    /// What other places state in its stead.
    public var others: [Other] = []

    /// A value and the places that state it.
    package init(value: Value, places: [String], others: [Other] = []) {
      self.value = value
      self.places = places
      self.others = others
    }

    /// Another value and the places that state it.
    public struct Other: Sendable {
      /// The value.
      public var value: Value
      /// The places, in the order in which they are believed.
      public var places: [String]
    }
  }

  /// The mastering display.
  public var masteringDisplay: Finding<MasteringDisplayColorVolume>?
  /// The content's light levels.
  public var contentLightLevel: Finding<ContentLightLevel>?
  /// The ambient viewing environment.
  public var ambientViewingEnvironment: Finding<AmbientViewingEnvironment>?
  /// The Dolby Vision configuration record and its box.
  public var dolbyVision: Finding<ConfigurationRecord>?
  /// Whether the first access units carry Dolby Vision RPUs.
  public var hasDolbyVisionRPU = false
  /// The first of them that can be read.
  package var dolbyVisionRPU: ReferenceProcessingUnit?
  /// Whether the first access units carry units of Dolby Vision's enhancement layer.
  public var hasDolbyVisionEnhancementLayer = false
  /// Whether the first access units carry HDR10+ metadata.
  public var hasHDR10Plus = false

  /// Nothing.
  package init() {}

  /// What is still true of pictures that were made of these.
  package var ofOtherPictures: HDRMetadata {
    var metadata = self
    (metadata.hasDolbyVisionRPU, metadata.dolbyVision) = (false, nil)
    (metadata.dolbyVisionRPU, metadata.hasDolbyVisionEnhancementLayer) = (nil, false)
    (metadata.hasHDR10Plus, metadata.contentLightLevel) = (false, nil)
    return metadata
  }

  package static let dolbyVisionName = "Dolby Vision"

  /// What there is, for people.
  package var names: [String] {
    var names: [String] = []
    if hasDolbyVisionRPU || dolbyVision != nil { names.append(Self.dolbyVisionName) }
    if hasHDR10Plus { names.append("HDR10+") }
    if ambientViewingEnvironment != nil { names.append("the ambient viewing environment") }
    if masteringDisplay != nil { names.append("the mastering display") }
    if contentLightLevel != nil { names.append("the content light level") }
    return names
  }
}
