// SPDX-License-Identifier: GPL-2.0-or-later
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
  ///   - codec: the bitstream; nil where it is not understood.
  ///   - configuration: `avcC` or `hvcC` content, or parameter sets with start codes.
  ///   - sampleEntry: nil where the container has none.
  ///   - containerSignal: the signal that the container states where there is no sample entry.
  ///   - firstSample: the track's first sample.
  ///   - laterUnits: units of the next samples.
  package init(
    _ codec: (any CodedBitstream)?, configuration: [UInt8], sampleEntry: SampleEntry?,
    containerSignal: SignalDescription = SignalDescription(), firstSample: [UInt8],
    laterUnits: [NALUnit] = []
  ) {
    bitstream = codec?.summary(
      configuration: configuration, firstSample: firstSample, laterUnits: laterUnits)
    claims =
      sampleEntry?.colorClaims ?? [SignalClaim(source: .container, signal: containerSignal)]
    let isStored = sampleEntry.map { $0.decoderConfiguration != nil } ?? true
    claims += codec?.claims(of: bitstream, isStored: isStored, firstSample: firstSample) ?? []
  }
}
