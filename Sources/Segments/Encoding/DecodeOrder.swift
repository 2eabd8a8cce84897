// SPDX-License-Identifier: GPL-2.0-or-later
/// Decode times of the samples of several segments, as of one encoder that made all of them.
///
/// The n-th is decoded when the frame is presented that is as many places before as frames are
/// reordered by; the first ones earlier by as long as those take.
struct DecodeOrder {
  /// The times in ticks, in the order of decoding.
  let times: [Int64]

  /// - Parameter segments: the samples of each, with the times that they have where it is alone.
  init(_ segments: [[SegmentFile.Row]]) {
    let rows = segments.flatMap { $0 }
    guard segments.count > 1 else {
      times = rows.map(\.decodeTime)
      return
    }
    // All have the same parameters; before others than the first there may be frames that the
    // encoder knew.
    let delay = segments.first.map(Self.delay) ?? 0
    let presented = rows.map(\.time).sorted()
    let lead = delay < presented.count ? presented[delay] - presented[0] : 0
    times = rows.indices.map { index in
      index < delay ? presented[index] - lead : presented[index - delay]
    }
  }

  /// By how many frames decoding goes ahead in a segment: the first sample says by how long.
  private static func delay(of rows: [SegmentFile.Row]) -> Int {
    guard let first = rows.first else { return 0 }
    let presented = rows.map(\.time).sorted()
    let lead = presented[0] - first.decodeTime
    return presented.firstIndex { $0 - presented[0] >= lead } ?? 0
  }
}
