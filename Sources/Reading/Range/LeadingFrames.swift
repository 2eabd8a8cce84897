// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Finds where decoding of a track can begin, and which leading frames decoders then return.
struct LeadingFrames {
  // Files state neither where decoding can begin nor which leading frames can be decoded. The first
  // IDR picture may be missing from the list of sync samples. Frames that lead the first sync
  // sample can be decoded if they do not refer to anything before it (RADL frames of HEVC, a closed
  // group of MPEG-2).

  /// The first sample at which decoding can begin, once that sample has been seen.
  private(set) var first: Int?
  /// The samples that come after ``first`` in decoding order but are presented before it, and that
  /// can be decoded.
  private(set) var decodable: Set<Int> = []

  private let codec: CodecParameters
  private let bitstream: (any CodedBitstream)?
  private let configuration: [UInt8]
  private let units: PacketUnits?
  private var firstTime: MediaTime?
  private var isClosed = false

  init(_ track: DemuxedTrack) {
    codec = track.codec
    (bitstream, configuration) = (codec.bitstream, codec.extradata)
    units = PacketUnits(track)
  }

  /// Takes the next packet in decoding order.
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

  /// Whether decoding can begin at a packet. H.264, HEVC and AV1 are judged by their units.
  private func begins(_ packet: Packet) -> Bool {
    // The container's flag may be missing or wrong, but the units show what the frame is.
    units.map { $0.split(packet).own.decodingDelay != nil }
      ?? bitstream?.beginsDecoding(packet.bytes, configuration: configuration) ?? packet.isSync
  }

  /// Whether nothing after a packet refers to anything before it.
  private func isClosed(_ packet: Packet) -> Bool {
    if codec.isMPEG2 { return Self.isClosedGroup(packet.bytes) }
    return pictureType(of: packet)?.closesGroup == true
  }

  private func pictureType(of packet: Packet) -> NALUnitType? {
    units?.split(packet).own.lazy.map(\.type).first(where: \.isVCL)
  }

  /// Whether a group of pictures is closed and not broken (`closed_gop`, `broken_link`; H.262,
  /// 6.2.2.6).
  private static func isClosedGroup(_ bytes: [UInt8]) -> Bool {
    let header: [UInt8] = [0, 0, 1, 0xB8]
    // Before the group's header there may be a sequence header with two quantizer matrices, and
    // extensions. All of them fit into 1024 bytes.
    let place = bytes.prefix(1024).indices.first { bytes[$0...].starts(with: header) }
    guard let place, place + 7 < bytes.count else { return false }
    return bytes[place + 7] & 0x60 == 0x40
  }
}
