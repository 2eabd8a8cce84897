// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import ISOBMFF
package import MediaCore

/// A frame that a timeline presents: when it is shown in the presentation, and when it begins in
/// the media.
package typealias PresentedFrame = (interval: Range<MediaTime>, mediaTime: MediaTime)

extension SampleIndex {
  /// The samples in presentation order.
  var order: [Int] { times.indices.sorted { times[$0] < times[$1] } }

  /// Returns the span of samples that a timeline needs.
  ///
  /// - Parameter preroll: how long before an edit a sample may end and still be needed.
  /// - Returns: `nil` if the timeline presents nothing, or if times do not identify samples.
  package func span(presentedBy timeline: EditTimeline, preroll: MediaTime = .zero) -> SampleSpan? {
    // Some files, such as AVI, state decoding times in place of presentation times. Then no sample
    // can be picked by its time, and everything is read.
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
      // If this sync sample is not a real start, or frames become whole too late, try the one
      // before it.
      if let delay = delays(start), start + delay <= first { return span }
      sync.removeLast(sync.count - sync.partitioningIndex { $0 >= start })
    }
    return nil
  }

  /// Returns the indices in `order` of the samples that a timeline presents.
  ///
  /// - Parameter order: some samples, sorted by presentation time.
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

  /// Returns the span of samples that must be decoded to get the needed ones.
  ///
  /// - Parameters:
  ///   - needed: samples in presentation order.
  ///   - next: the sample after the needed ones, which shows how long the last of them lasts; `nil`
  ///     if there is none.
  ///   - sync: the samples at which decoding can start, in decoding order.
  /// - Returns: `nil` if none is needed.
  func span(
    of needed: some Collection<Int>, before next: Int?, from sync: [Int]
  ) -> SampleSpan? {
    guard let first = needed.min(), let last = needed.max() else { return nil }
    // Needed samples may depend on different sync samples. Decoding starts at the earliest.
    let start = min(needed.map { self.start(of: $0, from: sync) }.min() ?? first, first)
    let isLed = needed.contains { times[$0] < times[start] }
    // Leading frames of the first sync sample refer to frames before it. A decoder would drop the
    // leading frames or return them damaged, so they are left out if nothing needs them.
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

  /// Returns the sync sample at which decoding has to start to get the given sample. Returns 0 if
  /// there is no such sync sample.
  private func start(of index: Int, from sync: [Int]) -> Int {
    let next = sync.partitioningIndex { $0 > index }
    guard let own = sync[..<next].last else { return 0 }
    // A leading frame follows its sync sample in decoding order but is presented before it, and
    // refers to the group before it. So decoding has to start at the previous sync sample.
    return times[own] <= times[index] ? own : sync[..<next].dropLast().last ?? 0
  }

  /// The sync samples from which every later sample can be decoded.
  private var usableSync: [Int] {
    // In H.264, later frames may refer to leading frames. So only a sync sample with no leading
    // frames is safe.
    guard needsLeading else { return syncSamples }
    var earliest = Int64.max
    var usable: [Int] = []
    for index in times.indices.reversed() {
      if isSync[index] && times[index] <= earliest { usable.append(index) }
      earliest = min(earliest, times[index])
    }
    return usable.reversed()
  }

  /// The samples that the file marks as sync samples.
  package var syncSamples: [Int] { isSync.indices.filter { isSync[$0] } }

  /// Returns the sync samples that a movie's tables list beyond the end of a truncated file.
  package func missingSyncSamples(of track: AssetTrack) -> [Int] {
    guard let box = track.box, let table = try? SampleTable(box), table.count == times.count
    else { return [] }
    let ranges = table.ranges
    return syncSamples.filter { ranges[$0].upperBound > box.fileSize }
  }

  /// Returns the frames that a timeline presents, in order.
  package func presentedFrames(of timeline: EditTimeline) -> [PresentedFrame] {
    let shown = order.filter { !undecodable.contains($0) && isFrame?[$0] ?? true }
    let starts = shown.map(time)
    var frames: [PresentedFrame] = []
    var begin = MediaTime.zero
    for edit in timeline.edits {
      let stop = edit.duration.map { begin + $0 }
      for place in places(in: edit, of: starts) {
        let media = edit.mediaStart ?? .zero
        let end = place + 1 < starts.count ? starts[place + 1] : starts[place] + ticks(lastDuration)
        // The edit may begin inside a frame. Then presentation of the frame begins at the edit's
        // start (ISO/IEC 14496-12, 8.6.6), although libavformat would drop the frame.
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

  /// Returns the indices of the frames that an edit presents.
  private func places(in edit: EditTimeline.Edit, of starts: [MediaTime]) -> Range<Int> {
    guard let media = edit.mediaStart else { return 0..<0 }
    // Go one step back, because a frame that is already shown when the edit begins belongs to the
    // edit, too.
    let first = max(starts.partitioningIndex { $0 > media } - 1, 0)
    // A dwell (media rate 0) shows a single frame for the duration of the edit.
    if edit.isDwell { return first..<min(first + 1, starts.count) }
    let end = edit.duration.map { duration in
      starts.partitioningIndex { $0 >= media + duration }
    }
    return first..<max(end ?? starts.count, first)
  }
}

extension MediaTime {
  fileprivate static let longest = MediaTime(value: .max, timescale: 1)
}
