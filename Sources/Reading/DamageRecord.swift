// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Packets of a track that are damaged, by their numbers, so that it is known which frames are
/// whole although others are not.
///
/// It is exact where one thread decodes: then what a decoder reports is about the packet that it
/// got last.
struct DamageRecord {
  private let units: PacketUnits?
  private let isIntraOnly: Bool
  /// The packets of the first frames whose complaints are no damage.
  private var unsettledCount = 0
  /// True if a packet came that decoding can start at.
  private var isStarted = false
  /// Damaged packets that no other depends on.
  private var alone: Set<Int> = []
  private var disposable: Set<Int> = []
  /// The first damaged packet of those that others depend on, behind the last sync sample.
  private var first: Int?
  /// Damaged packets with all behind them up to a sync sample, and the time of that: what is
  /// decoded after it and shown before it depends on them too. In the order of packets.
  private var ended: [(packets: Range<Int>, end: MediaTime?)] = []
  /// Errors of the decoder that it was asked about.
  private var askedCount = 0
  /// True if nothing was reported, not even what is no damage.
  private(set) var isEmpty = true

  init(_ track: DemuxedTrack) {
    units = track.codec.nalCodec?.startsUnsettled == true ? PacketUnits(track) : nil
    isIntraOnly = track.codec.isIntraOnly
  }

  /// Takes note of a packet before it is decoded.
  mutating func send(_ packet: Packet, number: Int) {
    let slices = units?.split(packet).own.filter(\.type.isSlice)
    let isUnreferenced = slices.map { !$0.isEmpty && $0.allSatisfy(\.isUnreferencedSlice) }
    if packet.isDisposable || isUnreferenced ?? false { disposable.insert(number) }
    guard packet.isSync || isIntraOnly else { return }
    if !isStarted, let slices, !slices.contains(where: \.type.isIDR) {
      // Those in the decoder's memory may be of before.
      unsettledCount = number + VideoDecoder.longestMemory
    }
    isStarted = true
    guard let first else { return }
    let end = packet.presentationTimeStamp ?? ended.last?.end
    // A decoder's threads may report damage of before the last sync sample.
    while let last = ended.last, last.packets.lowerBound >= first { ended.removeLast() }
    ended.append((first..<number, end))
    self.first = nil
  }

  /// Takes note of data that is missing or was rejected.
  ///
  /// - Parameter isAlone: true if there is no frame of it, and no other depends on it.
  mutating func addLoss(at number: Int, isAlone: Bool = false) {
    isEmpty = false
    if !isAlone { add(number) }
  }

  /// Takes note of errors in what was decoded. A decoder that did not begin where its memory is
  /// empty finds some that are none.
  ///
  /// - Parameter isEarly: true if they are of a frame before the first that is wanted.
  mutating func addComplaint(at number: Int, isEarly: Bool) {
    isEmpty = false
    // Frames that are refreshed part by part are not whole before.
    let isUnsettled = number <= unsettledCount || unsettledCount > 0 && isEarly
    if isStarted, !isUnsettled { add(number) }
  }

  private mutating func add(_ number: Int) {
    if disposable.contains(number) {
      alone.insert(number)
    } else {
      first = min(first ?? number, number)
    }
  }

  /// Takes note of what a decoder of one thread reported since the last question, which is about
  /// the packet that it got last.
  mutating func ask(_ decoder: VideoDecoder, isEarly: Bool) {
    guard decoder.complaintCount > askedCount else { return }
    askedCount = decoder.complaintCount
    addComplaint(at: decoder.packetCount, isEarly: isEarly)
  }

  /// True if a frame is damaged, or depends on one that is.
  func reaches(_ frame: DecodedFrame) -> Bool {
    let number = frame.packetNumber
    if alone.contains(number) || first.map({ $0 <= number }) ?? false { return true }
    let next = ended.partitioningIndex { $0.packets.upperBound > number }
    if next < ended.count, ended[next].packets.contains(number) { return true }
    guard next > 0, let end = ended[next - 1].end, let time = frame.presentationTimeStamp else {
      return false
    }
    return time < end
  }
}
