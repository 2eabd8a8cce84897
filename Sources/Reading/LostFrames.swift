// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// Finds packets whose frame the decoder did not return.
struct LostFrames {
  // Decoders drop frames silently if their data makes no sense. They also drop frames that refer to
  // frames before the place where reading began. Frames of this second kind do not count as lost.

  private let isIntraOnly: Bool
  private var packets: FramePackets
  /// The times of packets whose frame has not come yet, by packet number. A time is `nil` if the
  /// file has none.
  private var due: [Int: MediaTime?] = [:]
  /// Numbers of packets in `due` on which no other packet depends.
  private var disposable: Set<Int> = []
  /// The numbers of recent packets whose frame came. Another frame may come with the same number.
  private var recent: [Int] = []
  /// Number of frames from packets that had already given a frame.
  private var surplus = 0
  /// Whether there was a packet at which decoding can start.
  private var isStarted = false
  private var start: MediaTime?

  /// A decoder holds back at most this many frames.
  private static let longestDelay = 64

  /// - Returns: `nil` for codecs whose packets may be parts of frames.
  init?(_ track: DemuxedTrack) {
    guard let packets = FramePackets(track) else { return nil }
    self.packets = packets
    isIntraOnly = track.codec.isIntraOnly
  }

  /// Takes a packet that is sent to the decoder.
  mutating func send(_ packet: Packet, number: Int) {
    guard !packet.isEmpty else { return }
    let time = packet.presentationTimeStamp
    if !isStarted, packet.isSync || isIntraOnly { (isStarted, start) = (true, time) }
    let isShown = packets.holdsFrame(
      packet, number: number, isFirst: due.isEmpty && recent.isEmpty)
    guard isStarted, isShown else { return }
    // Leading frames of the first sync sample refer to frames that were never read.
    if let start, let time, time < start { return }
    due.updateValue(time, forKey: number)
    if packet.isDisposable { disposable.insert(number) }
  }

  /// Takes a frame that came out.
  mutating func receive(_ frame: DecodedFrame) {
    let number = packets.first(ofPictureIn: frame.packetNumber)
    if due.removeValue(forKey: number) != nil {
      disposable.remove(number)
      recent.append(number)
      if recent.count > Self.longestDelay { recent.removeFirst() }
    } else if recent.contains(number) {
      // This is the second frame with the same number. It may belong to another packet, which then
      // only seems to lack its frame. `count` makes up for that.
      surplus += 1
    }
  }

  /// Whether a missing frame before the given time may affect later frames.
  func isLacking(before time: MediaTime) -> Bool {
    // With a surplus, it is uncertain which packet really lacks its frame.
    surplus == 0
      && due.contains { number, due in
        due.map { $0 < time } ?? false && !disposable.contains(number)
      }
  }

  /// Returns how many of the lost frames a timeline would present.
  ///
  /// - Parameter first: start time of the first requested frame, or `nil` if all are wanted.
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
