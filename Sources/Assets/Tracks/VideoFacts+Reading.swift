internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

extension VideoFacts {
  /// What a track's boxes, bitstream and first frame say.
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
