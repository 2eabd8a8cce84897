// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import Host
package import ISOBMFF
internal import LibAV
internal import NALUnits

extension VideoStatements {
  /// Reads the tags of an H.264, HEVC or AV1 track in a movie.
  ///
  /// - Returns: `nil` for other codecs, or if samples are encrypted.
  package init?(_ track: Movie.Track, source: FileByteSource) throws {
    guard let entry = track.firstUsedEntry, !entry.isEncrypted,
      let (bitstream, configuration) = entry.configuration
    else { return nil }
    self.init(
      bitstream, configuration: configuration, sampleEntry: entry,
      firstSample: try track.beginning(
        of: track.firstSamples().first?.range, entry, configuration, source),
      comparesConfiguration: track.sampleEntries.count == 1)
  }
}

extension SampleEntry {
  /// The content of the box with H.264's or HEVC's parameter sets; `nil` for other codecs.
  package var decoderConfiguration: (payload: [UInt8], codec: NALCodec)? {
    NALCodec.allCases.lazy.compactMap { codec in
      payload(codec.configurationBox).map { ($0, codec) }
    }.first
  }
}

extension AssetTrack {
  /// What is wrong with the codec's configuration; `nil` if it is good or missing.
  package var configurationFault: Notice? {
    if let wrong = video?.configurationCheck?.notices.first { return wrong }
    guard let (payload, codec) = box?.firstUsedEntry?.decoderConfiguration else { return nil }
    do throws(NALUnitError) {
      _ = try DecoderConfiguration(payload, codec)
      return nil
    } catch {
      return .configurationUnreadable(codec.configurationBox, error)
    }
  }
}

extension Movie.Track {
  /// Compares the configuration of each sample entry with the first sample that uses the entry.
  ///
  /// - Returns: a check for each sample entry. It is `nil` if the entry is not compared, as with
  ///   encrypted samples.
  package func configurationChecks(_ source: FileByteSource) throws -> [ConfigurationCheck?] {
    let samples = try firstSamples()
    return try sampleEntries.enumerated().map { index, entry in
      guard !entry.isEncrypted, let (bitstream, configuration) = entry.configuration else {
        return nil
      }
      let sample = samples.first { $0.entry == index }?.range
      return bitstream.check(
        configuration, isInBox: true,
        firstSample: try beginning(of: sample, entry, configuration, source))
    }
  }

  // Only slices (H.264, HEVC) and frames (AV1) are longer than this, and only their headers are
  // needed.
  private static let unitLimit: UInt64 = 1 << 16

  /// Returns a sample with its slices shortened, or the beginning of an AV1 sample. Returns nothing
  /// if there is no sample, or if `hvcC` or `avcC` cannot be read.
  fileprivate func beginning(
    of sample: Range<UInt64>?, _ entry: SampleEntry, _ configuration: [UInt8],
    _ source: FileByteSource
  ) throws -> [UInt8] {
    guard let sample else { return [] }
    guard let codec = entry.decoderConfiguration?.codec else {
      return try source.read(
        at: sample.lowerBound, count: Int(min(UInt64(sample.count), Self.unitLimit)))
    }
    guard let size = (try? DecoderConfiguration(configuration, codec))?.lengthSize else {
      return []
    }
    let units = SampleUnits(source: source, lengthSize: size, codec)
    return try units.places(in: sample).flatMap { place in
      let end = min(place.range.upperBound, place.range.lowerBound + Self.unitLimit)
      let unit = try units.unit(place.range.lowerBound..<end)
      return unit.lengthPrefixed(units.lengthSize)
    }
  }

  /// For each used sample entry, returns where its first sample is in the file. The list is in the
  /// order of these samples, and empty if they are in another file.
  fileprivate func firstSamples() throws -> [(entry: Int, range: Range<UInt64>)] {
    guard box.isTrackOfThisFile else { return [] }
    let table = try SampleTable(self)
    var (known, samples) = (Set<Int>(), [(entry: Int, range: Range<UInt64>)]())
    var before = 0
    for (chunk, entry) in zip(table.chunks.indices, table.sampleEntryIndices) {
      let count = table.sampleCount(inChunk: chunk)
      // Chunks may be empty.
      if count > 0, known.insert(entry).inserted,
        let range = table.ranges(inChunk: chunk, from: before).first
      {
        samples.append((entry, range))
      }
      before += count
    }
    return samples
  }
}
