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
    guard let entry = track.sampleEntries.first, !entry.isEncrypted,
      let (bitstream, configuration) = entry.configuration
    else { return nil }
    self.init(
      bitstream, configuration: configuration, sampleEntry: entry,
      firstSample: try track.beginning(of: entry, configuration, source),
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
    guard let (payload, codec) = box?.sampleEntries.first?.decoderConfiguration else { return nil }
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
  /// - Returns: a check for each sample entry; `nil` in place of those that are not compared, as
  ///   for encrypted samples.
  package func configurationChecks(_ source: FileByteSource) throws -> [ConfigurationCheck?] {
    try sampleEntries.enumerated().map { index, entry in
      guard !entry.isEncrypted, let (bitstream, configuration) = entry.configuration else {
        return nil
      }
      let sample = try beginning(of: entry, configuration, source, using: index)
      return bitstream.check(configuration, isInBox: true, firstSample: sample)
    }
  }

  // Only slices (H.264, HEVC) and frames (AV1) are longer than this, and only their headers are
  // needed.
  private static let unitLimit: UInt64 = 1 << 16

  /// Returns the first sample with its slices shortened, or the beginning of an AV1 sample. Returns
  /// nothing if there is no sample, if it is not in the file, or if `hvcC` or `avcC` cannot be
  /// read.
  ///
  /// - Parameter index: the index of a sample entry, to look only at samples that use it; `nil` to
  ///   look at all samples.
  fileprivate func beginning(
    of entry: SampleEntry, _ configuration: [UInt8], _ source: FileByteSource,
    using index: Int? = nil
  ) throws -> [UInt8] {
    guard let sample = try firstSample(using: index) else { return [] }
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

  /// Returns where the first sample is in the file; `nil` if there is no sample, or if it is in
  /// another file.
  private func firstSample(using index: Int?) throws -> Range<UInt64>? {
    guard box.isTrackOfThisFile else { return nil }
    let table = try SampleTable(self)
    // Chunks may be empty. The first sample is in the first chunk that is not empty.
    var before = 0
    for chunk in table.chunks.indices {
      let count = table.sampleCount(inChunk: chunk)
      if count > 0, index == nil || table.sampleEntryIndices[chunk] == index {
        return table.ranges(inChunk: chunk, from: before).first
      }
      before += count
    }
    return nil
  }
}
