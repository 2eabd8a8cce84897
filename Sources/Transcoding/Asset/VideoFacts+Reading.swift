internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

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
      containerSignal: track.containerSignal, firstSample: first.firstSample)
    let buffer = first.frame.pixelBuffer
    let claims =
      statements.claims + [SignalClaim(source: .decoder, signal: buffer.attachments.signal)]
    self.init(
      claims: claims, tags: TagResolver.resolve(claims), bitstream: statements.bitstream,
      size: (buffer.width, buffer.height), format: buffer.format,
      isRGB: buffer.attachments.signal.color.matrixCoefficients == .identity,
      hasAlpha: first.frame.hasAlpha,
      fieldOrder: first.frame.fieldOrder,
      hdrMetadata: HDRMetadata(
        sampleEntry, statements.bitstream, track: track, decoder: buffer.attachments))
  }
}

extension HDRMetadata {
  /// Looks in the boxes first, or into what containers without boxes have in their place, then in the
  /// bitstream, then at what the decoder found.
  init(
    _ entry: SampleEntry?, _ bitstream: BitstreamSummary?, track: DemuxedTrack? = nil,
    decoder: Attachments = Attachments()
  ) {
    let other = entry == nil ? track : nil
    masteringDisplay = Finding([
      (entry?.masteringDisplay, "mdcv box"), (other?.containerMasteringDisplay, "container"),
      (bitstream?.first(\.masteringDisplay), "SEI 137"),
      (decoder.masteringDisplay, "decoder"),
    ])
    contentLightLevel = Finding([
      (entry?.contentLightLevel, "clli box"), (other?.containerContentLightLevel, "container"),
      (bitstream?.first(\.contentLightLevel), "SEI 144"),
      (decoder.contentLightLevel, "decoder"),
    ])
    ambientViewingEnvironment = Finding([
      (entry?.ambientViewingEnvironment, "amve box"),
      (bitstream?.first(\.ambientViewingEnvironment), "SEI 148"),
    ])
    dolbyVision = Finding(
      (entry?.dolbyVisionRecords ?? []).map { ($0.record, "\($0.box) box") } + [
        (
          other?.containerDolbyVisionConfiguration.flatMap { ConfigurationRecord(payload: $0) },
          "container"
        )
      ])
    hasDolbyVisionRPU = bitstream?.hasDolbyVisionRPU ?? false
    dolbyVisionRPU = bitstream?.dolbyVisionRPU.flatMap {
      try? ReferenceProcessingUnit(hevcNALUnit: $0.bytes)
    }
    hasDolbyVisionEnhancementLayer = bitstream?.hasDolbyVisionEnhancementLayer ?? false
    hasHDR10Plus = bitstream?.sampleSEI.contains(where: \.isHDR10Plus) ?? false
  }
}

extension HDRMetadata.Finding {
  /// The places that state a value, in the order in which they are believed; nil if none does.
  fileprivate init?(_ candidates: [(value: Value?, place: String)]) {
    guard let value = candidates.lazy.compactMap(\.value).first else { return nil }
    self.init(value: value, places: candidates.filter { $0.value != nil }.map(\.place))
  }
}

extension BitstreamSummary {
  fileprivate func first<Value>(_ property: KeyPath<SEIMessage, Value?>) -> Value? {
    (configurationSEI + sampleSEI).lazy.compactMap { $0[keyPath: property] }.first
  }
}
