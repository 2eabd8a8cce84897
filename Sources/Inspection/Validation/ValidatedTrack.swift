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

/// A video track with everything that rules look at.
struct ValidatedTrack: Sendable {
  let asset: MediaAsset
  let track: AssetTrack
  let facts: VideoFacts
  let samples: SampleSurvey
  let format: VideoSignalFormat
  /// The sample description to check.
  private(set) var description: SampleDescription

  /// Reads all samples of a file's video track.
  init(_ asset: MediaAsset, checkpoint: Pipeline.Checkpoint) throws {
    guard let track = asset.videoTrack else {
      throw TranscodingError(.unusableInput, "\(asset.path) has no video to validate")
    }
    guard let facts = track.video else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): none of its video frames can be decoded")
    }
    self.asset = asset
    self.track = track
    self.facts = facts
    samples = try SampleSurvey(track, checkpoint: checkpoint)
    format = VideoSignalFormat(facts, rpuProfile: samples.rpus.profile)
    description = SampleDescription(
      facts, track.box?.firstUsedEntry, facts.configurationCheck)
  }

  /// A copy of the track for each sample description that its samples use.
  var described: [(number: Int, track: ValidatedTrack)] {
    let entries = track.box?.sampleEntries ?? []
    let used = usedDescriptions
    // A description that no sample uses does no harm, so it is not checked.
    let indices = entries.indices.filter { used?.contains($0) ?? true }
    guard entries.count > 1, !indices.isEmpty else { return [(1, self)] }
    let checks = configurationChecks
    return indices.map { index in
      let check = checks.indices.contains(index) ? checks[index] : nil
      var other = self
      other.description =
        index == 0
        ? SampleDescription(facts, entries[0], check)
        : SampleDescription(entries[index], like: facts, check)
      return (index + 1, other)
    }
  }

  /// The configurations of all sample entries, compared with the samples; empty if the samples
  /// cannot be found.
  private var configurationChecks: [ConfigurationCheck?] {
    guard let box = track.box, let file = try? FileByteSource(path: track.path) else { return [] }
    return (try? box.configurationChecks(file)) ?? []
  }

  /// The indices of the used descriptions, or `nil` if the sample table does not say.
  private var usedDescriptions: Set<Int>? {
    guard asset.movie?.isFragmented == false, let box = track.box,
      let table = try? SampleTable(box)
    else { return nil }
    let chunks = zip(table.chunks, table.sampleEntryIndices)
    return Set(chunks.filter { !$0.0.isEmpty }.map(\.1))
  }

  /// The sample entry in a movie file.
  var entry: SampleEntry? { description.entry }
  /// The four-character code of the sample entry.
  var entryFormat: String? { entry.map { "\($0.format)" } }
  /// The kind of sample entry, or `nil` for codecs that are not known here.
  var sampleEntry: VideoSampleEntry? { entry.flatMap { VideoSampleEntry($0.format) } }
  /// What the bitstream's parameter sets say, or `nil` for codecs that are not read here.
  var bitstream: BitstreamSummary? { description.bitstream }
  /// The color, range and chroma location after conflicts between places were resolved.
  var tags: ResolvedTags { description.tags }
  /// The HDR metadata from all places.
  var metadata: HDRMetadata { description.metadata }
  /// Whether the sample entry says that it contains all parameter sets (ISO/IEC 14496-15, 5.4.2.1
  /// and 8.4.1.1; Dolby Vision Streams within ISOBMFF).
  var holdsAllParameterSets: Bool {
    sampleEntry?.holdsAllParameterSets ?? false
  }
  /// The content of `hvcC`, or `nil` if it is absent or damaged.
  var configuration: HEVCDecoderConfigurationRecord? {
    entry?.payload(HEVCDecoderConfigurationRecord.box).flatMap {
      try? HEVCDecoderConfigurationRecord($0)
    }
  }
  var dolbyVision: ConfigurationRecord? { metadata.dolbyVision?.value }
  /// The transfer function after conflicts between places were resolved.
  var transfer: TransferCharacteristics { tags.signal.color.transferCharacteristics }
  /// Why rules about boxes do not apply.
  var noMovie: String { "\(asset.formatName) has no sample entries" }

  /// Returns the distinct values that `read` finds in SEI messages of `hvcC` and of all samples.
  func stated<Value: Hashable>(_ read: (SEIMessage) -> Value?) -> [Value] {
    let messages = (bitstream?.configurationSEI ?? []) + samples.units.messages
    return messages.compactMap(read).reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }

  /// Returns the distinct values of a kind of static HDR metadata in SEI messages.
  func stated<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [Kind] {
    stated { try? $0.value(of: kind) }
  }

  /// Returns what is wrong with unreadable HDR metadata of a kind.
  func unreadable(
    _ kind: any StaticHDRMetadataKind.Type, in isMeant: (StatementPlace) -> Bool = { _ in true }
  ) -> [String] {
    metadata.unreadable.filter { $0.kind == .init(kind) && isMeant($0.place) }.map {
      "\($0.place): \($0.fault)"
    }
  }

  /// Returns what is wrong with the boxes of a kind of static HDR metadata.
  func boxFaults<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> [String] {
    boxFaults(Kind.box, size: Kind.payloadSize)
  }

  /// Returns what is wrong with boxes of a type that may occur only once in a sample entry.
  ///
  /// - Parameter size: returns the size that a payload should have.
  func boxFaults(_ type: FourCC, size: ([UInt8]) -> Int) -> [String] {
    let payloads = entry?.payloads(type) ?? []
    var faults = payloads.filter { $0.count != size($0) }.map {
      "\(type) has \($0.count.counted("byte")) instead of \(size($0))"
    }
    // Readers disagree about which of several boxes counts, so what is shown depends on the player.
    if payloads.count > 1 {
      faults.append(
        "\(payloads.count) \(Set(payloads).count > 1 ? "different " : "")\(type) boxes instead of "
          + "1")
    }
    return faults
  }
}
