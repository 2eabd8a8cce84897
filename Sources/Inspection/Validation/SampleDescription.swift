// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// A track's frames as described by one of its sample descriptions.
struct SampleDescription: Sendable {
  /// The sample entry, or `nil` if the container has none.
  let entry: SampleEntry?
  /// What the bitstream's parameter sets say, or `nil` if the codec is not read here.
  let bitstream: BitstreamSummary?
  /// What all places say about color, range and chroma location.
  let claims: [SignalClaim]
  /// The tags after conflicts between places were resolved.
  let tags: ResolvedTags
  /// The HDR metadata from all places.
  let metadata: HDRMetadata
  /// The size of the frames in luma samples.
  let size: VideoDimensions
  /// Where the configuration contradicts the first sample; `nil` if they were not compared.
  let configurationFaults: [String]?

  /// Creates the first description of a track.
  ///
  /// - Parameter check: the configuration, compared with the first sample that uses it; `nil` if
  ///   they were not compared.
  init(_ facts: VideoFacts, _ entry: SampleEntry?, _ check: ConfigurationCheck?) {
    self.entry = entry
    (bitstream, claims, tags) = (facts.bitstream, facts.claims, facts.tags)
    (metadata, size) = (facts.hdrMetadata, facts.size)
    configurationFaults = check?.faults
  }

  /// Creates a description from the boxes and parameter sets of another sample entry.
  ///
  /// - Parameters:
  ///   - first: facts about the track's first frame, for everything that parameter sets do not say.
  ///   - check: the entry's configuration, compared with the first sample that uses the entry;
  ///     `nil` if they were not compared.
  init(_ entry: SampleEntry, like first: VideoFacts, _ check: ConfigurationCheck?) {
    // A track may switch between sample descriptions. Only a frame of the first description was
    // decoded, so this description has no facts from decoding.
    let found = entry.configuration
    let statements = VideoStatements(
      found?.bitstream, configuration: found?.payload ?? [], sampleEntry: entry, firstSample: [])
    self.entry = entry
    (bitstream, claims) = (statements.bitstream, statements.claims)
    tags = ResolvedTags(statements.claims, isRGB: first.isRGB)
    metadata = HDRMetadata(entry, statements.bitstream)
    size = bitstream?.size ?? first.size
    configurationFaults = check?.faults
  }
}
