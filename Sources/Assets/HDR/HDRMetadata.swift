// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import DolbyVision
package import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits

/// The HDR metadata of a track and where it was found.
package struct HDRMetadata: Equatable, Sendable {
  /// Findings of static HDR metadata, by the box of their kind.
  private var staticFindings: [FourCC: any Hashable & Sendable] = [:]
  /// The Dolby Vision configuration record and its box.
  package var dolbyVision: Finding<ConfigurationRecord>?
  /// True if the first access units carry Dolby Vision RPUs.
  package var hasDolbyVisionRPU = false
  /// The first of them that can be read.
  package var dolbyVisionRPU: ReferenceProcessingUnit?
  /// True if the first access units carry units of Dolby Vision's enhancement layer.
  package var hasDolbyVisionEnhancementLayer = false
  /// True if the first access units carry HDR10+ metadata.
  package var hasHDR10Plus = false

  /// Nothing.
  package init() {}

  /// Static HDR metadata of which a place is known.
  package init(_ metadata: StaticHDRMetadata, places: [StatementPlace]) {
    for kind in StaticHDRMetadata.kinds { state(kind, of: metadata, places) }
  }

  private mutating func state<Kind: StaticHDRMetadataKind>(
    _ kind: Kind.Type, of metadata: StaticHDRMetadata, _ places: [StatementPlace]
  ) {
    self[kind] = metadata[kind].map { Finding(value: $0, places: places) }
  }

  package static func == (a: HDRMetadata, b: HDRMetadata) -> Bool {
    a.staticFindings.mapValues { AnyHashable($0) } == b.staticFindings.mapValues { AnyHashable($0) }
      && a.dolbyVision == b.dolbyVision && a.hasDolbyVisionRPU == b.hasDolbyVisionRPU
      && a.dolbyVisionRPU == b.dolbyVisionRPU && a.hasHDR10Plus == b.hasHDR10Plus
      && a.hasDolbyVisionEnhancementLayer == b.hasDolbyVisionEnhancementLayer
  }

  /// The finding for a kind of static HDR metadata; nil if no place states it.
  package subscript<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> Finding<Kind>? {
    get { staticFindings[Kind.box] as? Finding<Kind> }
    set { staticFindings[Kind.box] = newValue.map { $0 as any Hashable & Sendable } }
  }

  /// The mastering display.
  package var masteringDisplay: Finding<MasteringDisplayColorVolume>? {
    self[MasteringDisplayColorVolume.self]
  }
  /// The content's light levels.
  package var contentLightLevel: Finding<ContentLightLevel>? { self[ContentLightLevel.self] }
  /// The ambient viewing environment.
  package var ambientViewingEnvironment: Finding<AmbientViewingEnvironment>? {
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

  /// The metadata that is still true of frames that were made of these.
  package var ofOtherPictures: HDRMetadata {
    var metadata = self
    metadata.removeStaticMetadata { $0.describesContent }
    (metadata.hasDolbyVisionRPU, metadata.dolbyVision) = (false, nil)
    (metadata.dolbyVisionRPU, metadata.hasDolbyVisionEnhancementLayer) = (nil, false)
    metadata.hasHDR10Plus = false
    return metadata
  }

  /// Places that contradict each other, and who is believed.
  package var conflicts: [Notice] {
    func conflicts<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [Notice] {
      self[kind]?.conflicts(on: Kind.name) ?? []
    }
    return StaticHDRMetadata.kindsByPayloadType.flatMap { conflicts($0) }
      + (dolbyVision?.conflicts(on: "Dolby Vision configuration") ?? [])
  }
}

extension HDRMetadata {
  /// A kind of HDR metadata.
  package enum Kind: Hashable, Sendable, CustomStringConvertible {
    /// A Dolby Vision record, RPUs, or both.
    case dolbyVision
    /// HDR10+ of each frame.
    case hdr10Plus
    /// Static HDR metadata of the kind that has a box.
    case staticMetadata(box: FourCC)

    /// A kind of static HDR metadata.
    package init(_ kind: any StaticHDRMetadataKind.Type) { self = .staticMetadata(box: kind.box) }

    /// The kind for people, with its article.
    package var description: String {
      switch self {
      case .dolbyVision: "Dolby Vision"
      case .hdr10Plus: "HDR10+"
      case .staticMetadata(let box):
        StaticHDRMetadata.kinds.first { $0.box == box }.map { "the \($0.name)" } ?? "'\(box)'"
      }
    }
  }

  /// The kinds that are present.
  package var kinds: [Kind] {
    var kinds: [Kind] = []
    if hasDolbyVisionRPU || dolbyVision != nil { kinds.append(.dolbyVision) }
    if hasHDR10Plus { kinds.append(.hdr10Plus) }
    return kinds
      + StaticHDRMetadata.kinds.filter { staticFindings[$0.box] != nil }.map { Kind($0) }
  }

  /// What there is that frames of a transfer function cannot have: Dolby Vision goes with the
  /// base layer that its record names, HDR10+ with PQ, and static metadata with the functions of
  /// its kind.
  package func kinds(notFor transfer: TransferCharacteristics) -> [Kind] {
    var rest = self
    rest.removeStaticMetadata { $0.transferFunctions.contains(transfer) }
    if transfer == .pq { rest.hasHDR10Plus = false }
    if isDolbyVisionBaseLayer(transfer) {
      (rest.dolbyVision, rest.hasDolbyVisionRPU) = (nil, false)
    }
    return rest.kinds
  }

  /// A kind of it for people: Dolby Vision with its profile, where a record states that.
  package func name(of kind: Kind) -> String {
    guard kind == .dolbyVision, let record = dolbyVision?.value else { return "\(kind)" }
    return "\(kind) \(record)"
  }

  /// True if the base layer of Dolby Vision may have a transfer function; RPUs alone are of profile
  /// 8, which goes with each in HDR.
  private func isDolbyVisionBaseLayer(_ transfer: TransferCharacteristics) -> Bool {
    guard let record = dolbyVision?.value else { return transfer.isHDR }
    return DolbyVisionSource(record).baseLayer?.permits(transfer) ?? true
  }
}

extension HDRMetadata {
  /// Looks in the boxes first, or into what containers without boxes have in their place, then in
  /// the bitstream, then at what the decoder found.
  package init(
    _ entry: SampleEntry?, _ bitstream: BitstreamSummary?, track: DemuxedTrack? = nil,
    decoder: Attachments = Attachments()
  ) {
    let other = entry == nil ? track : nil
    self.init()
    for kind in StaticHDRMetadata.kinds {
      find(
        kind, entry, other?.containerStaticHDRMetadata, bitstream,
        decoder: decoder.staticHDRMetadata)
    }
    dolbyVision = Finding(
      (entry?.dolbyVisionRecords ?? []).map { ($0.record, .box($0.box)) }
        + Self.container(
          other?.containerDolbyVisionConfiguration.flatMap {
            try? ConfigurationRecord(payload: $0)
          }))
    hasDolbyVisionRPU = bitstream?.hasDolbyVisionRPU ?? false
    let units = (bitstream?.dolbyVisionRPUs ?? []).lazy.compactMap {
      try? ReferenceProcessingUnit(hevcNALUnit: $0.bytes)
    }
    dolbyVisionRPU = units.first { $0.issues.isEmpty } ?? units.first
    hasDolbyVisionEnhancementLayer = bitstream?.hasDolbyVisionEnhancementLayer ?? false
    hasHDR10Plus = bitstream?.sampleSEI.contains(where: \.isHDR10Plus) ?? false
  }

  /// Looks for a kind of static metadata.
  private mutating func find<Kind: StaticHDRMetadataKind>(
    _ kind: Kind.Type, _ entry: SampleEntry?, _ container: StaticHDRMetadata?,
    _ bitstream: BitstreamSummary?, decoder: StaticHDRMetadata
  ) {
    let boxes = (entry?.payloads(Kind.box) ?? []).compactMap { payload in
      Kind(payload: payload).map { (value: $0, place: StatementPlace.box(Kind.box)) }
    }
    // Beside the parameter sets and in the first access unit.
    let units = (bitstream?.configurationSEI ?? []) + (bitstream?.sampleSEI ?? [])
    let messages = units.compactMap { message in
      message.value(of: kind).map { (value: $0, place: StatementPlace.message(Kind.payloadType)) }
    }
    self[kind] = Finding(
      boxes + Self.container(container?[kind]) + messages, decoder: decoder[kind])
  }

  private static func container<Value>(_ value: Value?) -> [(value: Value, place: StatementPlace)] {
    value.map { [($0, .container)] } ?? []
  }
}
