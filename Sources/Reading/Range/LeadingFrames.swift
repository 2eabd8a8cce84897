// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Finds out where decoding of a track can begin, and which frames decoders give that are decoded
/// after that and presented before it.
///
/// Files do not tell: a first IDR picture need not be listed as a sync sample, and frames that lead
/// the first sync sample may refer to nothing before it.
struct LeadingFrames {
  /// The first sample at which decoding can begin; nil before it was seen.
  private(set) var first: Int?
  /// Samples behind it that are presented before it, and can be decoded.
  private(set) var decodable: Set<Int> = []

  private let codec: CodecParameters
  private let units: PacketUnits?
  private var firstTime: MediaTime?
  private var isClosed = false

  init(_ track: DemuxedTrack) {
    codec = track.codec
    units = PacketUnits(track)
  }

  /// Takes note of a packet, in the order of decoding.
  mutating func add(_ packet: Packet, number: Int) {
    guard let firstTime else {
      guard begins(packet) else { return }
      (first, firstTime, isClosed) = (number, packet.presentationTimeStamp, isClosed(packet))
      return
    }
    guard let time = packet.presentationTimeStamp, time < firstTime else { return }
    if isClosed || pictureType(of: packet)?.isDecodableWhenLeading == true {
      decodable.insert(number)
    }
  }

  /// True if decoding can begin at a packet, by what it holds where that is H.264 or HEVC.
  private func begins(_ packet: Packet) -> Bool {
    units.map { $0.split(packet).own.decodingDelay != nil } ?? packet.isSync
  }

  /// True if nothing behind a packet refers to what is before it.
  private func isClosed(_ packet: Packet) -> Bool {
    if codec.isMPEG2 { return Self.isClosedGroup(packet.bytes) }
    return pictureType(of: packet)?.closesGroup == true
  }

  private func pictureType(of packet: Packet) -> NALUnitType? {
    units?.split(packet).own.lazy.map(\.type).first(where: \.isVCL)
  }

  /// The flags `closed_gop` and `broken_link` of a group of pictures (H.262, 6.2.2.6).
  private static func isClosedGroup(_ bytes: [UInt8]) -> Bool {
    let header: [UInt8] = [0, 0, 1, 0xB8]
    let place = bytes.prefix(1024).indices.first { bytes[$0...].starts(with: header) }
    guard let place, place + 7 < bytes.count else { return false }
    return bytes[place + 7] & 0x60 == 0x40
  }
}
