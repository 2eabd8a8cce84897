// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import ISOBMFF
package import MediaCore

/// A frame that a timeline presents: the time in which it is shown, in the presentation, and the
/// time at which it begins, in the media.
package typealias ShownFrame = (interval: Range<MediaTime>, mediaTime: MediaTime)

/// Samples that a timeline presents.
extension SampleIndex {
  /// The samples in the order of presentation.
  var order: [Int] { times.indices.sorted { times[$0] < times[$1] } }

  /// The samples that a timeline needs.
  ///
  /// - Parameter preroll: the duration before an edit for which samples are needed, too.
  /// - Returns: nil where it presents none, and where times do not tell which sample is which.
  package func span(presentedBy timeline: EditTimeline, preroll: MediaTime = .zero) -> SampleSpan? {
    guard !isOfDecoding else { return nil }
    let order = order
    let places = places(in: order, presentedBy: timeline, preroll: preroll)
    let next = places.last.flatMap { $0 + 1 < order.count ? order[$0 + 1] : nil }
    let needed = places.map { order[$0] }
    guard let first = needed.min() else { return nil }
    var sync = usableSync
    let delays = starts?.delays()
    while let span = span(of: needed, before: next, from: sync) {
      let start = span.samples.lowerBound
      guard start > 0, let delays else { return span }
      if let delay = delays(start), start + delay <= first { return span }
      sync.removeLast(sync.count - sync.partitioningIndex { $0 >= start })
    }
    return nil
  }

  /// The places in the order of presentation whose samples a timeline presents.
  ///
  /// - Parameter order: the samples, or some of them, in that order.
  func places(
    in order: [Int], presentedBy timeline: EditTimeline, preroll: MediaTime = .zero
  ) -> [Int] {
    order.indices.filter { place in
      let end =
        place + 1 < order.count
        ? time(order[place + 1]) : time(order[place]) + ticks(lastDuration)
      return timeline.presents(from: time(order[place]), to: end + preroll)
    }
  }

  /// The samples that some of them need.
  ///
  /// - Parameters:
  ///   - needed: samples in the order of presentation.
  ///   - next: the one that has to be decoded, too, so that it is known how long they last; nil for
  ///     none.
  ///   - sync: the samples at which decoding can start, in the order of decoding.
  /// - Returns: nil where none is needed.
  func span(
    of needed: some Collection<Int>, before next: Int?, from sync: [Int]
  ) -> SampleSpan? {
    guard let first = needed.min(), let last = needed.max() else { return nil }
    let start = min(needed.map { self.start(of: $0, from: sync) }.min() ?? first, first)
    let isLed = needed.contains { times[$0] < times[start] }
    let drops = start > 0 && !needsLeading && !isLed
    let dropped = drops ? (start...last).count { times[$0] < times[start] } : 0
    return SampleSpan(
      samples: start..<last + 1, start: time(start), last: time(last),
      lastDecoded: time(max(last, next ?? last)), firstShown: needed.first.map(time),
      dropsLeading: drops,
      hiddenCount: last + 1 - start - needed.count - dropped)
  }

  private func ticks(_ count: Int64) -> MediaTime {
    MediaTime(value: count, timescale: timescale)
  }

  /// The sample at which decoding has to start for one: the last sync sample before it that does
  /// not come later in the presentation; 0 where there is none.
  private func start(of index: Int, from sync: [Int]) -> Int {
    let next = sync.partitioningIndex { $0 > index }
    guard let own = sync[..<next].last else { return 0 }
    return times[own] <= times[index] ? own : sync[..<next].dropLast().last ?? 0
  }

  /// The samples from which on all is right when decoding starts there.
  private var usableSync: [Int] {
    guard needsLeading else { return syncSamples }
    var earliest = Int64.max
    var usable: [Int] = []
    for index in times.indices.reversed() {
      if isSync[index] && times[index] <= earliest { usable.append(index) }
      earliest = min(earliest, times[index])
    }
    return usable.reversed()
  }

  /// The samples at which decoding can start by the file's statement.
  package var syncSamples: [Int] { isSync.indices.filter { isSync[$0] } }

  /// The sync samples of a movie's tables that lie behind the end of the file.
  package func missingSyncSamples(of track: AssetTrack) -> [Int] {
    guard let box = track.box, let table = try? SampleTable(box), table.count == times.count
    else { return [] }
    let ranges = table.ranges
    return syncSamples.filter { ranges[$0].upperBound > box.fileSize }
  }

  /// The frames that a timeline presents, in order.
  package func presentedFrames(of timeline: EditTimeline) -> [ShownFrame] {
    let shown = order.filter { !undecodable.contains($0) && isFrame?[$0] ?? true }
    let starts = shown.map(time)
    var frames: [ShownFrame] = []
    var begin = MediaTime.zero
    for edit in timeline.edits {
      let stop = edit.duration.map { begin + $0 }
      for place in places(in: edit, of: starts) {
        let media = edit.mediaStart ?? .zero
        let end = place + 1 < starts.count ? starts[place + 1] : starts[place] + ticks(lastDuration)
        let from = begin + max(starts[place] - media, .zero)
        let to = edit.isDwell ? stop ?? from : min(begin + (end - media), stop ?? .longest)
        if from < to {
          frames.append((from..<to, starts[place]))
        }
      }
      guard let stop else { break }
      begin = stop
    }
    return frames
  }

  /// The places of the frames that an edit presents.
  private func places(in edit: EditTimeline.Edit, of starts: [MediaTime]) -> Range<Int> {
    guard let media = edit.mediaStart else { return 0..<0 }
    let first = max(starts.partitioningIndex { $0 > media } - 1, 0)
    if edit.isDwell { return first..<min(first + 1, starts.count) }
    let end = edit.duration.map { duration in
      starts.partitioningIndex { $0 >= media + duration }
    }
    return first..<max(end ?? starts.count, first)
  }
}

extension MediaTime {
  /// Later than any time of a file.
  fileprivate static let longest = MediaTime(value: .max, timescale: 1)
}
