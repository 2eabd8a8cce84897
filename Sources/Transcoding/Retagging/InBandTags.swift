internal import Bitstreams
internal import ISOBMFF
internal import NALUnits

/// Finds what samples say of color themselves, by parameter sets or SEI, and what it becomes. Only
/// these units change; every other byte of a sample stays, whatever it is.
struct InBandTags {
  let source: FileByteSource
  let checkpoint: Pipeline.Checkpoint
  /// Units that change.
  private(set) var patches = BytePatches()

  init(source: FileByteSource, checkpoint: @escaping Pipeline.Checkpoint) {
    self.source = source
    self.checkpoint = checkpoint
  }

  /// Looks into a track's samples.
  ///
  /// - Parameter entry: the track's sample entry, after it was changed.
  mutating func find(
    in track: Movie.Track, entry: Box, _ retagger: SampleEntryRetagger
  ) throws {
    guard entry.type != "encv",
      let (box, codec) = SampleEntryRetagger.configurations.first(where: {
        entry.child($0.box) != nil
      }),
      let record = DecoderConfiguration(entry.child(box)?.fields ?? [], codec),
      let lengthSize = record.lengthSize
    else { return }
    let units = SampleUnits(source: source, lengthSize: lengthSize)
    for sample in try SampleTable(track.box).ranges {
      try checkpoint()
      for place in try units.places(in: sample) {
        guard let carrier = TagCarrier(place.header, codec) else { continue }
        let old = try units.unit(place)
        let new = try retagger.retag(old, codec)
        let withLength = place.range.lowerBound - UInt64(lengthSize)..<place.range.upperBound
        if retagger.changes.forbidsInBandSets && carrier != .sei {
          guard record.units.contains(new) else { throw Self.otherSets(entry.type, sample) }
          try patches.replace(withLength, with: [])
        } else if new != old {
          try patches.replace(withLength, with: units.lengthBytes(new) + new.bytes)
        }
      }
    }
  }

  private static func otherSets(_ type: FourCC, _ sample: Range<UInt64>) -> TranscodingError {
    TranscodingError(
      .unusableInput,
      "it cannot become '\(type)': the sample at byte \(sample.lowerBound) has a parameter set that "
        + "the sample entry does not have")
  }
}
