internal import Bitstreams
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

  /// Findings of static HDR metadata, by the box of their kind.
  private var staticFindings: [FourCC: any Sendable] = [:]
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

  /// Static HDR metadata of which a place is known.
  package init(_ metadata: StaticHDRMetadata, places: [String]) {
    for kind in StaticHDRMetadata.kinds { state(kind, of: metadata, places) }
  }

  private mutating func state<Kind: StaticHDRMetadataKind>(
    _ kind: Kind.Type, of metadata: StaticHDRMetadata, _ places: [String]
  ) {
    self[kind] = metadata[kind].map { Finding(value: $0, places: places) }
  }

  /// What was found of a kind of static HDR metadata.
  package subscript<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> Finding<Kind>? {
    get { staticFindings[Kind.box] as? Finding<Kind> }
    set { staticFindings[Kind.box] = newValue.map { $0 as any Sendable } }
  }

  /// The mastering display.
  public var masteringDisplay: Finding<MasteringDisplayColorVolume>? {
    self[MasteringDisplayColorVolume.self]
  }
  /// The content's light levels.
  public var contentLightLevel: Finding<ContentLightLevel>? { self[ContentLightLevel.self] }
  /// The ambient viewing environment.
  public var ambientViewingEnvironment: Finding<AmbientViewingEnvironment>? {
    self[AmbientViewingEnvironment.self]
  }

  /// The static HDR metadata that is believed.
  package var staticMetadata: StaticHDRMetadata {
    var metadata = StaticHDRMetadata()
    func take<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) { metadata[kind] = self[kind]?.value }
    for kind in StaticHDRMetadata.kinds { take(kind) }
    return metadata
  }

  /// Forgets kinds of static HDR metadata.
  package mutating func removeStaticMetadata(
    where isRemoved: (any StaticHDRMetadataKind.Type) -> Bool
  ) {
    for kind in StaticHDRMetadata.kinds where isRemoved(kind) { staticFindings[kind.box] = nil }
  }

  /// What is still true of pictures that were made of these.
  package var ofOtherPictures: HDRMetadata {
    var metadata = self
    metadata.removeStaticMetadata { $0.describesContent }
    (metadata.hasDolbyVisionRPU, metadata.dolbyVision) = (false, nil)
    (metadata.dolbyVisionRPU, metadata.hasDolbyVisionEnhancementLayer) = (nil, false)
    metadata.hasHDR10Plus = false
    return metadata
  }

  package static let dolbyVisionName = "Dolby Vision"

  /// What there is, for people.
  package var names: [String] {
    var names: [String] = []
    if hasDolbyVisionRPU || dolbyVision != nil { names.append(Self.dolbyVisionName) }
    if hasHDR10Plus { names.append("HDR10+") }
    let kinds = StaticHDRMetadata.kinds.filter { staticFindings[$0.box] != nil }
    return names + kinds.map { "the \($0.name)" }
  }
}
