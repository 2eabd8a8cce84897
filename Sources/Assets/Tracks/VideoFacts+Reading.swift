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
    let codec: NALCodec? =
      switch track.codec.codecName {
      case "hevc": .hevc
      case "h264": .avc
      default: nil
      }
    let statements = VideoStatements(
      codec, configuration: track.codec.extradata, sampleEntry: sampleEntry,
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
    masteringDisplay = Finding(
      Self.boxes(entry, "mdcv", MasteringDisplayColorVolume.init(payload:))
        + Self.container(other?.containerMasteringDisplay)
        + Self.messages(bitstream, 137, \.masteringDisplay),
      decoder: decoder.masteringDisplay)
    contentLightLevel = Finding(
      Self.boxes(entry, "clli", ContentLightLevel.init(payload:))
        + Self.container(other?.containerContentLightLevel)
        + Self.messages(bitstream, 144, \.contentLightLevel),
      decoder: decoder.contentLightLevel)
    ambientViewingEnvironment = Finding(
      Self.boxes(entry, "amve", AmbientViewingEnvironment.init(payload:))
        + Self.messages(bitstream, 148, \.ambientViewingEnvironment))
    dolbyVision = Finding(
      (entry?.dolbyVisionRecords ?? []).map { ($0.record, "\($0.box) box") }
        + Self.container(
          other?.containerDolbyVisionConfiguration.flatMap { ConfigurationRecord(payload: $0) }))
    hasDolbyVisionRPU = bitstream?.hasDolbyVisionRPU ?? false
    let units = (bitstream?.dolbyVisionRPUs ?? []).lazy.compactMap {
      try? ReferenceProcessingUnit(hevcNALUnit: $0.bytes)
    }
    dolbyVisionRPU = units.first { $0.issues.isEmpty } ?? units.first
    hasDolbyVisionEnhancementLayer = bitstream?.hasDolbyVisionEnhancementLayer ?? false
    hasHDR10Plus = bitstream?.sampleSEI.contains(where: \.isHDR10Plus) ?? false
  }

  /// What the boxes of a type state, with their place.
  private static func boxes<Value>(
    _ entry: SampleEntry?, _ type: FourCC, _ read: ([UInt8]) -> Value?
  ) -> [(value: Value, place: String)] {
    (entry?.payloads(type) ?? []).compactMap { payload in
      read(payload).map { ($0, "\(type) box") }
    }
  }

  private static func container<Value>(_ value: Value?) -> [(value: Value, place: String)] {
    value.map { [($0, "container")] } ?? []
  }

  /// What messages of a type state beside the parameter sets and in the first access unit.
  private static func messages<Value>(
    _ bitstream: BitstreamSummary?, _ type: Int, _ property: KeyPath<SEIMessage, Value?>
  ) -> [(value: Value, place: String)] {
    ((bitstream?.configurationSEI ?? []) + (bitstream?.sampleSEI ?? [])).compactMap { message in
      message[keyPath: property].map { ($0, "SEI \(type)") }
    }
  }
}
