// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
internal import Host
package import ISOBMFF
package import LibAV
internal import MediaCore

/// The samples of a movie file's track of audio as its tables list them, for a codec of which
/// libavformat makes other samples than the file has: short frames of E-AC-3, which it joins.
package struct TabledAudio {
  private let source: FileByteSource
  private let ranges: [Range<UInt64>]
  private let decodeTimes: [Int64]
  private let presentationTimes: [Int64]
  private let lastDuration: Int64
  private let timescale: Int32
  private let trackIndex: Int
  private var index = 0

  /// - Returns: nil for tracks whose samples libavformat gives as they are, and where tables are
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

  /// The only sample entry of such a track, which an output takes over as it is; nil for others.
  package static func sampleEntry(of track: Movie.Track) -> Box? {
    let entries = track.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    // ISO/IEC 14496-12 knows one form of audio's entries, QuickTime three: the one that both know.
    guard entries.count == 1, let entry = entries.first, entry.type == "ec-3",
      entry.child("dec3") != nil, entry.fields.count == 28,
      entry.fields[8...9].allSatisfy({ $0 == 0 })
    else { return nil }
    return entry
  }

  /// Decode time of the next sample; nil at the end.
  var nextTime: MediaTime? {
    decodeTimes.indices.contains(index)
      ? MediaTime(value: decodeTimes[index], timescale: timescale) : nil
  }

  /// The next sample; nil at the end, or where the file ends too early.
  package mutating func next() throws -> Packet? {
    guard ranges.indices.contains(index) else { return nil }
    defer { index += 1 }
    let range = ranges[index]
    let end = index + 1 < ranges.count ? decodeTimes[index + 1] : decodeTimes[index] + lastDuration
    let bytes = try source.read(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else {
      index = ranges.count
      return nil
    }
    return try Packet(
      bytes: bytes, trackIndex: trackIndex, timescale: timescale,
      ticks: (presentationTimes[index], decodeTimes[index], end - decodeTimes[index]))
  }
}
