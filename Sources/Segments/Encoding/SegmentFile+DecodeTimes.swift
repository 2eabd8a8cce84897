// SPDX-License-Identifier: GPL-2.0-or-later

extension SegmentFile {
  /// Decode times of the samples of several segments, in ticks, in the order of decoding: as of one
  /// encoder that made all of them.
  ///
  /// The n-th is decoded when the frame is presented that is as many places before as frames are
  /// reordered by; the first ones earlier by as long as those take.
  ///
  /// - Parameter segments: the samples of each, with the times that they have where it is alone.
  static func decodeTimes(of segments: [[Row]]) -> [Int64] {
    let rows = segments.flatMap { $0 }
    guard segments.count > 1 else { return rows.map(\.decodeTimeStamp) }
    // All have the same parameters; before others than the first there may be frames that the
    // encoder knew.
    let delay = segments.first.map(delay) ?? 0
    let presented = rows.map(\.time).sorted()
    let lead = delay < presented.count ? presented[delay] - presented[0] : 0
    return rows.indices.map { index in
      index < delay ? presented[index] - lead : presented[index - delay]
    }
  }

  /// By how many frames decoding goes ahead in a segment: the first sample says by how long.
  private static func delay(of rows: [Row]) -> Int {
    guard let first = rows.first else { return 0 }
    let presented = rows.map(\.time).sorted()
    let lead = presented[0] - first.decodeTimeStamp
    return presented.firstIndex { $0 - presented[0] >= lead } ?? 0
  }
}
