// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import LibAV
package import MediaCore

/// Picks the requested packets of a track and corrects their times.
struct PacketFilter {
  /// Corrects fragments with wrong times, if the file has any.
  var clock: FragmentClock?
  /// Gives the packets of a raw stream their times, if packets are copied.
  private var rawTimes: RawStreamTimes?
  /// Finds the samples that a part needs, or `nil` if all are read.
  private var cursor: SampleSpan.Cursor?
  /// The packets that a part leaves out, since the last packet that was wanted.
  private var leftOut: [Packet] = []
  /// The time of the last packet, wanted or not.
  private(set) var lastTime: MediaTime?

  init(_ track: AssetTrack, decodes: Bool, clock: FragmentClock? = nil) throws {
    self.clock = clock
    // Only copies need times that are computed here, because decoders put frames in order
    // themselves.
    rawTimes = decodes ? nil : try RawStreamTimes(track)
    let span = decodes ? track.span : track.copiedSpan
    cursor = span.map { SampleSpan.Cursor($0, decodes: decodes) }
  }

  /// Whether only some samples are wanted.
  var isPart: Bool { cursor != nil }

  /// Whether all samples of a part have been seen.
  var isAtEnd: Bool { cursor?.isAtEnd ?? false }

  /// Returns a packet with its right time, or `nil` if it is not wanted. Pass the packets in the
  /// order of the file.
  mutating func wanted(_ packet: Packet) throws -> Packet? {
    guard let timed = rawTimes == nil ? packet : try rawTimes?.sample(packet) else { return nil }
    let packet = try clock?.corrected(timed) ?? timed
    // Take the time of unwanted packets, too, because a time past the part's end ends the track.
    lastTime = packet.presentationTimeStamp ?? packet.decodeTimeStamp ?? lastTime
    guard cursor?.takes(packet) ?? true else {
      // Keep only packets inside the part. Nothing is read after it, and what comes before it is
      // read separately if needed.
      if let cursor, cursor.isStarted, !cursor.isAtEnd { leftOut.append(packet) }
      return nil
    }
    var wanted = packet
    (wanted.leftOut, leftOut) = (leftOut, [])
    return wanted
  }
}

extension AssetTrack {
  /// Returns the time of a frame by its number from 0, for files without times.
  package func usualTime(ofFrame number: Int) -> MediaTime {
    let duration = usualFrameDuration
    // The product wraps instead of trapping, because the count comes from the file.
    return MediaTime(
      value: Int64(number) &* duration.value, timescale: duration.timescale)
  }
}
