// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// Changes the tags inside samples: in parameter sets and SEI messages, or, for AV1, in sequence
/// headers and metadata units. All other bytes of a sample stay unchanged.
extension SampleEntryRetagger {
  /// A sample entry's type and parameter sets, and a reader for the units of its samples.
  private typealias Entry = (type: FourCC, sets: [NALUnit], units: SampleUnits)

  /// Searches a track's samples for units that carry tags, and prepares their changes.
  ///
  /// - Parameter entries: the track's sample entries, already changed.
  /// - Returns: the units that change, and whether there are parameter sets of other layers, which
  ///   are not changed.
  func samplePatches(
    of track: Movie.Track, entries: [Box], _ source: FileByteSource,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> (patches: [BytePatches.Patch], hasOtherLayers: Bool) {
    // The samples of a track may be in another file (ISO/IEC 14496-12, 8.7.2), which is not edited.
    guard track.box.isTrackOfThisFile,
      entries.contains(where: { SampleEntry($0).configuration != nil })
    else { return ([], false) }
    let table = try SampleTable(track, checkpoint: interruptible(checkpoint))
    var (patches, hasOtherLayers) = ([BytePatches.Patch](), false)
    var first = 0
    for (chunk, index) in table.sampleEntryIndices.enumerated() {
      let samples = table.ranges(inChunk: chunk, from: first)
      first += samples.count
      guard entries.indices.contains(index) else { continue }
      if entries[index].holdsAV1 {
        for sample in samples {
          try checkpoint()
          patches += try av1Patches(sample, source)
        }
      }
      guard let entry = content(of: entries[index], source) else { continue }
      for sample in samples {
        try checkpoint()
        guard sample.upperBound <= source.size else {
          throw ISOBMFFError.missingSamples(end: sample.upperBound, fileSize: source.size)
        }
        // Read the header of each unit, and the whole unit only if it may carry tags. Nearly all of
        // a movie's gigabytes are slices.
        let places = try entry.units.places(in: sample)
        hasOtherLayers =
          hasOtherLayers || places.contains { TagCarrier($0.header) == .otherLayer }
        for place in places where TagCarrier(place.header) != nil {
          patches += try patch(place, sample, entry).map { [$0] } ?? []
        }
      }
    }
    return (patches, hasOtherLayers)
  }

  /// Returns what a sample entry contains. Returns `nil` if it has no parameter sets of H.264 or
  /// HEVC, or if its samples are encrypted.
  private func content(of entry: Box, _ source: FileByteSource) -> Entry? {
    guard !SampleEntry.isEncrypted(entry.type),
      let (payload, codec) = SampleEntry(entry).decoderConfiguration,
      let record = try? DecoderConfiguration(payload, codec), let lengthSize = record.lengthSize
    else { return nil }
    let units = SampleUnits(source: source, lengthSize: lengthSize, codec)
    return (entry.type, record.units, units)
  }

  /// Returns the change to a unit that may carry tags, or `nil` if the unit stays the same.
  private func patch(
    _ place: (range: Range<UInt64>, header: NALUnit), _ sample: Range<UInt64>, _ entry: Entry
  ) throws -> BytePatches.Patch? {
    let units = entry.units
    let old = try units.unit(place.range)
    let new = try retag(old, in: "the sample at byte \(sample.lowerBound)")
    let withLength = place.range.lowerBound - UInt64(units.lengthSize)..<place.range.upperBound
    // `hvc1` and `avc1` forbid parameter sets in samples (ISO/IEC 14496-15, 5.4.2 and 8.4.1).
    // Remove those sets, but only if the sample entry has the same ones.
    if changes.forbidsInBandSets && TagCarrier(place.header) != .sei {
      guard let new, entry.sets.contains(new) else { throw Self.otherSets(entry.type, sample) }
      return .init(withLength, with: [])
    }
    return new == old
      ? nil : .init(withLength, with: new?.lengthPrefixed(units.lengthSize) ?? [])
  }

  private static func otherSets(_ type: FourCC, _ sample: Range<UInt64>) -> TranscodingError {
    TranscodingError(
      .unusableInput,
      "the sample entry cannot become '\(type)': it lacks a parameter set that the sample at byte "
        + "\(sample.lowerBound) has")
  }
}
