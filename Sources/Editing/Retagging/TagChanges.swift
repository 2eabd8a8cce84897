// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
public import CodePoints

/// Changes to a file's tags. If a property is `nil`, the file keeps that tag as it is.
public struct TagChanges: Sendable, Hashable {
  /// What happens to a tag.
  public enum Statement<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The file gets a value.
    case stated(Value)
    /// The tag is removed.
    case unstated
  }

  /// The three color tags together; ``ColorDescription/unspecified`` removes them.
  public var color: ColorDescription?
  /// The range: `true` for full, `false` for limited.
  public var videoFullRangeFlag: Statement<Bool>?
  /// The chroma location of 4:2:0 video.
  public var chromaLocation: Statement<ChromaLocation>?
  /// The four-character code of the sample entry: `hvc1`, `hev1`, `avc1`, `avc3`.
  public var codecTag: String?

  /// The static HDR metadata to set.
  private var stated = StaticHDRMetadata()
  /// The kinds of metadata to remove, each by the type of its box.
  private var removed: Set<FourCC> = []

  /// Makes a value that changes no tag.
  public init() {}

  /// The change to a kind of static HDR metadata, in boxes and in the bitstream.
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

  /// The lighting of the room for which the video is meant.
  public var ambientViewingEnvironment: Statement<AmbientViewingEnvironment>? {
    get { self[AmbientViewingEnvironment.self] }
    set { self[AmbientViewingEnvironment.self] = newValue }
  }

  /// The display that the video was mastered on.
  public var masteringDisplay: Statement<MasteringDisplayColorVolume>? {
    get { self[MasteringDisplayColorVolume.self] }
    set { self[MasteringDisplayColorVolume.self] = newValue }
  }

  /// How bright the content is.
  public var contentLightLevel: Statement<ContentLightLevel>? {
    get { self[ContentLightLevel.self] }
    set { self[ContentLightLevel.self] = newValue }
  }

  /// The sample entries that a track can be given.
  static let sampleEntries = VideoSampleEntry.allCases.filter { !$0.isDolbyVision }

  /// The new sample entry; `nil` if it stays, or if ``codecTag`` is unknown.
  var sampleEntry: VideoSampleEntry? { Self.sampleEntries.first { $0.rawValue == codecTag } }

  /// Whether nothing changes.
  public var isEmpty: Bool { self == TagChanges() }

  /// Applies the changes to a signal.
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
