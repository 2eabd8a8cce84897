// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Finds the sync samples of H.264 and HEVC at which decoding can really begin.
struct DecodingStarts: Sendable {
  // A file's table of sync samples may be wrong. If it is missing, every sample counts as a sync
  // sample. Muxers also mark the start of a gradual refresh, after which frames become whole only
  // part by part.

  private let track: AssetTrack
  private let units: PacketUnits
  /// The packets read so far at which decoding does not begin cleanly, by number. The value is the
  /// number of samples after which frames are whole, or `nil` if they never become whole.
  private var late: [Int: Int?] = [:]
  private var lastAdded = -1

  /// - Returns: `nil` for other codecs, whose sync samples are trusted.
  init?(_ track: AssetTrack) {
    guard let units = PacketUnits(track.demuxed) else { return nil }
    (self.track, self.units) = (track, units)
  }

  mutating func add(_ packet: Packet, number: Int) {
    lastAdded = number
    guard packet.isSync else { return }
    let delay = units.split(packet).own.decodingDelay
    if delay != 0 { late.updateValue(delay, forKey: number) }
  }

  /// Returns a function that takes a sync sample. That function returns the number of samples after
  /// which frames are whole, or `nil` if decoding cannot begin at the sync sample.
  func delays() -> (_ sample: Int) -> Int? {
    // The file is opened only if the function is called for a sample that `add` has not seen.
    lazy var read = tabledUnits()
    return { sample in
      guard sample > lastAdded else { return late[sample] ?? 0 }
      // A sample that cannot be read is left to the decoder, which reports it as damaged.
      guard let units = read?(sample) else { return 0 }
      return units.decodingDelay
    }
  }

  /// Returns a function that reads the NAL units of a sample through a movie's tables. Both this
  /// method and the function return `nil` if there is nothing to read.
  private func tabledUnits() -> ((_ sample: Int) -> [NALUnit]?)? {
    let codec = units.codec
    guard let box = track.box, let ranges = (try? SampleTable(box))?.ranges,
      let length = (try? DecoderConfiguration(track.demuxed.codec.extradata, codec))?.lengthSize,
      let file = try? FileByteSource(path: track.path)
    else { return nil }
    return { sample in
      guard ranges.indices.contains(sample),
        let bytes = try? file.read(at: ranges[sample].lowerBound, count: ranges[sample].count)
      else { return nil }
      return NALUnit.split(sample: bytes, lengthSize: length, codec)
    }
  }
}
