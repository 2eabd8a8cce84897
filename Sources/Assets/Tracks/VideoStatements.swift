// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ColorTagging
package import ISOBMFF
package import NALUnits

/// Statements of a video track's boxes and its first sample, before anything is decoded.
package struct VideoStatements {
  /// The claims of all places about color, range and chroma location.
  package private(set) var claims: [SignalClaim]
  /// The content of the bitstream's parameter sets; nil for codecs that are not read here.
  package let bitstream: BitstreamSummary?

  /// Reads what is stated.
  ///
  /// - Parameters:
  ///   - codec: nil for codecs other than H.264 and HEVC.
  ///   - configuration: `avcC` or `hvcC` content, or parameter sets with start codes.
  ///   - sampleEntry: nil where the container has none.
  ///   - containerSignal: the signal that the container states where there is no sample entry.
  ///   - firstSample: the track's first sample.
  ///   - laterUnits: units of the next samples.
  package init(
    _ codec: NALCodec?, configuration: [UInt8], sampleEntry: SampleEntry?,
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

/// The color that an Apple ProRes frame states in its header (SMPTE RDD 36, 5.1.1 and 6.1.1).
struct ProResFrameHeader {
  let signal: SignalDescription

  /// Reads the beginning of a sample; nil where it is no ProRes frame.
  init?(_ sample: [UInt8]) {
    // Frame size and identifier; then sizes, versions, the picture's size and two bytes of flags.
    var reader = ByteReader(sample, at: 4)
    guard (try? reader.integer(UInt32.self)) == FourCC("icpf").rawValue,
      (try? reader.skip(14)) != nil, let primaries = try? reader.integer(UInt8.self),
      let transfer = try? reader.integer(UInt8.self), let matrix = try? reader.integer(UInt8.self)
    else { return nil }
    // 0 is "unknown" here, as 2 is "unspecified" in H.273.
    func code(_ value: UInt8) -> UInt8 { value == 0 ? 2 : value }
    signal = SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: code(primaries)),
        TransferCharacteristics(rawValue: code(transfer)),
        MatrixCoefficients(rawValue: code(matrix))))
  }
}
