// SPDX-License-Identifier: GPL-2.0-or-later

/// A title, a name, a date or a place to write into a file: `AVMetadataItem`.
public struct MetadataItem: Hashable, Sendable {
  /// What the item says.
  public var identifier: MetadataIdentifier
  /// The text. Dates are in the form of ISO 8601, places in that of ISO 6709: `+48.85+002.35/`.
  public var value: String

  /// An item from its parts.
  public init(identifier: MetadataIdentifier, value: String) {
    self.identifier = identifier
    self.value = value
  }
}

/// What a metadata item says: `AVMetadataIdentifier`. The raw value is QuickTime's key.
public struct MetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The key: `com.apple.quicktime.title`.
  public let rawValue: String

  /// An identifier from a key of QuickTime's metadata.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(key: String) { self.init(rawValue: ContainerMetadata.quickTimePrefix + key) }

  /// The title.
  public static let commonIdentifierTitle = Self(key: "title")
  /// The artist.
  public static let commonIdentifierArtist = Self(key: "artist")
  /// The description.
  public static let commonIdentifierDescription = Self(key: "description")
  /// The publisher.
  public static let commonIdentifierPublisher = Self(key: "publisher")
  /// Who holds the rights.
  public static let commonIdentifierCopyrights = Self(key: "copyright")
  /// When the content was made.
  public static let commonIdentifierCreationDate = Self(key: "creationdate")
  /// Where the content was made.
  public static let commonIdentifierLocation = Self(key: "location.ISO6709")
  /// The maker of the camera.
  public static let commonIdentifierMake = Self(key: "make")
  /// The model of the camera.
  public static let commonIdentifierModel = Self(key: "model")
  /// The software that made the content.
  public static let commonIdentifierSoftware = Self(key: "software")
}

extension CarriedMetadata {
  /// The metadata of an asset with items in the place of what it says under their identifiers;
  /// `nil` if there is neither.
  ///
  /// With items, an asset's metadata are those that FFmpeg reads: boxes whose meaning is unknown
  /// are not copied then.
  package init?(_ items: [MetadataItem], over asset: MediaAsset?) {
    if items.isEmpty {
      guard let asset else { return nil }
      self.init(asset)
      return
    }
    self = .names(ContainerMetadata(asset?.metadata ?? [:], replacing: items))
  }
}

extension ContainerMetadata {
  /// Metadata in which items take the place of entries that say the same kind of thing.
  fileprivate init(_ entries: [String: String], replacing items: [MetadataItem]) {
    var entries = entries
    for item in items {
      let names = Set(Self.names(of: item.identifier.rawValue))
      entries = entries.filter { !names.contains($0.key.lowercased()) }
      entries[item.identifier.rawValue] = item.value
    }
    self.init(entries)
  }
}
