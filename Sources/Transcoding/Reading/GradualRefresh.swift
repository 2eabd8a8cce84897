// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Finds out behind which sync samples of H.264 frames are whole only after some more.
///
/// Encoders without IDR pictures refresh frames part by part. Where that begins, they say so in a
/// recovery point SEI message (H.264, D.2.8), and muxers take it for a sync sample.
struct GradualRefresh: Sendable {
  private let track: AssetTrack
  private let units: PacketUnits
  /// The delays of the samples that were read.
  private var delays: [Int: Int] = [:]

  /// - Returns: nil for codecs other than H.264.
  init?(_ track: AssetTrack) {
    guard let units = PacketUnits(track.demuxed), units.codec == .h264 else { return nil }
    (self.track, self.units) = (track, units)
  }

  /// Takes note of a packet.
  mutating func add(_ packet: Packet, number: Int) {
    guard packet.isSync else { return }
    let delay = Self.delay(in: units.split(packet).own)
    if delay > 0 { delays[number] = delay }
  }

  /// Number of samples behind a sync sample before frames are whole.
  func delay(of sample: Int) -> Int {
    delays[sample] ?? tabledDelay(of: sample)
  }

  /// The same, of a sample that a movie's tables have.
  private func tabledDelay(of sample: Int) -> Int {
    guard let box = track.box, let table = try? SampleTable(box), sample < table.count,
      let length = (try? DecoderConfiguration(track.demuxed.codec.extradata, .h264))?.lengthSize,
      let file = try? FileByteSource(path: track.path)
    else { return 0 }
    let range = table.ranges[sample]
    // The message stands before the slices.
    guard let bytes = try? file.read(at: range.lowerBound, count: min(range.count, 4096)) else {
      return 0
    }
    return Self.delay(in: NALUnit.split(sample: bytes, lengthSize: length, .h264)[...])
  }

  /// Number of samples behind one with such units before frames are whole.
  static func delay(in units: ArraySlice<NALUnit>) -> Int {
    let message = units.lazy.filter(\.type.isSEI).flatMap { SEIMessage.messages(in: $0) }
      .first { $0.payloadType == recoveryPoint }
    guard let message else { return 0 }
    var reader = BitReader(message.payload)
    return (try? reader.ue()).flatMap { Int(exactly: $0) } ?? 0
  }

  private static let recoveryPoint = 6
}
