// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Facts about the samples that were written to a track, as far as they are needed to finish and to
/// check the file: as much for a long track as for a short one.
package struct WrittenSamples: Sendable {
  /// The number of samples.
  package private(set) var count = 0
  /// The first decode time, which becomes 0 in the file; nil for a track without samples.
  package private(set) var firstDecodeTime: MediaTime?
  /// Start of the first sample in the order of presentation; nil for a track without samples.
  package private(set) var start: MediaTime?
  /// End of the last sample in the order of presentation, without padding that is not to be heard;
  /// nil for a track without samples.
  package private(set) var end: MediaTime?
  /// A number that depends on all presentation times, counted from the first decode time in
  /// ticks, and not on their order.
  package private(set) var digest: UInt64 = 0
  /// Ticks from a sample's decode time to its presentation, in runs of equal ones.
  package private(set) var compositionOffsets: [(count: Int, ticks: Int64)] = []
  /// The presentation times in seconds, in the order of writing.
  package private(set) var times: [Double] = []

  /// Samples of an empty track.
  package init() {}

  /// Counts a sample.
  ///
  /// - Parameter padding: the part of the duration, at its end, that is not to be heard.
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

  /// Counts a packet.
  package mutating func add(_ packet: Packet) {
    add(
      presentation: packet.presentationTimeStamp, decode: packet.decodeTimeStamp,
      duration: packet.duration)
  }

  /// Spreads a time over 64 bits (the finalizer of SplitMix64), so that sums of different times
  /// differ.
  private static func scramble(_ time: MediaTime) -> UInt64 {
    var value = UInt64(bitPattern: time.value) &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
