// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
public import CodePoints

/// The changes of a file's tags. Nil leaves a tag as it is.
public struct TagChanges: Sendable, Hashable {
  /// The state of a tag after a change.
  public enum Statement<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The file states a value.
    case stated(Value)
    /// The file states nothing: the tag is removed.
    case unstated
  }

  /// The color; unspecified removes it.
  public var color: ColorDescription?
  /// Full range (true) or limited (false).
  public var videoFullRangeFlag: Statement<Bool>?
  /// The chroma location.
  public var chromaLocation: Statement<ChromaLocation>?
  /// The four characters of the sample entry: `hvc1`, `hev1`, `avc1`, `avc3`.
  public var codecTag: String?

  /// Static HDR metadata that is stated.
  private var stated = StaticHDRMetadata()
  /// The boxes of the kinds of static HDR metadata that are removed.
  private var removed: Set<FourCC> = []

  /// No change.
  public init() {}

  /// Change of a kind of static HDR metadata, in its box and its SEI message; nil for none.
  package subscript<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> Statement<Kind>? {
    get { removed.contains(Kind.box) ? .unstated : stated[kind].map(Statement.stated) }
    set {
      removed.remove(Kind.box)
      stated[kind] = nil
      switch newValue {
      case .stated(let value): stated[kind] = value
      case .unstated: removed.insert(Kind.box)
      case nil: break
      }
    }
  }

  /// The ambient viewing environment.
  public var ambientViewingEnvironment: Statement<AmbientViewingEnvironment>? {
    get { self[AmbientViewingEnvironment.self] }
    set { self[AmbientViewingEnvironment.self] = newValue }
  }

  /// The mastering display.
  public var masteringDisplay: Statement<MasteringDisplayColorVolume>? {
    get { self[MasteringDisplayColorVolume.self] }
    set { self[MasteringDisplayColorVolume.self] = newValue }
  }

  /// The content's light levels.
  public var contentLightLevel: Statement<ContentLightLevel>? {
    get { self[ContentLightLevel.self] }
    set { self[ContentLightLevel.self] = newValue }
  }

  /// The sample entries that frames can be given.
  static let sampleEntries = VideoSampleEntry.allCases.filter { !$0.isDolbyVision }

  /// The sample entry that frames get; nil where it stays, and where ``codecTag`` is none.
  var sampleEntry: VideoSampleEntry? { Self.sampleEntries.first { $0.rawValue == codecTag } }

  /// True if nothing is changed.
  public var isEmpty: Bool { self == TagChanges() }

  /// A signal after the changes.
  func apply(to signal: inout SignalDescription) {
    if let color { signal.color = color }
    switch videoFullRangeFlag {
    case .stated(let isFull): signal.videoFullRangeFlag = isFull
    case .unstated: signal.videoFullRangeFlag = nil
    case nil: break
    }
    switch chromaLocation {
    case .stated(let location): signal.chromaLocation = location
    case .unstated: signal.chromaLocation = nil
    case nil: break
    }
  }
}
