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
    let bitstream = codec.flatMap {
      BitstreamSummary($0, configuration: track.codec.extradata, firstSample: first.firstSample)
    }
    let buffer = first.frame.pixelBuffer
    let boxes = sampleEntry.map { $0.signals.isEmpty ? [SignalDescription()] : $0.signals }
    var claims = (boxes ?? [track.containerSignal]).map {
      SignalClaim(source: .container, signal: $0)
    }
    if let bitstream {
      claims.append(SignalClaim(source: .bitstream, signal: bitstream.signal))
      // libavformat makes up parameter sets for AVC-Intra, whose sample entry has none.
      let isStored = sampleEntry.map { ($0.payload("avcC") ?? $0.payload("hvcC")) != nil } ?? true
      if isStored, let replaced = bitstream.replacedParameterSet {
        claims.append(SignalClaim(source: .sampleEntry, signal: replaced.signal))
      }
      if let preferred = bitstream.preferredTransferCharacteristics {
        let color = ColorDescription(.unspecified, preferred, .unspecified)
        claims.append(
          SignalClaim(source: .preferredTransfer, signal: SignalDescription(color: color)))
      }
    } else if let header = ProResFrameHeader(first.firstSample) {
      claims.append(SignalClaim(source: .bitstream, signal: header.signal))
    }
    claims.append(SignalClaim(source: .decoder, signal: buffer.attachments.signal))
    self.init(
      claims: claims, tags: TagResolver.resolve(claims), bitstream: bitstream,
      size: (buffer.width, buffer.height), format: buffer.format,
      isRGB: buffer.attachments.signal.color.matrixCoefficients == .identity,
      hasAlpha: first.frame.hasAlpha,
      fieldOrder: first.frame.fieldOrder,
      hdrMetadata: HDRMetadata(sampleEntry, bitstream, decoder: buffer.attachments))
  }
}

extension HDRMetadata {
  /// Looks in the boxes first, then in the bitstream, then at what the decoder found.
  fileprivate init(
    _ entry: SampleEntry?, _ bitstream: BitstreamSummary?, decoder: Attachments
  ) {
    masteringDisplay = Finding([
      (entry?.masteringDisplay, "mdcv box"), (bitstream?.first(\.masteringDisplay), "SEI 137"),
      (decoder.masteringDisplay, "decoder"),
    ])
    contentLightLevel = Finding([
      (entry?.contentLightLevel, "clli box"), (bitstream?.first(\.contentLightLevel), "SEI 144"),
      (decoder.contentLightLevel, "decoder"),
    ])
    ambientViewingEnvironment = Finding([
      (entry?.ambientViewingEnvironment, "amve box"),
      (bitstream?.first(\.ambientViewingEnvironment), "SEI 148"),
    ])
    dolbyVision = Finding(
      ["dvcC", "dvvC", "dvwC"].map { type in
        (entry?.payload(type).flatMap { ConfigurationRecord(payload: $0) }, "\(type) box")
      })
    hasDolbyVisionRPU = bitstream?.hasDolbyVisionRPU ?? false
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
