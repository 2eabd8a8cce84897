// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Records which packets are damaged, and derives which frames this affects.
struct DamageRecord {
  // The record is exact only with one decoding thread. Only then does a decoder's report refer to
  // the packet that the decoder received last.

  private let units: PacketUnits?
  private let isIntraOnly: Bool
  /// Up to this packet number, complaints of the decoder do not count as damage.
  private var unsettledCount = 0
  /// Whether there was a packet at which decoding can start.
  private var isStarted = false
  /// Damaged packets that no other packet depends on.
  private var alone: Set<Int> = []
  private var disposable: Set<Int> = []
  /// The first damaged packet since the last sync sample. Packets on which no other packet depends
  /// are left out.
  private var first: Int?
  /// Ranges in packet order, each from a damaged packet up to the next sync sample, with the time
  /// of that sync sample.
  private var ended: [(packets: Range<Int>, end: MediaTime?)] = []
  /// How many of the decoder's complaints were seen.
  private var askedCount = 0
  /// Whether nothing was reported. Complaints that do not count as damage are reports, too.
  private(set) var isEmpty = true

  init(_ track: DemuxedTrack) {
    units = track.codec.nalCodec?.startsUnsettled == true ? PacketUnits(track) : nil
    isIntraOnly = track.codec.isIntraOnly
  }

  /// Takes a packet before it is decoded.
  mutating func send(_ packet: Packet, number: Int) {
    // Not every container says which samples are disposable, but in H.264, `nal_ref_idc` shows it.
    let slices = units?.split(packet).own.filter(\.type.isSlice)
    let isUnreferenced = slices.map { !$0.isEmpty && $0.allSatisfy(\.isUnreferencedSlice) }
    if packet.isDisposable || isUnreferenced ?? false { disposable.insert(number) }
    guard packet.isSync || isIntraOnly else { return }
    if !isStarted, let slices, !slices.contains(where: \.type.isIDR) {
      // Decoding starts at a recovery point, not at an IDR picture. Until the decoder's memory has
      // been refilled, frames may refer to others that the decoder never had.
      unsettledCount = number + VideoDecoder.longestMemory
    }
    isStarted = true
    guard let first else { return }
    let end = packet.presentationTimeStamp ?? ended.last?.end
    // With several threads, a decoder may report damage late, after the sync sample that follows
    // the damage. The new range then includes ranges that were added earlier, and replaces them.
    while let last = ended.last, last.packets.lowerBound >= first { ended.removeLast() }
    ended.append((first..<number, end))
    self.first = nil
  }

  /// Records data that is missing or was rejected.
  ///
  /// - Parameter isAlone: whether the packet gives no frame and no other packet depends on it.
  mutating func addLoss(at number: Int, isAlone: Bool = false) {
    isEmpty = false
    if !isAlone { add(number) }
  }

  /// Records errors in decoded data.
  ///
  /// - Parameter isEarly: whether the errors belong to a frame before the first requested one.
  mutating func addComplaint(at number: Int, isEarly: Bool) {
    isEmpty = false
    // With gradual refresh, frames before the first requested one are not whole yet. Complaints
    // about them say nothing about later frames.
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

  /// Records what a decoder with one thread reported since the last call.
  mutating func ask(_ decoder: VideoDecoder, isEarly: Bool) {
    guard decoder.complaintCount > askedCount else { return }
    askedCount = decoder.complaintCount
    addComplaint(at: decoder.packetCount, isEarly: isEarly)
  }

  /// Returns whether a frame is damaged or depends on damage.
  func reaches(_ frame: DecodedFrame) -> Bool {
    let number = frame.packetNumber
    if alone.contains(number) || first.map({ $0 <= number }) ?? false { return true }
    let next = ended.partitioningIndex { $0.packets.upperBound > number }
    if next < ended.count, ended[next].packets.contains(number) { return true }
    // Leading frames come after the sync sample that ends the damage, but are shown before it and
    // refer to frames before it. So the damage reaches them, too.
    guard next > 0, let end = ended[next - 1].end, let time = frame.presentationTimeStamp else {
      return false
    }
    return time < end
  }
}
