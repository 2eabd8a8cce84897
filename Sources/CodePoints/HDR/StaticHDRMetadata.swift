// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Static HDR metadata: at most one value of each kind.
package struct StaticHDRMetadata: Hashable, Sendable {
  /// All kinds, in the order of their boxes in a sample entry.
  package static let kinds: [any StaticHDRMetadataKind.Type] = [
    AmbientViewingEnvironment.self,
    MasteringDisplayColorVolume.self,
    ContentLightLevel.self,
    ContentColorVolume.self,
  ]

  /// All kinds, in the order of their SEI messages.
  package static let kindsByPayloadType = kinds.sorted { $0.payloadType < $1.payloadType }

  /// Payloads of boxes, by the boxes' types.
  private var payloads: [FourCC: [UInt8]] = [:]

  /// Nothing.
  package init() {}

  /// Metadata that boxes state.
  ///
  /// - Parameter payload: gives the payload of a box; nil where there is none. A payload that is
  ///   cut off states nothing here; `HDRMetadata` reports it.
  package init(boxes payload: (FourCC) -> [UInt8]?) {
    for kind in Self.kinds { read(kind, payload(kind.box)) }
  }

  private mutating func read<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type, _ payload: [UInt8]?) {
    self[kind] = payload.flatMap { try? Kind(payload: $0) }
  }

  /// The value of a kind; nil for none.
  package subscript<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> Kind? {
    get { payloads[Kind.box].flatMap { try? Kind(payload: $0) } }
    set { payloads[Kind.box] = newValue?.payload }
  }

  /// All values, in the order of ``kinds``.
  package var values: [any StaticHDRMetadataKind] {
    Self.kinds.compactMap { kind in payloads[kind.box].flatMap { try? kind.init(payload: $0) } }
  }

  /// The values of some kinds.
  package func filter(_ isKept: (any StaticHDRMetadataKind.Type) -> Bool) -> StaticHDRMetadata {
    var result = self
    for kind in Self.kinds where !isKept(kind) { result.payloads[kind.box] = nil }
    return result
  }

  /// The surroundings that the frames were made to be seen in.
  package var ambientViewingEnvironment: AmbientViewingEnvironment? {
    get { self[AmbientViewingEnvironment.self] }
    set { self[AmbientViewingEnvironment.self] = newValue }
  }

  /// The display that the frames were mastered on.
  package var masteringDisplay: MasteringDisplayColorVolume? {
    get { self[MasteringDisplayColorVolume.self] }
    set { self[MasteringDisplayColorVolume.self] = newValue }
  }

  /// The content's light levels.
  package var contentLightLevel: ContentLightLevel? {
    get { self[ContentLightLevel.self] }
    set { self[ContentLightLevel.self] = newValue }
  }
}
