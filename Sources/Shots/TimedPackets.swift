// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Reading

/// The packets of a track with their times, of which some files state none, in the order of the
/// file.
struct TimedPackets {
  private var packets: TrackPackets
  private let track: AssetTrack
  private let units: PacketUnits?
  private var count = 0
  /// The number of the first frame that a decoder gives from the last sync sample on, from 0; nil
  /// where times are stated.
  private(set) var firstNumber: Int? = 0
  /// The last time that was given.
  private var latest = MediaTime.zero
  /// Packets that were read already.
  private var waiting: [Packet] = []

  init(_ track: AssetTrack) throws {
    self.track = track
    units = PacketUnits(track.demuxed)
    packets = try TrackPackets(track, endsAtDamage: true)
  }

  /// The next packet, and its time of presentation in seconds of the track's media timeline; nil at
  /// the end, and where damage begins, of which those tell who read the whole.
  mutating func next() throws -> (packet: Packet, time: Double)? {
    try Task.checkCancellation()
    let first = waiting.isEmpty ? try packets.next() : waiting.removeFirst()
    guard let packet = first else { return nil }
    let stated = packet.presentationTimeStamp ?? packet.decodeTimeStamp
    if stated != nil { firstNumber = nil }
    // Of several frames in a packet of a program stream, the first alone has a time.
    let time = try stated ?? (firstNumber == nil ? latest : usualTime(of: packet))
    latest = time
    count += 1
    return (packet, time.seconds)
  }

  /// The time of a packet that states none, as in a file of a bitstream alone: by its number, and
  /// of a sync sample behind the frames that follow it and are shown before it.
  private mutating func usualTime(of packet: Packet) throws -> MediaTime {
    var (leading, decodable) = (0, 0)
    if packet.isSync, count > 0 {
      while try leading < waiting.count || packets.next().map({ waiting.append($0) }) != nil,
        let type = leadingType(waiting[leading])
      {
        leading += 1
        if type.isDecodableWhenLeading { decodable += 1 }
      }
      firstNumber = count + leading - decodable
    }
    return track.usualTime(ofFrame: count + leading)
  }

  /// The type of frames of HEVC that are shown before the one that starts their group; nil for
  /// others.
  private func leadingType(_ packet: Packet) -> NALUnitType? {
    units?.split(packet).own.lazy.map(\.type).first(where: \.isLeading)
  }
}
