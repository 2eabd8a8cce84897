// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Reads the samples of all segments, one behind the other.
struct SegmentsReader {
  private let files: [SegmentFile]
  private let decodeTimes: [Int64]
  private let timescale: Int32
  /// The file and the sample in it that come next, and where its data begins.
  private var (file, row, place) = (0, 0, SegmentFile.firstPlace)
  private var count = 0

  /// - Parameter decodeTimes: decode times of all samples, in ticks.
  init(_ files: [SegmentFile], _ decodeTimes: [Int64], timescale: Int32) {
    (self.files, self.decodeTimes, self.timescale) = (files, decodeTimes, timescale)
  }

  /// The next sample; nil behind the last.
  mutating func next() throws -> EncodedSample? {
    while files.indices.contains(file), row == files[file].rows.count {
      (file, row, place) = (file + 1, 0, SegmentFile.firstPlace)
    }
    guard files.indices.contains(file) else { return nil }
    let sample = files[file].rows[row]
    let bytes = try files[file].data(of: sample, at: place)
    defer { (row, place, count) = (row + 1, place + UInt64(sample.size), count + 1) }
    func time(_ ticks: Int64) -> MediaTime { MediaTime(value: ticks, timescale: timescale) }
    return EncodedSample(
      bytes: bytes, presentationTime: time(sample.time), decodeTime: time(decodeTimes[count]),
      duration: time(sample.duration), isSync: sample.isSync)
  }
}
