internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
package import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits

extension VideoFacts {
  /// What a track's boxes, bitstream and first picture say.
  init(_ track: DemuxedTrack, sampleEntry: SampleEntry?, first: FirstPictures.Finding) {
    let statements = VideoStatements(
      track.codec.videoCodec, configuration: track.codec.extradata, sampleEntry: sampleEntry,
      containerSignal: track.containerSignal, firstSample: first.firstSample,
      laterUnits: first.laterUnits)
    let signal = first.attachments.signal
    let claims = statements.claims + [SignalClaim(source: .decoder, signal: signal)]
    let isRGB = signal.color.matrixCoefficients == .identity
    self.init(
      claims: claims, tags: TagResolver.resolve(claims, isRGB: isRGB),
      bitstream: statements.bitstream,
      size: first.size, format: first.format, isRGB: isRGB, hasAlpha: first.hasAlpha,
      fieldOrder: AssetTrack.fieldOrder(decoded: first.fieldOrder, track, sampleEntry),
      hdrMetadata: HDRMetadata(
        sampleEntry, statements.bitstream, track: track, decoder: first.attachments))
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
      (entry?.dolbyVisionRecords ?? []).map { ($0.record, "\($0.box) box") }
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
      Kind(payload: payload).map { (value: $0, place: "\(Kind.box) box") }
    }
    // Beside the parameter sets and in the first access unit.
    let units = (bitstream?.configurationSEI ?? []) + (bitstream?.sampleSEI ?? [])
    let messages = units.compactMap { message in
      message.value(of: kind).map { (value: $0, place: "SEI \(Kind.payloadType)") }
    }
    self[kind] = Finding(
      boxes + Self.container(container?[kind]) + messages, decoder: decoder[kind])
  }

  private static func container<Value>(_ value: Value?) -> [(value: Value, place: String)] {
    value.map { [($0, "container")] } ?? []
  }
}
