// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
public import CodePoints

/// The changes of a file's tags. Nil leaves a tag as it is.
public struct TagChanges: Sendable, Hashable {
  /// Limited or full range, or no statement.
  public enum Range: String, Sendable, CaseIterable {
    /// Code values from 16 to 235 (8 bits).
    case limited
    /// All code values.
    case full
    /// No statement.
    case none
  }

  /// A chroma location, or no statement.
  public enum Location: Sendable, Hashable {
    /// A location.
    case stated(ChromaLocation)
    /// No statement.
    case none
  }

  /// The color; unspecified removes it.
  public var color: ColorDescription?
  /// The range.
  public var range: Range?
  /// The chroma location.
  public var chromaLocation: Location?
  /// The four characters of the sample entry: `hvc1`, `hev1`, `avc1`, `avc3`.
  public var codecTag: String?

  /// Static HDR metadata that is stated.
  private var stated = StaticHDRMetadata()
  /// The boxes of the kinds of static HDR metadata that are removed.
  private var removed: Set<FourCC> = []

  /// Static HDR metadata, or no statement.
  public enum Metadata<Value: Sendable & Hashable>: Sendable, Hashable {
    /// A value.
    case stated(Value)
    /// No statement.
    case none
  }

  /// No change.
  public init() {}

  /// Change of a kind of static HDR metadata, in its box and its SEI message; nil for none.
  package subscript<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> Metadata<Kind>? {
    get { removed.contains(Kind.box) ? Metadata<Kind>.none : stated[kind].map(Metadata.stated) }
    set {
      removed.remove(Kind.box)
      stated[kind] = nil
      switch newValue {
      case .stated(let value): stated[kind] = value
      case .some(.none): removed.insert(Kind.box)
      case nil: break
      }
    }
  }

  /// The ambient viewing environment.
  public var ambientViewingEnvironment: Metadata<AmbientViewingEnvironment>? {
    get { self[AmbientViewingEnvironment.self] }
    set { self[AmbientViewingEnvironment.self] = newValue }
  }

  /// The mastering display.
  public var masteringDisplay: Metadata<MasteringDisplayColorVolume>? {
    get { self[MasteringDisplayColorVolume.self] }
    set { self[MasteringDisplayColorVolume.self] = newValue }
  }

  /// The content's light levels.
  public var contentLightLevel: Metadata<ContentLightLevel>? {
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
    switch range {
    case .limited: signal.videoFullRangeFlag = false
    case .full: signal.videoFullRangeFlag = true
    case .some(.none): signal.videoFullRangeFlag = nil
    case nil: break
    }
    switch chromaLocation {
    case .stated(let location): signal.chromaLocation = location
    case .some(.none): signal.chromaLocation = nil
    case nil: break
    }
  }
}
