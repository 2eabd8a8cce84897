// SPDX-License-Identifier: GPL-2.0-or-later

extension SegmentFile {
  /// Returns the decode times of all samples of several segments, in ticks and in decoding order,
  /// as if a single encoder had encoded them all.
  ///
  /// If frames are reordered by n places, sample i is decoded when frame i − n is presented. If
  /// i < n, there is no such frame. Sample i is then decoded before frame i is presented, and the
  /// time between is the total duration of the first n frames.
  ///
  /// - Parameter segments: the samples of each segment, with the times that they would have if the
  ///   segment were the whole track.
  static func decodeTimes(of segments: [[Row]]) -> [Int64] {
    let rows = segments.flatMap { $0 }
    guard segments.count > 1 else { return rows.map(\.decodeTimeStamp) }
    // All segments have the same parameters, and so the same delay. Take it from the first segment,
    // because an encoder may have begun the others with frames that do not belong to them.
    let delay = segments.first.map(delay) ?? 0
    let presented = rows.map(\.time).sorted()
    let lead = delay < presented.count ? presented[delay] - presented[0] : 0
    return rows.indices.map { index in
      index < delay ? presented[index] - lead : presented[index - delay]
    }
  }

  /// Returns by how many frames decoding runs ahead of presentation in a segment.
  private static func delay(of rows: [Row]) -> Int {
    guard let first = rows.first else { return 0 }
    let presented = rows.map(\.time).sorted()
    // The first sample's decode time gives the lead as a time. Convert it to a number of frames.
    let lead = presented[0] - first.decodeTimeStamp
    return presented.firstIndex { $0 - presented[0] >= lead } ?? 0
  }
}
