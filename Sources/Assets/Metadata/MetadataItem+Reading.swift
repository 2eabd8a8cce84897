// SPDX-License-Identifier: GPL-2.0-or-later
public import FoundationEssentials

extension MetadataItem {
  /// The text, the same as ``value``.
  public var stringValue: String? { value }

  /// Returns the items with this identifier.
  public static func metadataItems(
    from items: [MetadataItem], filteredByIdentifier identifier: MetadataIdentifier
  ) -> [MetadataItem] { items.filter { $0.identifier == identifier } }
}

extension MediaAsset {
  /// The URL of the file.
  public var url: URL { URL(fileURLWithPath: path) }

  /// The titles, names, dates and places of ``metadata`` that have a common identifier.
  public var commonMetadata: [MetadataItem] {
    let entries = metadata.sorted { $0.key < $1.key }
    return MetadataIdentifier.common.compactMap { identifier in
      let keys =
        [identifier.rawValue.lowercased()] + ContainerMetadata.names(of: identifier.rawValue)
      let entry = entries.first { keys.contains($0.key.lowercased()) }
      return entry.map { MetadataItem(identifier: identifier, value: $0.value) }
    }
  }
}

extension AsyncProperty where Root == MediaAsset, Value == [MetadataItem] {
  /// ``MediaAsset/commonMetadata``
  public static var commonMetadata: Self { Self { $0.commonMetadata } }
}

extension MetadataIdentifier {
  fileprivate static let common: [MetadataIdentifier] = [
    .commonIdentifierTitle, .commonIdentifierArtist, .commonIdentifierDescription,
    .commonIdentifierPublisher, .commonIdentifierCopyrights, .commonIdentifierCreationDate,
    .commonIdentifierLocation, .commonIdentifierMake, .commonIdentifierModel,
    .commonIdentifierSoftware,
  ]
}
