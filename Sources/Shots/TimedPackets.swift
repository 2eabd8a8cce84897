// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Reading

/// Reads the packets of a track in file order, and finds a time for each, even if the file states
/// no times.
struct TimedPackets {
  private var packets: TrackPackets
  private let track: AssetTrack
  private let units: PacketUnits?
  private var count = 0
  /// The number, from 0, of the first frame that a decoder returns if it starts at the sync sample
  /// that was read most recently. `nil` if packets have times.
  private(set) var firstNumber: Int? = 0
  private var latest = MediaTime.zero
  private var waiting: [Packet] = []

  init(_ track: AssetTrack) throws {
    self.track = track
    units = PacketUnits(track.demuxed)
    packets = try TrackPackets(track, endsAtDamage: true)
  }

  /// Returns the next packet and its presentation time, in seconds on the track's media timeline.
  ///
  /// - Returns: `nil` at the end, or when reading reaches damage. Damage is reported when the whole
  ///   track is read.
  mutating func next() throws -> (packet: Packet, time: Double)? {
    try Task.checkCancellation()
    let first = waiting.isEmpty ? try packets.next() : waiting.removeFirst()
    guard let packet = first else { return nil }
    let stated = packet.presentationTimeStamp ?? packet.decodeTimeStamp
    if stated != nil { firstNumber = nil }
    // A PES packet of a program stream may contain several frames, of which only the first has a
    // time. The others get that time, too.
    let time = try stated ?? (firstNumber == nil ? latest : usualTime(of: packet))
    latest = time
    count += 1
    return (packet, time.seconds)
  }

  /// Returns the time of a packet that has none, as in a bare bitstream. It is computed from the
  /// packet's number.
  private mutating func usualTime(of packet: Packet) throws -> MediaTime {
    var (leading, decodable) = (0, 0)
    if packet.isSync, count > 0 {
      // Leading frames follow their sync sample in the file but are shown before it. So they are
      // counted before the sync sample, which requires reading ahead.
      while try leading < waiting.count || packets.next().map({ waiting.append($0) }) != nil,
        let type = leadingType(waiting[leading])
      {
        leading += 1
        if type.isDecodableWhenLeading { decodable += 1 }
      }
      // A decoder that starts here drops RASL frames, which refer to earlier frames. The first
      // frame that it returns is the first decodable leading frame or, if there is none, the sync
      // sample.
      firstNumber = count + leading - decodable
    }
    return track.usualTime(ofFrame: count + leading)
  }

  /// The type of a leading frame of HEVC (H.265, 7.4.2.2), or `nil` for other frames and codecs.
  private func leadingType(_ packet: Packet) -> NALUnitType? {
    units?.split(packet).own.lazy.map(\.type).first(where: \.isLeading)
  }
}
