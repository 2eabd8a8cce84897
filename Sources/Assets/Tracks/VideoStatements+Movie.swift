// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import Host
package import ISOBMFF
internal import LibAV
internal import NALUnits

extension VideoStatements {
  /// Reads the tags of a movie's track of H.264 or HEVC.
  ///
  /// - Returns: `nil` if the codec is neither H.264 nor HEVC, or if samples are encrypted.
  package init?(_ track: Movie.Track, source: FileByteSource) throws {
    guard let entry = track.sampleEntries.first, !entry.isEncrypted,
      let (configuration, codec) = entry.decoderConfiguration
    else { return nil }
    let lengthSize = (try? DecoderConfiguration(configuration, codec))?.lengthSize
    self.init(
      CodecParameters.bitstream(named: codec.rawValue), configuration: configuration,
      sampleEntry: entry,
      firstSample: try lengthSize.map {
        try track.firstSample(SampleUnits(source: source, lengthSize: $0, codec))
      } ?? [])
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
  /// What is wrong with the box of parameter sets; `nil` if it is good or missing.
  package var configurationFault: Notice? {
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
  // Only slices are longer than this, and only their headers are needed.
  private static let unitLimit: UInt64 = 1 << 16

  /// Returns the track's first sample with its slices cut off; nothing if there is no sample or it
  /// is not in the file.
  fileprivate func firstSample(_ units: SampleUnits) throws -> [UInt8] {
    guard box.isTrackOfThisFile else { return [] }
    let table = try SampleTable(self)
    // Chunks may be empty. The first sample is in the first chunk that is not empty.
    let sample = table.chunks.indices.lazy
      .filter { table.sampleCount(inChunk: $0) > 0 }.first
      .flatMap { table.ranges(inChunk: $0, from: 0).first }
    guard let sample else { return [] }
    return try units.places(in: sample).flatMap { place in
      let end = min(place.range.upperBound, place.range.lowerBound + Self.unitLimit)
      let unit = try units.unit(place.range.lowerBound..<end)
      return unit.lengthPrefixed(units.lengthSize)
    }
  }
}
