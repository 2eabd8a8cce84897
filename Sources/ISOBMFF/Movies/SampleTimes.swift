// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The composition times of a track's samples, from `stts` and `ctts` (ISO/IEC 14496-12, 8.6.1).
package struct SampleTimes: Hashable, Sendable {
  /// The composition times in the media's timescale, in rising order.
  package let compositionTimes: [Int64]
  /// The same times in decoding order, which is the order of the tables.
  package let timesInDecodingOrder: [Int64]
  /// The duration of the sample that is presented last.
  package let lastDuration: Int64

  /// How many samples are read at most: enough for a day at 120 frames a second.
  private static let limit = 12_000_000

  /// Reads the tables of a track. Returns `nil` if they list no samples, as in movies in fragments,
  /// or if they are damaged.
  package init?(_ track: Movie.Track) {
    do { try self.init(track, checkpoint: {}) } catch { return nil }
  }

  /// Reads the tables of a track. Returns `nil` if they list no samples, as in movies in fragments.
  ///
  /// - Throws: ``ISOBMFFError`` if `stts` is missing, or if a table is cut off or declares more
  ///   samples than the file can hold. Errors of `checkpoint` are thrown, too.
  package init?(_ track: Movie.Track, checkpoint: Checkpoint) throws(ISOBMFFError) {
    let stbl = track.box.first("mdia", "minf", "stbl")
    guard let stts = stbl?.child("stts") else { throw .missingBox("stts", in: "stbl") }
    let durations = try Self.runs(stts, checkpoint)
    let offsets = try stbl?.child("ctts").map { (ctts) throws(ISOBMFFError) in
      try Self.runs(ctts, checkpoint)
    }
    let total = durations.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    guard total > 0 else { return nil }
    guard total <= Self.limit, track.box.canHave(samples: total, inFileOf: track.fileSize) else {
      throw .excessiveCount("stts", total, of: "samples", bytes: UInt64(stts.fields.count))
    }
    var times: [Int64] = []
    times.reserveCapacity(Int(total))
    var decodeTimeStamp: Int64 = 0
    for run in durations {
      for _ in 0..<run.count {
        if times.count % checkpointInterval == 0 { try checkpoint() }
        times.append(decodeTimeStamp)
        // Wrap instead of trapping, because a damaged file may have any numbers here.
        decodeTimeStamp &+= Int64(run.value)
      }
    }
    var index = 0
    for run in offsets ?? [] {
      // Only version 1 of `ctts` has signed offsets, but real files have negative offsets in
      // version 0, too.
      for _ in 0..<min(Int(run.count), times.count - index) {
        if index % checkpointInterval == 0 { try checkpoint() }
        times[index] &+= Int64(Int32(bitPattern: run.value))
        index += 1
      }
    }
    timesInDecodingOrder = times
    compositionTimes = try times.sorted(by: \.self, checkpoint)
    let stated = Int64(durations.last { $0.count > 0 }?.value ?? 0)
    // `stts` has the duration of the sample that is decoded last. If frames are reordered, another
    // sample is presented last. It gets the time that is left, because presentation lasts as long
    // as decoding.
    let (first, last) = (compositionTimes.first ?? 0, compositionTimes.last ?? 0)
    let rest = first &+ decodeTimeStamp &- last
    lastDuration = times.last == last || rest <= 0 ? stated : rest
  }

  /// Returns the decode time of each sample, in table order, or `nil` if `stts` is cut off.
  package func decodeTimes(of track: Movie.Track) -> [Int64]? {
    guard let stts = track.box.first("mdia", "minf", "stbl", "stts"),
      let durations = try? Self.runs(stts, {})
    else { return nil }
    var times: [Int64] = []
    var time: Int64 = 0
    for run in durations {
      for _ in 0..<min(Int(run.count), timesInDecodingOrder.count - times.count) {
        times.append(time)
        time &+= Int64(run.value)
      }
    }
    return times.count == timesInDecodingOrder.count ? times : nil
  }

  /// Returns how many samples `stts` has durations for.
  ///
  /// - Throws: ``ISOBMFFError/invalidField(_:field:observed:expected:)`` for a duration out of
  ///   bounds.
  package static func checkedCount(of track: Box) throws(ISOBMFFError) -> UInt64 {
    guard let stts = track.first("mdia", "minf", "stbl", "stts") else { return 0 }
    var count: UInt64 = 0
    for run in try runs(stts, {}) {
      _ = try NumberBound.sampleDelta.checked(run.value)
      count += UInt64(run.count)
    }
    return count
  }

  private static func runs(
    _ box: Box, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [(count: UInt32, value: UInt32)] {
    var reader = ByteReader(box.fields)
    let total = try reader.entryCount(of: box.type, bitsEach: 64)
    var runs: [(count: UInt32, value: UInt32)] = []
    runs.reserveCapacity(total)
    while runs.count < total, let count = try? reader.integer(UInt32.self),
      let value = try? reader.integer(UInt32.self)
    {
      if runs.count % checkpointInterval == 0 { try checkpoint() }
      runs.append((count, value))
    }
    return runs
  }
}
