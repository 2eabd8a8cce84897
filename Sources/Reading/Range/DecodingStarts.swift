// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Finds the sync samples of H.264, HEVC and AV1 at which decoding can really begin.
struct DecodingStarts: Sendable {
  // A file's table of sync samples may be wrong. If it is missing, every sample counts as a sync
  // sample. Muxers also mark the start of a gradual refresh, after which frames become whole only
  // part by part.

  private let track: AssetTrack
  private let units: PacketUnits?
  /// The bitstream of a codec whose samples do not consist of NAL units.
  private let bitstream: (any CodedBitstream)?
  private let configuration: [UInt8]
  /// The packets read so far at which decoding does not begin cleanly, by number. The value is the
  /// number of samples after which frames are whole, or `nil` if they never become whole.
  private var late: [Int: Int?] = [:]
  private var lastAdded = -1

  /// - Returns: `nil` for other codecs, whose sync samples are trusted.
  init?(_ track: AssetTrack) {
    self.track = track
    units = PacketUnits(track.demuxed)
    configuration = track.demuxed.codec.extradata
    let bitstream = track.demuxed.codec.bitstream
    self.bitstream = units == nil && bitstream?.tellsDecodingStarts == true ? bitstream : nil
    guard units != nil || self.bitstream != nil else { return nil }
  }

  /// If decoding begins at a packet, frames become whole after some number of samples. Returns that
  /// number, or `nil` if decoding cannot begin at the packet.
  private func delay(of packet: Packet) -> Int? {
    guard let units else { return delay(ofSample: packet.bytes) }
    return units.split(packet).own.decodingDelay
  }

  /// Returns the same as ``delay(of:)``, but for a sample of a movie.
  ///
  /// - Parameter lengthSize: the size of the lengths before NAL units; `nil` for the size that the
  ///   track's first sample entry states.
  private func delay(ofSample sample: [UInt8], lengthSize: Int? = nil) -> Int? {
    if let units { return units.split(sample: sample, lengthSize: lengthSize).decodingDelay }
    return bitstream?.beginsDecoding(sample, configuration: configuration) == false ? nil : 0
  }

  mutating func add(_ packet: Packet, number: Int) {
    lastAdded = number
    guard packet.isSync else { return }
    let delay = delay(of: packet)
    if delay != 0 { late.updateValue(delay, forKey: number) }
  }

  /// Returns a function that takes a sync sample. That function returns the number of samples after
  /// which frames are whole, or `nil` if decoding cannot begin at the sync sample.
  func delays() -> (_ sample: Int) -> Int? {
    // The file is opened only if the function is called for a sample that `add` has not seen.
    lazy var read = tabledSamples()
    return { sample in
      guard sample > lastAdded else { return late[sample] ?? 0 }
      // A sample that cannot be read is left to the decoder, which reports it as damaged.
      guard let (bytes, lengthSize) = read?(sample) else { return 0 }
      return delay(ofSample: bytes, lengthSize: lengthSize)
    }
  }

  /// Returns a function that reads a sample through a movie's tables. With the bytes comes the size
  /// of the lengths before NAL units, as the sample's entry states it. Both this method and the
  /// function return `nil` if there is nothing to read.
  private func tabledSamples() -> ((_ sample: Int) -> (bytes: [UInt8], lengthSize: Int?)?)? {
    guard units?.areSamples ?? true, let box = track.box, let table = try? SampleTable(box),
      let file = try? FileByteSource(path: track.path)
    else { return nil }
    let ranges = table.ranges
    // The demuxer gives all lengths before NAL units one size. These bytes come straight from the
    // file, where each sample entry states a size of its own.
    let sizes = box.sampleEntries.map { entry in
      entry.decoderConfiguration.flatMap { payload, codec in
        try? DecoderConfiguration(payload, codec).lengthSize
      }
    }
    let entries =
      sizes.count < 2
      ? []
      : zip(table.chunks.indices, table.sampleEntryIndices).flatMap { chunk, entry in
        repeatElement(entry, count: table.sampleCount(inChunk: chunk))
      }
    return { sample in
      guard ranges.indices.contains(sample),
        let bytes = try? file.read(at: ranges[sample].lowerBound, count: ranges[sample].count)
      else { return nil }
      let entry = entries.indices.contains(sample) ? entries[sample] : 0
      return (bytes, sizes.indices.contains(entry) ? sizes[entry] : nil)
    }
  }
}
