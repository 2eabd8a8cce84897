// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import ISOBMFF
package import LibAV
internal import MediaCore

/// The non-empty packets of one track in file order: all of them, or those that a requested part
/// needs. Fragments with wrong times are corrected.
package struct TrackPackets {
  private var packets: DemuxedPackets
  private var filter: PacketFilter
  private let endsAtDamage: Bool

  /// - Parameters:
  ///   - decodes: whether the packets are decoded rather than copied.
  ///   - endsAtDamage: whether a read error ends the packets without being thrown. Use it if the
  ///     whole track is read elsewhere, where the damage is reported.
  /// - Throws: an error if the file cannot be opened.
  package init(
    _ track: AssetTrack, decodes: Bool = true, endsAtDamage: Bool = false
  ) throws {
    let clock = try FragmentClock.clocks(path: track.path)[track.demuxed.id]
    packets = try DemuxedPackets(
      path: track.path, of: [track.demuxed.index], probing: track.needsProbing)
    filter = try PacketFilter(track, decodes: decodes, clock: clock)
    self.endsAtDamage = endsAtDamage
  }

  /// Returns the next packet, or `nil` at the end.
  ///
  /// - Throws: ``LibAVError`` if the file cannot be read any further and `endsAtDamage` is not set.
  package mutating func next() throws -> Packet? {
    while !filter.isAtEnd, let packet = try read() {
      // In AVI, an empty packet repeats a frame, but a decoder would take it for the end of the
      // track.
      if !packet.isEmpty, let wanted = try filter.wanted(packet) { return wanted }
    }
    return nil
  }

  private mutating func read() throws(LibAVError) -> Packet? {
    do {
      return try packets.next()
    } catch {
      if endsAtDamage { return nil }
      throw error
    }
  }
}

extension AssetTrack {
  /// Whether the file has to be probed each time that the track's packets are read.
  var needsProbing: Bool {
    // libavformat uses what it probed to compute the times that a container lacks. A movie's tables
    // have all times of frames, but fragments may lack some, and those of audio depend on the
    // length of a packet, which only its decoder knows. Without probing, a file opens faster,
    // because its first frames are not decoded once more.
    demuxed.kind != .video || box?.isFragmented ?? true
  }
}
