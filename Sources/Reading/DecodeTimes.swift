// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Decode times for frames that are copied: they rise, and are not later than presentation.
///
/// QuickTime has signed composition offsets, and some of its files present frames before their
/// decode time (`cslg` states the difference); Matroska states no decode times at all. The files
/// that are written here have unsigned offsets.
package struct DecodeTimes: Sendable {
  private let times: [MediaTime]

  /// Makes the times.
  ///
  /// - Parameters:
  ///   - presentation: the presentation times of the packets, in the order of the file.
  ///   - decode: their decode times, where the file states them.
  package init(presentation: [MediaTime], decode: [MediaTime?]) {
    let stated = decode.compactMap { $0 }
    let isUsable =
      stated.count == decode.count && zip(stated, stated.dropFirst()).allSatisfy { $0 < $1 }
    // The n-th frame is decoded when the n-th frame is presented, and earlier by what that is
    // too late for any of them.
    let made = isUsable ? stated : presentation.sorted()
    let delay = zip(made, presentation).reduce(MediaTime.zero) { max($0, $1.0 - $1.1) }
    times = made.map { $0 - delay }
  }

  /// The decode time of the packet with an index in the order of the file; nil behind the last.
  package func time(at index: Int) -> MediaTime? {
    times.indices.contains(index) ? times[index] : nil
  }
}
