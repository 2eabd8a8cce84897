// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Finds out at which sync samples of H.264 and HEVC decoding can really begin.
///
/// Tables may be wrong, or not there, and then all samples count as sync samples. Muxers also take
/// for one what only begins to refresh frames part by part.
struct DecodingStarts: Sendable {
  private let track: AssetTrack
  private let units: PacketUnits
  /// Delays by what packets said that were read, where decoding cannot begin there at once.
  private var late: [Int: Int?] = [:]
  private var lastAdded = -1

  /// - Returns: nil for other codecs, whose sync samples are believed.
  init?(_ track: AssetTrack) {
    guard let units = PacketUnits(track.demuxed) else { return nil }
    (self.track, self.units) = (track, units)
  }

  /// Takes note of a packet.
  mutating func add(_ packet: Packet, number: Int) {
    lastAdded = number
    guard packet.isSync else { return }
    let delay = units.split(packet).own.decodingDelay
    if delay != 0 { late.updateValue(delay, forKey: number) }
  }

  /// A look at the samples: for each sync sample the number of samples behind it before frames are
  /// whole; nil where decoding cannot begin there. The file is opened when it is needed first.
  func delays() -> (_ sample: Int) -> Int? {
    lazy var read = tabledUnits()
    return { sample in
      guard sample > lastAdded else { return late[sample] ?? 0 }
      guard let units = read?(sample) else { return 0 }
      return units.decodingDelay
    }
  }

  /// Reads the units of samples that a movie's tables have, nil of one that cannot be read; nil
  /// where there are no tables.
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
