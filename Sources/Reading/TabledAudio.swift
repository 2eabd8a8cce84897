// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
internal import Host
package import ISOBMFF
package import LibAV
internal import MediaCore

/// Reads a movie's audio track through its tables.
package struct TabledAudio {
  // libavformat joins short frames of E-AC-3 into larger packets. If the larger packets were
  // copied, samples would no longer match the source's tables.

  private let source: FileByteSource
  private let ranges: [Range<UInt64>]
  private let decodeTimes: [Int64]
  private let presentationTimes: [Int64]
  private let lastDuration: Int64
  private let timescale: Int32
  private let trackIndex: Int
  private var index = 0

  /// - Returns: `nil` if libavformat returns the track's samples unchanged, or if tables are
  ///   missing or contradict each other.
  package init?(_ track: AssetTrack, path: String) {
    guard let box = track.box, Self.sampleEntry(of: box) != nil,
      let times = SampleTimes(box), let table = try? SampleTable(box),
      table.count == times.timesInDecodingOrder.count,
      let decodeTimes = times.decodeTimes(of: box), let source = try? FileByteSource(path: path)
    else { return nil }
    self.source = source
    ranges = table.ranges
    self.decodeTimes = decodeTimes
    presentationTimes = times.timesInDecodingOrder
    lastDuration = times.lastDuration
    timescale = Int32(clamping: max(box.mediaTimescale, 1))
    trackIndex = track.demuxed.index
  }

  /// Returns the sample entry of a track that has to be read through its tables, or `nil` for other
  /// tracks. An output copies this entry.
  package static func sampleEntry(of track: Movie.Track) -> Box? {
    let entries = track.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    // ISO/IEC 14496-12 and QuickTime have several forms of audio sample entries. Accept only the
    // form that both share: version 0 with 28 bytes of fields. Otherwise not every reader could
    // read the copy.
    guard entries.count == 1, let entry = entries.first, entry.type == "ec-3",
      entry.child("dec3") != nil, entry.fields.count == 28,
      entry.fields[8...9].allSatisfy({ $0 == 0 })
    else { return nil }
    return entry
  }

  /// Decode time of the next sample, or `nil` at the end.
  var nextTime: MediaTime? {
    decodeTimes.indices.contains(index)
      ? MediaTime(value: decodeTimes[index], timescale: timescale) : nil
  }

  /// Returns the next sample, or `nil` at the end or if the file ends early.
  package mutating func next() throws -> Packet? {
    guard ranges.indices.contains(index) else { return nil }
    defer { index += 1 }
    let range = ranges[index]
    let end = index + 1 < ranges.count ? decodeTimes[index + 1] : decodeTimes[index] + lastDuration
    let bytes = try source.read(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else {
      // A truncated sample ends the track, and `countMissing` reports what is missing.
      index = ranges.count
      return nil
    }
    return try Packet(
      bytes: bytes, trackIndex: trackIndex, timescale: timescale,
      ticks: (presentationTimes[index], decodeTimes[index], end - decodeTimes[index]))
  }
}
