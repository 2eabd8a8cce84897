// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
package import LibAV
package import MediaCore

/// The packets of one track that hold something, in the order of the file: all of them or, of a
/// part of the presentation, those that it needs. Times are those that are right for a packet where
/// a fragment of the file contradicts the others.
package struct TrackPackets {
  private var packets: DemuxedPackets
  private var filter: WantedPackets
  private let endsAtDamage: Bool

  /// - Parameters:
  ///   - decodes: true for what has to be decoded, false for what is copied.
  ///   - endsAtDamage: true where what cannot be read on is the end; whoever reads the whole track
  ///     reports it.
  ///   - probing: as for `Demuxer`.
  /// - Throws: where the file cannot be opened.
  package init(
    _ track: AssetTrack, decodes: Bool = true, endsAtDamage: Bool = false, probing: Bool = true
  ) throws {
    let clock = try FragmentClock.clocks(path: track.path)[track.demuxed.id]
    packets = try DemuxedPackets(path: track.path, of: [track.demuxed.index], probing: probing)
    filter = WantedPackets(track, decodes: decodes, clock: clock)
    self.endsAtDamage = endsAtDamage
  }

  /// The next packet; nil at the end.
  ///
  /// - Throws: ``LibAVError`` where the file cannot be read any further, unless that is the end.
  package mutating func next() throws -> Packet? {
    while !filter.isAtEnd, let packet = try read() {
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

/// Picks the packets of a track that are wanted, and gives them the times that are right for them.
struct WantedPackets {
  /// Clock that corrects times of fragments that contradict others; nil where none do.
  var clock: FragmentClock?
  /// Finds the samples that are needed of a part of the presentation; nil where all are read.
  private var cursor: SampleSpan.Cursor?
  /// The time of the last packet that was looked at, wanted or not; nil before the first.
  private(set) var lastTime: MediaTime?

  init(_ track: AssetTrack, decodes: Bool, clock: FragmentClock? = nil) {
    self.clock = clock
    cursor = track.span.map { SampleSpan.Cursor($0, decodes: decodes) }
  }

  /// True if only some samples are wanted.
  var isPart: Bool { cursor != nil }

  /// True if all samples of a part were there.
  var isAtEnd: Bool { cursor?.isAtEnd ?? false }

  /// A packet at its right time; nil if it is not wanted. Packets come in the order of the file.
  mutating func wanted(_ packet: Packet) throws -> Packet? {
    let packet = try clock?.corrected(packet) ?? packet
    lastTime = packet.presentationTimeStamp ?? packet.decodeTimeStamp ?? lastTime
    return cursor?.takes(packet) ?? true ? packet : nil
  }
}

extension AssetTrack {
  /// The time of a frame where nothing states times, by its number from 0.
  package func usualTime(ofFrame number: Int) -> MediaTime {
    let duration = usualFrameDuration
    return MediaTime(
      value: Int64(number) &* duration.value, timescale: duration.timescale)
  }
}
