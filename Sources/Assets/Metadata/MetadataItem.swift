// SPDX-License-Identifier: GPL-2.0-or-later
/// A title, a name, a date or a place that a file states, or that is to be written into a file.
/// Corresponds to `AVMetadataItem`.
public struct MetadataItem: Hashable, Sendable {
  /// The kind of statement, such as a title or a date.
  public var identifier: MetadataIdentifier
  /// The text. Dates are written as in ISO 8601, places as in ISO 6709: `+48.85+002.35/`.
  public var value: String

  /// Makes an item from its parts.
  public init(identifier: MetadataIdentifier, value: String) {
    self.identifier = identifier
    self.value = value
  }
}

/// The kind of statement that a metadata item makes. Corresponds to `AVMetadataIdentifier`. The raw
/// value is QuickTime's key.
public struct MetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The key: `com.apple.quicktime.title`.
  public let rawValue: String

  /// Makes an identifier from a key of QuickTime's metadata.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(key: String) { self.init(rawValue: ContainerMetadata.quickTimePrefix + key) }

  /// The title of the content.
  public static let commonIdentifierTitle = Self(key: "title")
  /// Who made or performed the content.
  public static let commonIdentifierArtist = Self(key: "artist")
  /// A description of the content.
  public static let commonIdentifierDescription = Self(key: "description")
  /// Who published the content.
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
  /// Takes an asset's metadata and replaces the entries that have the same identifiers as the
  /// items; `nil` if there is neither an asset nor an item.
  ///
  /// If there are items, only the metadata that FFmpeg reads is taken.
  package init?(_ items: [MetadataItem], over asset: MediaAsset?) {
    if items.isEmpty {
      guard let asset else { return nil }
      self.init(asset)
      return
    }
    // A box that is not understood here might state what an item is meant to replace, so no box is
    // copied.
    self = .names(ContainerMetadata(asset?.metadata ?? [:], replacing: items))
  }
}

extension ContainerMetadata {
  /// Makes metadata from entries, after items have replaced the entries of the same kinds.
  fileprivate init(_ entries: [String: String], replacing items: [MetadataItem]) {
    var entries = entries
    for item in items {
      let replaced = Set(Self.names(of: item.identifier.rawValue))
      entries = entries.filter { !replaced.contains($0.key.lowercased()) }
      entries[item.identifier.rawValue] = item.value
    }
    self.init(entries)
  }
}
