// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Description of a track's frames by one of its sample descriptions: a track may change from one
/// to another in the middle.
struct SampleDescription: Sendable {
  /// The sample entry; nil where the container has none.
  let entry: SampleEntry?
  /// The content of the bitstream's parameter sets; nil for codecs that are not read here.
  let bitstream: BitstreamSummary?
  /// The claims of all places about color, range and chroma location.
  let claims: [SignalClaim]
  /// The tags that are believed.
  let tags: ResolvedTags
  /// Static HDR metadata, wherever it was found.
  let metadata: HDRMetadata
  /// Samples in a row and rows of the frames.
  let size: VideoDimensions

  /// The description that a track begins with.
  init(_ facts: VideoFacts, _ entry: SampleEntry?) {
    self.entry = entry
    (bitstream, claims, tags) = (facts.bitstream, facts.claims, facts.tags)
    (metadata, size) = (facts.hdrMetadata, facts.size)
  }

  /// Description by another sample entry, from its boxes and parameter sets: no picture of it is
  /// decoded.
  ///
  /// - Parameter first: the facts of the track's first picture, for what its parameter sets do not
  ///   tell.
  init(_ entry: SampleEntry, like first: VideoFacts) {
    let found = entry.decoderConfiguration
    let statements = VideoStatements(
      found.flatMap { CodecParameters.bitstream(named: $0.codec.rawValue) },
      configuration: found?.payload ?? [], sampleEntry: entry, firstSample: [])
    self.entry = entry
    (bitstream, claims) = (statements.bitstream, statements.claims)
    tags = ResolvedTags(statements.claims, isRGB: first.isRGB)
    metadata = HDRMetadata(entry, statements.bitstream)
    size =
      bitstream.map(\.parameterSet).map {
        VideoDimensions(width: $0.width, height: $0.height)
      } ?? first.size
  }
}
