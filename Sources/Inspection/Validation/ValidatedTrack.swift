// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// A video track with all that rules look at.
struct ValidatedTrack: Sendable {
  let asset: MediaAsset
  let track: AssetTrack
  let facts: VideoFacts
  let samples: SampleSurvey
  let format: VideoSignalFormat
  /// The sample description that is looked at.
  private(set) var description: SampleDescription

  /// Reads all of a track's samples.
  init(_ asset: MediaAsset, checkpoint: Pipeline.Checkpoint) throws {
    guard let track = asset.videoTrack else {
      throw TranscodingError(.unusableInput, "\(asset.path) holds no video that could be validated")
    }
    guard let facts = track.video else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): no frame of its video can be decoded")
    }
    self.asset = asset
    self.track = track
    self.facts = facts
    samples = try SampleSurvey(track, checkpoint: checkpoint)
    format = VideoSignalFormat(facts, rpuProfile: samples.rpus.profile)
    description = SampleDescription(facts, track.box?.sampleEntries.first)
  }

  /// The track with each of the sample descriptions that its samples use.
  var described: [(number: Int, track: ValidatedTrack)] {
    let entries = track.box?.sampleEntries ?? []
    let used = usedDescriptions
    let indices = entries.indices.filter { used?.contains($0) ?? true }
    guard !indices.isEmpty else { return [(1, self)] }
    return indices.map { index in
      var other = self
      if index > 0 { other.description = SampleDescription(entries[index], like: facts) }
      return (index + 1, other)
    }
  }

  /// The indices of the descriptions of samples; nil where the sample table does not tell.
  private var usedDescriptions: Set<Int>? {
    guard asset.movie?.isFragmented == false, let box = track.box,
      let table = try? SampleTable(box)
    else { return nil }
    let chunks = zip(table.chunks, table.sampleEntryIndices)
    return Set(chunks.filter { !$0.0.isEmpty }.map(\.1))
  }

  /// The sample entry of a movie file.
  var entry: SampleEntry? { description.entry }
  /// The four characters of the sample entry; nil where the container has none.
  var entryFormat: String? { entry.map { "\($0.format)" } }
  /// The kind of sample entry; nil for one of other codecs, and where the container has none.
  var sampleEntry: VideoSampleEntry? { entry.flatMap { VideoSampleEntry($0.format) } }
  /// The content of the bitstream's parameter sets; nil for codecs that are not read here.
  var bitstream: BitstreamSummary? { description.bitstream }
  /// Color, range and chroma location that are believed.
  var tags: ResolvedTags { description.tags }
  /// The HDR metadata, where samples begin.
  var metadata: HDRMetadata { description.metadata }
  /// True if the sample entry says that all parameter sets are in it (ISO/IEC 14496-15, 5.4.2.1 and
  /// 8.4.1.1; Dolby Vision Streams within ISOBMFF).
  var holdsAllParameterSets: Bool {
    sampleEntry?.holdsAllParameterSets ?? false
  }
  /// The content of `hvcC`; nil where there is none, and where it is damaged.
  var configuration: HEVCDecoderConfigurationRecord? {
    entry?.payload(HEVCDecoderConfigurationRecord.box).flatMap {
      try? HEVCDecoderConfigurationRecord($0)
    }
  }
  var dolbyVision: ConfigurationRecord? { metadata.dolbyVision?.value }
  /// Transfer function that is believed.
  var transfer: TransferCharacteristics { tags.signal.color.transferCharacteristics }
  /// Reason for which rules of boxes do not apply.
  var noMovie: String { "\(asset.formatName) has no sample entries" }

  /// The values that messages of a type state, in `hvcC` and in all samples.
  func stated<Value: Hashable>(_ read: (SEIMessage) -> Value?) -> [Value] {
    let messages = (bitstream?.configurationSEI ?? []) + samples.units.messages
    return messages.compactMap(read).reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }

  /// The values that messages state of a kind of static HDR metadata.
  func stated<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [Kind] {
    stated { try? $0.value(of: kind) }
  }

  /// Statements of a kind of static HDR metadata that are cut off, where samples begin.
  func unreadable(
    _ kind: any StaticHDRMetadataKind.Type, in isMeant: (StatementPlace) -> Bool = { _ in true }
  ) -> [String] {
    metadata.unreadable.filter { $0.kind == .init(kind) && isMeant($0.place) }.map {
      "\($0.place): \($0.fault)"
    }
  }

  /// Faults of the boxes of a kind of static HDR metadata.
  func boxFaults<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [String] {
    boxFaults(Kind.box, size: Kind.payloadSize)
  }

  /// Faults of the boxes of a type, of which a sample entry has one at most.
  ///
  /// - Parameter size: gives the size that a payload should have.
  func boxFaults(_ type: FourCC, size: ([UInt8]) -> Int) -> [String] {
    let payloads = entry?.payloads(type) ?? []
    var faults = payloads.filter { $0.count != size($0) }.map {
      "\(type) has \($0.count.counted("byte")) in place of \(size($0))"
    }
    if payloads.count > 1 {
      faults.append(
        "\(payloads.count) \(Set(payloads).count > 1 ? "different " : "")\(type) boxes in place of "
          + "1")
    }
    return faults
  }
}
