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
  /// Statements that cannot be read, and say nothing here.
  package private(set) var unreadable: [UnreadableStatement] = []

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
      && a.unreadable == b.unreadable
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
      self[kind]?.conflicts(on: HDRMetadata.Kind(kind)) ?? []
    }
    return StaticHDRMetadata.kindsByPayloadType.flatMap { conflicts($0) }
      + (dolbyVision?.conflicts(on: .dolbyVision) ?? [])
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

    /// The kind as JSON and the arguments of notices have it: `masteringDisplay`.
    package var key: String {
      switch self {
      case .dolbyVision: "dolbyVision"
      case .hdr10Plus: "hdr10Plus"
      case .staticMetadata(let box): Self.staticKind(box)?.key ?? "\(box)"
      }
    }

    /// Name of a statement of the kind, for people, without an article: "mastering display".
    package var statement: String {
      switch self {
      case .dolbyVision: "Dolby Vision configuration"
      case .hdr10Plus: "HDR10+"
      case .staticMetadata(let box): Self.staticKind(box)?.name ?? "'\(box)'"
      }
    }

    /// The kind for people, with its article.
    package var description: String {
      switch self {
      case .dolbyVision: "Dolby Vision"
      case .hdr10Plus: "HDR10+"
      case .staticMetadata: "the \(statement)"
      }
    }

    private static func staticKind(_ box: FourCC) -> (any StaticHDRMetadataKind.Type)? {
      StaticHDRMetadata.kinds.first { $0.box == box }
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

  /// Kinds of metadata that frames of a transfer function cannot have: Dolby Vision goes with the
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
  /// Looks in the boxes first, or in the fields that other containers have in their place, then in
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
    findRecord(entry, container: other?.containerDolbyVisionConfiguration)
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
    var boxes: [(value: Kind, place: StatementPlace)] = []
    var messages = boxes
    func read(
      _ place: StatementPlace, into found: inout [(value: Kind, place: StatementPlace)],
      _ value: () throws(BitstreamError) -> Kind?
    ) {
      do throws(BitstreamError) {
        if let value = try value() { found.append((value, place)) }
      } catch {
        let new = UnreadableStatement(kind: .init(kind), place: place, fault: "\(error)")
        if !unreadable.contains(new) { unreadable.append(new) }
      }
    }
    for payload in entry?.payloads(Kind.box) ?? [] {
      read(.box(Kind.box), into: &boxes) { () throws(BitstreamError) in try Kind(payload: payload) }
    }
    // Beside the parameter sets and in the first access unit.
    for message in (bitstream?.configurationSEI ?? []) + (bitstream?.sampleSEI ?? []) {
      read(.message(Kind.payloadType), into: &messages) { () throws(BitstreamError) in
        try message.value(of: kind)
      }
    }
    self[kind] = Finding(
      boxes + Self.container(container?[kind]) + messages, decoder: decoder[kind])
  }

  /// Looks for a Dolby Vision record.
  ///
  /// - Parameter container: the record of a container without boxes; nil for none.
  private mutating func findRecord(_ entry: SampleEntry?, container: [UInt8]?) {
    let boxes = SampleEntry.dolbyVisionBoxes.compactMap { box in
      entry?.payload(box).map { (payload: $0, place: StatementPlace.box(box)) }
    }
    for (payload, place) in boxes + Self.container(container) {
      do throws(DolbyVisionError) {
        _ = try ConfigurationRecord(payload: payload)
      } catch {
        unreadable.append(.init(kind: .dolbyVision, place: place, fault: "\(error)"))
      }
    }
    dolbyVision = Finding(
      (entry?.dolbyVisionRecords ?? []).map { ($0.record, .box($0.box)) }
        + Self.container(container.flatMap { try? ConfigurationRecord(payload: $0) }))
  }

  private static func container<Value>(_ value: Value?) -> [(value: Value, place: StatementPlace)] {
    value.map { [($0, .container)] } ?? []
  }
}
