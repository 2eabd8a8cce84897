internal import Bitstreams
internal import ISOBMFF
internal import NALUnits

/// Finds samples that say something of color themselves, by parameter sets or SEI, and what they
/// become.
///
/// Both stand where decoding can start (H.265, 7.4.2.4.4), so that only sync samples are
/// read.
struct InBandTags {
  /// Samples whose bytes change.
  private(set) var changes: [(range: Range<UInt64>, bytes: [UInt8])] = []
  /// The new sizes by sample, for each child of `moov` that is a track.
  private(set) var sizes: [Int: [Int: UInt32]] = [:]
  /// What the user should know.
  private(set) var notices: [String] = []

  private let source: FileByteSource
  private let retagger: SampleEntryRetagger
  private let checkpoint: Pipeline.Checkpoint

  init(
    source: FileByteSource, retagger: SampleEntryRetagger,
    checkpoint: @escaping Pipeline.Checkpoint
  ) {
    self.source = source
    self.retagger = retagger
    self.checkpoint = checkpoint
  }

  mutating func find(in movie: Movie) throws {
    for track in movie.tracks where track.handler == "vide" {
      guard let entry = track.sampleEntries.first,
        let configuration = SampleEntryRetagger.configurations.first(where: {
          entry.payload($0.box) != nil
        }), let record = entry.payload(configuration.box),
        let lengthSize = DecoderConfiguration(record, configuration.codec)?.lengthSize
      else { continue }
      try find(in: track, configuration.codec, lengthSize: lengthSize)
    }
  }

  private mutating func find(
    in track: Movie.Track, _ codec: NALCodec, lengthSize: Int
  ) throws {
    let table = try SampleTable(track)
    var hasInBand = false
    for sample in table.syncSamples ?? Array(table.ranges.indices) {
      try checkpoint()
      let range = table.ranges[sample]
      guard range.upperBound <= source.size else { continue }
      let bytes = try source.read(at: range.lowerBound, count: range.count)
      var changed: [UInt8] = []
      var isChanged = false
      for unit in NALUnit.split(sample: bytes, lengthSize: lengthSize) {
        let new = try retagger.retag(unit, codec)
        hasInBand = hasInBand || TagCarrier(unit, codec) == .parameterSet
        isChanged = isChanged || new != unit
        for shift in stride(from: (lengthSize - 1) * 8, through: 0, by: -8) {
          changed.append(UInt8(truncatingIfNeeded: new.bytes.count >> shift))
        }
        changed += new.bytes
      }
      // A sample that is cut off or padded is otherwise left alone.
      guard isChanged else { continue }
      changes.append((range, changed))
      sizes[track.childIndex, default: [:]][sample] = UInt32(clamping: changed.count)
    }
    if hasInBand && retagger.changes.codecTag == "hvc1" {
      notices.append("parameter sets stand in samples too, which 'hvc1' does not allow")
    }
  }
}
