internal import Bitstreams
package import CodePoints
package import ColorTagging
package import ISOBMFF
package import NALUnits

/// What a video track's boxes and its first sample say, before anything is decoded.
package struct VideoStatements {
  /// What each place says of color, range and chroma location.
  package private(set) var claims: [SignalClaim]
  /// What the bitstream says; nil for codecs that are not read here.
  package let bitstream: BitstreamSummary?

  /// Reads what is stated.
  ///
  /// - Parameters:
  ///   - codec: nil for codecs other than H.264 and HEVC.
  ///   - configuration: `avcC` or `hvcC` content, or parameter sets with start codes.
  ///   - sampleEntry: nil where the container has none.
  ///   - containerSignal: what the container says where there is no sample entry.
  ///   - firstSample: the track's first sample.
  ///   - laterUnits: units of the next samples.
  package init(
    _ codec: VideoCodec?, configuration: [UInt8], sampleEntry: SampleEntry?,
    containerSignal: SignalDescription = SignalDescription(), firstSample: [UInt8],
    laterUnits: [NALUnit] = []
  ) {
    bitstream = codec.flatMap {
      BitstreamSummary(
        $0, configuration: configuration, firstSample: firstSample, laterUnits: laterUnits)
    }
    claims =
      sampleEntry?.colorClaims ?? [SignalClaim(source: .container, signal: containerSignal)]
    if let bitstream {
      claims += Self.claims(of: bitstream, sampleEntry)
    } else if let header = ProResFrameHeader(firstSample) {
      claims.append(SignalClaim(source: .bitstream, signal: header.signal))
    }
  }

  private static func claims(
    of bitstream: BitstreamSummary, _ sampleEntry: SampleEntry?
  ) -> [SignalClaim] {
    var claims = [SignalClaim(source: .bitstream, signal: bitstream.signal)]
    // libavformat makes up parameter sets for AVC-Intra, whose sample entry has none.
    let isStored = sampleEntry.map { $0.decoderConfiguration != nil } ?? true
    if isStored, let replaced = bitstream.replacedParameterSet {
      claims.append(SignalClaim(source: .sampleEntry, signal: replaced.signal))
    }
    if let preferred = bitstream.preferredTransferCharacteristics {
      let color = ColorDescription(.unspecified, preferred, .unspecified)
      claims.append(
        SignalClaim(source: .preferredTransfer, signal: SignalDescription(color: color)))
    }
    return claims
  }
}
