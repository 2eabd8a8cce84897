// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// Finds the statements of samples about color, in parameter sets or SEI, and changes them. Only
/// these units change; every other byte of a sample stays.
struct InBandTags {
  let source: FileByteSource
  let checkpoint: Pipeline.Checkpoint
  /// Units that change.
  private(set) var patches: [BytePatches.Patch] = []
  /// True if parameter sets of other layers were found, which stay.
  private(set) var hasOtherLayers = false

  init(source: FileByteSource, checkpoint: @escaping Pipeline.Checkpoint) {
    self.source = source
    self.checkpoint = checkpoint
  }

  /// Looks into a track's samples.
  ///
  /// - Parameter entries: the track's sample entries, after they were changed.
  mutating func find(
    in track: Movie.Track, entries: [Box], _ retagger: SampleEntryRetagger
  ) throws {
    guard track.box.isTrackOfThisFile, entries.contains(where: { $0.parameterSetCodec != nil })
    else {
      return
    }
    let table = try SampleTable(track, checkpoint: interruptible(checkpoint))
    var first = 0
    for (chunk, index) in table.sampleEntryIndices.enumerated() {
      let samples = table.ranges(inChunk: chunk, from: first)
      first += samples.count
      guard entries.indices.contains(index), let entry = Entry(entries[index], source)
      else { continue }
      for sample in samples { try find(in: sample, entry, retagger) }
    }
  }

  /// Facts about a sample entry that are needed to read samples.
  private struct Entry {
    let type: FourCC
    let sets: [NALUnit]
    let units: SampleUnits

    /// - Returns: nil for entries of other codecs, and of encrypted samples.
    init?(_ entry: Box, _ source: FileByteSource) {
      guard !SampleEntry.isEncrypted(entry.type),
        let (payload, codec) = SampleEntry(entry).decoderConfiguration,
        let record = try? DecoderConfiguration(payload, codec), let lengthSize = record.lengthSize
      else { return nil }
      (type, sets) = (entry.type, record.units)
      units = SampleUnits(source: source, lengthSize: lengthSize, codec)
    }
  }

  private mutating func find(
    in sample: Range<UInt64>, _ entry: Entry, _ retagger: SampleEntryRetagger
  ) throws {
    try checkpoint()
    guard sample.upperBound <= source.size else {
      throw ISOBMFFError.missingSamples(end: sample.upperBound, fileSize: source.size)
    }
    let units = entry.units
    for place in try units.places(in: sample) {
      guard let carrier = TagCarrier(place.header) else { continue }
      if carrier == .otherLayer { hasOtherLayers = true }
      let old = try units.unit(place)
      let new = try retagger.retag(old, in: "the sample at byte \(sample.lowerBound)")
      let withLength = place.range.lowerBound - UInt64(units.lengthSize)..<place.range.upperBound
      if retagger.changes.forbidsInBandSets && carrier != .sei {
        guard let new, entry.sets.contains(new) else { throw Self.otherSets(entry.type, sample) }
        patches.append(.init(withLength, with: []))
      } else if new != old {
        let bytes = new?.lengthPrefixed(units.lengthSize) ?? []
        patches.append(.init(withLength, with: bytes))
      }
    }
  }

  private static func otherSets(_ type: FourCC, _ sample: Range<UInt64>) -> TranscodingError {
    TranscodingError(
      .unusableInput,
      "it cannot become '\(type)': the sample at byte \(sample.lowerBound) has a parameter set "
        + "that the sample entry does not have")
  }
}

extension Box {
  /// The codec whose parameter sets a sample entry holds; nil for none.
  var parameterSetCodec: NALCodec? {
    SampleEntry(self).decoderConfiguration?.codec
  }
}
