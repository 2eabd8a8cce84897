// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorTagging
package import ISOBMFF
package import NALUnits

/// What a video track's boxes and its first sample say, before anything is decoded.
package struct VideoStatements {
  /// The claims of all places about color, range and chroma location.
  package private(set) var claims: [SignalClaim]
  /// The content of the bitstream's parameter sets; `nil` if the codec is not read here.
  package let bitstream: BitstreamSummary?
  /// The codec's configuration, compared with the first sample; `nil` if they are not compared.
  package let configurationCheck: ConfigurationCheck?

  /// Reads what the boxes and the samples say.
  ///
  /// - Parameters:
  ///   - codec: the bitstream; `nil` if it is not understood.
  ///   - configuration: the content of `avcC`, `hvcC` or `av1C`, or parameter sets with start
  ///     codes.
  ///   - sampleEntry: the sample entry; `nil` if the container has none.
  ///   - containerSignal: the container's signal if there is no sample entry.
  ///   - firstSample: the track's first sample.
  ///   - laterUnits: units of the samples after the first.
  ///   - comparesConfiguration: whether the first sample certainly has this configuration. In a
  ///     movie with several sample entries, it may have another one.
  package init(
    _ codec: (any CodedBitstream)?, configuration: [UInt8], sampleEntry: SampleEntry?,
    containerSignal: SignalDescription = SignalDescription(), firstSample: [UInt8],
    laterUnits: [NALUnit] = [], comparesConfiguration: Bool = true
  ) {
    bitstream = codec?.summary(
      configuration: configuration, firstSample: firstSample, laterUnits: laterUnits)
    let stored = sampleEntry?.configuration?.payload
    configurationCheck =
      comparesConfiguration
      ? codec?.check(stored ?? configuration, isInBox: stored != nil, firstSample: firstSample)
      : nil
    claims =
      sampleEntry?.colorClaims ?? [SignalClaim(source: .container, signal: containerSignal)]
    // If an entry of H.264 or HEVC has no box of parameter sets, libavformat made up the
    // configuration. Other codecs ignore `isStored`.
    let isStored = sampleEntry.map { $0.decoderConfiguration != nil } ?? true
    claims += codec?.claims(of: bitstream, isStored: isStored, firstSample: firstSample) ?? []
  }
}
