// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Facts about the samples that were written to a track. They are needed to finish and to check the
/// file.
package struct WrittenSamples: Sendable {
  /// The number of samples so far.
  package private(set) var count = 0
  /// The first decode time, which becomes 0 in the file; `nil` if there are no samples.
  package private(set) var firstDecodeTime: MediaTime?
  /// The earliest presentation time; `nil` if there are no samples.
  package private(set) var start: MediaTime?
  /// The latest time at which a sample's presentation ends, without padding; `nil` if there are no
  /// samples.
  package private(set) var end: MediaTime?
  // The checksum must not depend on the order of the samples, because a reader of the finished file
  // may get them in another order.
  /// A checksum of all presentation times, which count in ticks from the first decode time. The
  /// order of the samples does not change it.
  package private(set) var digest: UInt64 = 0
  /// The ticks from decoding to presentation of each sample, in runs of equal numbers.
  package private(set) var compositionOffsets: [(count: Int, ticks: Int64)] = []
  /// The presentation times in seconds, in the order of writing.
  package private(set) var times: [Double] = []

  package init() {}

  /// Adds a sample to the facts.
  ///
  /// - Parameter padding: how much a player skips at the end of the sample.
  package mutating func add(
    presentation: MediaTime?, decode: MediaTime?, duration: MediaTime, padding: MediaTime = .zero
  ) {
    count += 1
    addOffset(presentation.flatMap { time in decode.map { (time - $0).value } } ?? 0)
    guard let presentation = presentation ?? decode else { return }
    let first = firstDecodeTime ?? decode ?? presentation
    firstDecodeTime = first
    start = start.map { min($0, presentation) } ?? presentation
    let sampleEnd = presentation + max(duration - padding, .zero)
    end = end.map { max($0, sampleEnd) } ?? sampleEnd
    times.append(presentation.seconds)
    digest &+= Self.scramble(presentation - first)
  }

  private mutating func addOffset(_ ticks: Int64) {
    if compositionOffsets.last?.ticks == ticks {
      compositionOffsets[compositionOffsets.count - 1].count += 1
    } else {
      compositionOffsets.append((1, ticks))
    }
  }

  /// Adds a packet to the facts.
  package mutating func add(_ packet: Packet) {
    add(
      presentation: packet.presentationTimeStamp, decode: packet.decodeTimeStamp,
      duration: packet.duration)
  }

  /// Spreads a time over 64 bits (the finalizer of SplitMix64).
  private static func scramble(_ time: MediaTime) -> UInt64 {
    // A plain sum of times would stay the same if one time grew by as much as another shrank.
    var value = UInt64(bitPattern: time.value) &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
