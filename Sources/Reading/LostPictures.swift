// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// Finds out which packets of a track gave no frame although they hold one.
///
/// Decoders leave out frames without a word: those whose data makes no sense, and those that
/// cannot be decoded where reading begins, which are not lost.
struct LostPictures {
  private let isIntraOnly: Bool
  private var packets: PicturePackets
  /// The packets whose frames are due, by their number, with their times, where they have one.
  private var due: [Int: MediaTime?] = [:]
  /// The packets among them that no other depends on.
  private var disposable: Set<Int> = []
  /// The packets of which a frame came, as far as their number may still be seen.
  private var recent: [Int] = []
  /// Frames that came of packets that had given one.
  private var surplus = 0
  /// True if a packet came that decoding can start at.
  private var isStarted = false
  /// The time of that packet.
  private var start: MediaTime?

  /// Decoders do not hold back more frames than that.
  private static let longestDelay = 64

  /// - Returns: nil for codecs whose packets need not be frames.
  init?(_ track: DemuxedTrack) {
    guard let packets = PicturePackets(track) else { return nil }
    self.packets = packets
    isIntraOnly = track.codec.isIntraOnly
  }

  /// Takes note of a packet that is decoded.
  mutating func send(_ packet: Packet, number: Int) {
    guard !packet.isEmpty else { return }
    let time = packet.presentationTimeStamp
    if !isStarted, packet.isSync || isIntraOnly { (isStarted, start) = (true, time) }
    let isShown = packets.holdPicture(
      packet, number: number, isFirst: due.isEmpty && recent.isEmpty)
    guard isStarted, isShown else { return }
    // Frames before the first that can be decoded refer to what is not there.
    if let start, let time, time < start { return }
    due.updateValue(time, forKey: number)
    if packet.isDisposable { disposable.insert(number) }
  }

  /// Takes note of a frame that came out.
  mutating func receive(_ frame: DecodedFrame) {
    let number = packets.first(ofPictureIn: frame.packetNumber)
    if due.removeValue(forKey: number) != nil {
      recent.append(number)
      if recent.count > Self.longestDelay { recent.removeFirst() }
    } else if recent.contains(number) {
      surplus += 1
    }
  }

  /// True if a frame that begins before a time did not come, although one of that time did, which
  /// may depend on it.
  func isLacking(before time: MediaTime) -> Bool {
    surplus == 0
      && due.contains { number, due in
        due.map { $0 < time } ?? false && !disposable.contains(number)
      }
  }

  /// Number of lost frames that a timeline presents.
  ///
  /// - Parameter first: start time of the first frame that is wanted; nil for all.
  func count(
    presentedBy timeline: EditTimeline, from first: MediaTime?, lasting duration: MediaTime
  ) -> Int {
    let presented = due.values.filter { time in
      guard let time else { return true }
      if let first, time < first { return false }
      return timeline.presents(from: time, to: time + duration)
    }
    return max(presented.count - surplus, 0)
  }
}
