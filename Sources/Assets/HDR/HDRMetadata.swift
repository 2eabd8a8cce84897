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
  /// The static HDR metadata, keyed by the box of its kind.
  private var staticFindings: [FourCC: any Hashable & Sendable] = [:]
  /// The Dolby Vision configuration record and its box; `nil` if there is none.
  package var dolbyVision: Finding<ConfigurationRecord>?
  /// The dynamic metadata in the first access units, with one value of each kind that is present.
  /// Usually this is the kind's first value without a fault.
  package var frames = FrameMetadata()
  /// Whether the first access units contain NAL units of Dolby Vision's enhancement layer.
  package var hasDolbyVisionEnhancementLayer = false
  /// The names of user data in the first access units that might be HDR metadata, but of a kind
  /// that Candela does not know.
  package private(set) var otherUserData: [String] = []
  /// Metadata that cannot be read and is ignored.
  package private(set) var unreadable: [UnreadableStatement] = []

  package init() {}

  /// Makes static HDR metadata whose kinds were all found in the same, known places.
  package init(_ metadata: StaticHDRMetadata, places: [StatementPlace]) {
    for kind in StaticHDRMetadata.kinds { state(kind, of: metadata, places) }
  }

  private mutating func state<Kind: StaticHDRMetadataKind>(
    _ kind: Kind.Type, of metadata: StaticHDRMetadata, _ places: [StatementPlace]
  ) {
    self[kind] = metadata[kind].map { Finding(value: $0, places: places) }
  }

  package static func == (a: HDRMetadata, b: HDRMetadata) -> Bool {
    // Existential values have no `==`. As `AnyHashable` they compare by type and value.
    a.staticFindings.mapValues { AnyHashable($0) } == b.staticFindings.mapValues { AnyHashable($0) }
      && a.dolbyVision == b.dolbyVision && a.frames == b.frames
      && a.hasDolbyVisionEnhancementLayer == b.hasDolbyVisionEnhancementLayer
      && a.otherUserData == b.otherUserData && a.unreadable == b.unreadable
  }

  /// The value of a kind of static HDR metadata and its places; `nil` if no place declares it.
  package subscript<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> Finding<Kind>? {
    get { staticFindings[Kind.box] as? Finding<Kind> }
    set { staticFindings[Kind.box] = newValue.map { $0 as any Hashable & Sendable } }
  }

  /// The Dolby Vision RPU that represents the first access units; `nil` if none can be read.
  package var dolbyVisionRPU: ReferenceProcessingUnit? { frames[DolbyVisionRPU.self]?.unit }

  /// The display that the content was mastered on; `nil` if undeclared.
  package var masteringDisplay: Finding<MasteringDisplayColorVolume>? {
    self[MasteringDisplayColorVolume.self]
  }
  /// The light levels of the content's brightest pixel and brightest frame; `nil` if undeclared.
  package var contentLightLevel: Finding<ContentLightLevel>? { self[ContentLightLevel.self] }
  /// The surroundings that the content was made for; `nil` if undeclared.
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

  /// Returns whether a kind of static HDR metadata is only in the fields of a container without
  /// boxes, such as Matroska.
  package func isInContainerAlone(_ kind: any StaticHDRMetadataKind.Type) -> Bool {
    places(of: kind) == [.container]
  }

  /// The places that state a kind of static HDR metadata.
  package func places(of kind: any StaticHDRMetadataKind.Type) -> [StatementPlace] {
    func places<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [StatementPlace] {
      self[kind]?.places ?? []
    }
    return places(kind)
  }

  /// Removes kinds of static HDR metadata.
  package mutating func removeStaticMetadata(
    where isRemoved: (any StaticHDRMetadataKind.Type) -> Bool
  ) {
    for kind in StaticHDRMetadata.kinds where isRemoved(kind) { staticFindings[kind.box] = nil }
  }

  /// The metadata that is still true of new frames made from this track's frames.
  package var ofOtherPictures: HDRMetadata {
    var metadata = self
    // Light levels, for example, measure the old pixels. The mastering display and the viewer's
    // surroundings do not depend on pixels.
    metadata.removeStaticMetadata { $0.describesContent }
    metadata.frames = FrameMetadata()
    (metadata.dolbyVision, metadata.hasDolbyVisionEnhancementLayer) = (nil, false)
    metadata.otherUserData = []
    return metadata
  }

  /// Notices about places that contradict each other. Each notice says which place is believed.
  package var conflicts: [Notice] {
    func conflicts<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [Notice] {
      self[kind]?.conflicts(on: HDRMetadata.Kind(kind)) ?? []
    }
    return StaticHDRMetadata.kindsByPayloadType.flatMap { conflicts($0) }
      + (dolbyVision?.conflicts(on: Kind(DolbyVisionRPU.self)) ?? [])
  }
}

extension HDRMetadata {
  /// A kind of HDR metadata, dynamic or static.
  package enum Kind: Hashable, Sendable, CustomStringConvertible {
    /// Dynamic HDR metadata of the kind with this key, including what containers declare about it.
    case dynamicMetadata(key: String)
    /// Static HDR metadata of the kind with this box.
    case staticMetadata(box: FourCC)

    /// Makes the value for a kind of dynamic metadata.
    package init(_ kind: any DynamicHDRMetadataKind.Type) { self = .dynamicMetadata(key: kind.key) }

    /// Makes the value for a kind of static metadata.
    package init(_ kind: any StaticHDRMetadataKind.Type) { self = .staticMetadata(box: kind.box) }

    /// The kind's name in JSON and in the arguments of notices: `masteringDisplay`.
    package var key: String {
      switch self {
      case .dynamicMetadata(let key): key
      case .staticMetadata(let box): Self.staticKind(box)?.key ?? "\(box)"
      }
    }

    /// The name of what a place declares, as text for people and without an article: "mastering
    /// display".
    package var statement: String {
      switch self {
      case .dynamicMetadata(let key): dynamicKind?.statement ?? key
      case .staticMetadata(let box): Self.staticKind(box)?.name ?? "'\(box)'"
      }
    }

    /// The kind as text for people, with an article if it needs one.
    package var description: String {
      switch self {
      case .dynamicMetadata(let key): dynamicKind?.name ?? key
      case .staticMetadata: "the \(statement)"
      }
    }

    /// The kind of dynamic HDR metadata; `nil` for static metadata.
    package var dynamicKind: (any DynamicHDRMetadataKind.Type)? {
      guard case .dynamicMetadata(let key) = self else { return nil }
      return FrameMetadata.kinds.first { $0.key == key }
    }

    /// The boxes of a sample entry that declare the metadata.
    package var boxes: [FourCC] {
      switch self {
      case .dynamicMetadata: dynamicKind?.boxes ?? []
      case .staticMetadata(let box): [box]
      }
    }

    private static func staticKind(_ box: FourCC) -> (any StaticHDRMetadataKind.Type)? {
      StaticHDRMetadata.kinds.first { $0.box == box }
    }
  }

  package var kinds: [Kind] {
    dynamicKinds.map { Kind($0) }
      + StaticHDRMetadata.kinds.filter { staticFindings[$0.box] != nil }.map { Kind($0) }
  }

  /// The kinds of dynamic metadata that are present.
  package var dynamicKinds: [any DynamicHDRMetadataKind.Type] {
    FrameMetadata.kinds.filter { $0.isPresent(in: self) }
  }

  /// Returns whether the value that represents the first frames can be written to an output; `true`
  /// if there is no such value.
  package func isUsable(_ kind: any DynamicHDRMetadataKind.Type) -> Bool {
    func isValueUsable<Kind: DynamicHDRMetadataKind>(_: Kind.Type) -> Bool {
      frames[Kind.self].map { $0.isUsable(beside: $0) } ?? true
    }
    return isValueUsable(kind)
  }

  /// Returns the kinds in this metadata that do not suit a transfer function.
  package func kinds(notFor transfer: TransferCharacteristics) -> [Kind] {
    var rest = self
    rest.removeStaticMetadata { $0.transferFunctions.contains(transfer) }
    let fit = dynamicKinds.filter { $0.goes(with: transfer, in: self) }.map { Kind($0) }
    return rest.kinds.filter { !fit.contains($0) }
  }

  /// Returns the name of a kind as text for people. Dolby Vision's name includes the profile if
  /// there is a record.
  package func name(of kind: Kind) -> String {
    kind.dynamicKind?.name(in: self) ?? "\(kind)"
  }
}

extension HDRMetadata {
  /// Looks for metadata in this order: in the container's boxes or other fields, in the bitstream,
  /// and in what the decoder found.
  package init(
    _ entry: SampleEntry?, _ bitstream: BitstreamSummary?, track: DemuxedTrack? = nil,
    decoder: Attachments = Attachments()
  ) {
    // libavformat reads only some of a movie's boxes, and FFmpeg 5.1 does not know `amve`. So for a
    // movie, the boxes are read here, and what libavformat found does not count.
    let other = entry == nil ? track : nil
    self.init()
    for kind in StaticHDRMetadata.kinds {
      find(
        kind, entry, other?.containerStaticHDRMetadata, bitstream,
        decoder: decoder.staticHDRMetadata)
    }
    findRecord(entry, container: other?.containerDolbyVisionConfiguration)
    for kind in FrameMetadata.kinds { find(kind, in: bitstream?.unitsBesidePictures ?? []) }
    hasDolbyVisionEnhancementLayer = bitstream?.hasDolbyVisionEnhancementLayer ?? false
    for name in bitstream?.sampleSEI.compactMap(\.otherUserData) ?? []
    where !otherUserData.contains(name) { otherUserData.append(name) }
  }

  /// Looks for dynamic metadata in the NAL units of the first access units.
  private mutating func find<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type, in units: [NALUnit]) {
    frames[kind] = Kind.representative(of: units)
    // Damaged RPUs are not reported here, but in another notice that says what becomes of them.
    guard let value = frames[kind], !value.isReadable, !value.isOfLaterVersion,
      !Kind.isOfEveryFrame
    else { return }
    unreadable.append(
      UnreadableStatement(kind: .init(kind), place: .samples, fault: "it is damaged or cut off"))
  }

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
    // Phones put the ambient viewing environment only into `hvcC`, beside the parameter sets. So
    // messages in `hvcC` count just like messages in samples.
    let place = bitstream?.place(of: kind)
    for message in (bitstream?.configurationSEI ?? []) + (bitstream?.sampleSEI ?? []) {
      guard let place else { break }
      read(place, into: &messages) { () throws(BitstreamError) in try message.value(of: kind) }
    }
    self[kind] = Finding(
      boxes + Self.container(container?[kind]) + messages, decoder: decoder[kind])
  }

  /// Looks for a Dolby Vision record.
  ///
  /// - Parameter container: the record of a container without boxes; `nil` if there is none.
  private mutating func findRecord(_ entry: SampleEntry?, container: [UInt8]?) {
    let boxes = SampleEntry.dolbyVisionBoxes.compactMap { box in
      entry?.payload(box).map { (payload: $0, place: StatementPlace.box(box)) }
    }
    for (payload, place) in boxes + Self.container(container) {
      do throws(DolbyVisionError) {
        _ = try ConfigurationRecord(payload: payload)
      } catch {
        unreadable.append(.init(kind: .init(DolbyVisionRPU.self), place: place, fault: "\(error)"))
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
