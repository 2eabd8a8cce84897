// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Static HDR metadata, with at most one value of each kind.
package struct StaticHDRMetadata: Hashable, Sendable {
  // To add a kind, write its type and add a line here. Reading, writing, comparing and checking
  // loop over the list.
  /// All kinds, in the order of their boxes in a sample entry.
  package static let kinds: [any StaticHDRMetadataKind.Type] = [
    AmbientViewingEnvironment.self,
    MasteringDisplayColorVolume.self,
    ContentLightLevel.self,
    ContentColorVolume.self,
  ]

  /// All kinds, in the order of their SEI messages.
  package static let kindsByPayloadType = kinds.sorted { $0.payloadType < $1.payloadType }

  // The values are stored as bytes, because bytes can be compared and hashed. Swift can do neither
  // with `any StaticHDRMetadataKind`.
  /// The payloads, keyed by the type of the box.
  private var payloads: [FourCC: [UInt8]] = [:]

  /// Makes metadata without any value.
  package init() {}

  /// Reads the metadata from boxes.
  ///
  /// - Parameter payload: returns the payload of the box of a type, or `nil` if there is none.
  package init(boxes payload: (FourCC) -> [UInt8]?) {
    // A payload that is cut off counts as absent here; `HDRMetadata` reports it.
    for kind in Self.kinds { read(kind, payload(kind.box)) }
  }

  private mutating func read<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type, _ payload: [UInt8]?) {
    self[kind] = payload.flatMap { try? Kind(payload: $0) }
  }

  /// The value of a kind, if there is one.
  package subscript<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> Kind? {
    get { payloads[Kind.box].flatMap { try? Kind(payload: $0) } }
    set { payloads[Kind.box] = newValue?.payload }
  }

  /// All values, in the order of ``kinds``.
  package var values: [any StaticHDRMetadataKind] {
    Self.kinds.compactMap { kind in payloads[kind.box].flatMap { try? kind.init(payload: $0) } }
  }

  /// Returns only the values of the kinds for which `isKept` is true.
  package func filter(_ isKept: (any StaticHDRMetadataKind.Type) -> Bool) -> StaticHDRMetadata {
    var result = self
    for kind in Self.kinds where !isKept(kind) { result.payloads[kind.box] = nil }
    return result
  }

  /// The surroundings that the video is meant to be seen in.
  package var ambientViewingEnvironment: AmbientViewingEnvironment? {
    get { self[AmbientViewingEnvironment.self] }
    set { self[AmbientViewingEnvironment.self] = newValue }
  }

  /// The display that the video was mastered on.
  package var masteringDisplay: MasteringDisplayColorVolume? {
    get { self[MasteringDisplayColorVolume.self] }
    set { self[MasteringDisplayColorVolume.self] = newValue }
  }

  /// How bright the content is.
  package var contentLightLevel: ContentLightLevel? {
    get { self[ContentLightLevel.self] }
    set { self[ContentLightLevel.self] = newValue }
  }
}

/// Writes each kind under its key, with the kind's own fields.
extension StaticHDRMetadata: JSONObject {
  package static let fields: [JSONField<StaticHDRMetadata>] = kinds.map { field(of: $0) }

  private static func field<Kind: StaticHDRMetadataKind>(
    of _: Kind.Type
  ) -> JSONField<StaticHDRMetadata> {
    JSONField(Kind.key, Kind.meaning) { $0[Kind.self] }
  }
}
