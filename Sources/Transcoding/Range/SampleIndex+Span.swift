// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import MediaCore

/// Samples that a timeline presents.
extension SampleIndex {
  /// The samples in the order of presentation.
  private var order: [Int] { times.indices.sorted { times[$0] < times[$1] } }

  /// The samples that a timeline needs.
  ///
  /// - Parameter preroll: the duration before an edit for which samples are needed, too.
  /// - Returns: nil where it presents none, and where times do not tell which sample is which.
  func span(presentedBy timeline: EditTimeline, preroll: MediaTime = .zero) -> SampleSpan? {
    guard !isOfDecoding else { return nil }
    let order = order
    var isNeeded = [Bool](repeating: false, count: times.count)
    var next: Int?
    for (place, index) in order.enumerated() {
      let end =
        place + 1 < order.count ? time(order[place + 1]) : time(index) + ticks(lastDuration)
      if timeline.presents(from: time(index), to: end + preroll) {
        isNeeded[index] = true
        next = place + 1 < order.count ? order[place + 1] : nil
      }
    }
    guard let first = isNeeded.firstIndex(of: true), let last = isNeeded.lastIndex(of: true) else {
      return nil
    }
    let start = self.start(of: isNeeded, from: first)
    let isLed = isNeeded.indices.contains { isNeeded[$0] && times[$0] < times[start] }
    let drops = start > 0 && !needsLeading && !isLed
    let hidden = (start...last).count { index in
      !isNeeded[index] && !(drops && times[index] < times[start])
    }
    return SampleSpan(
      samples: start..<last + 1, start: time(start), last: time(last),
      lastDecoded: time(max(last, next ?? last)), dropsLeading: drops, hiddenCount: hidden)
  }

  private func ticks(_ count: Int64) -> MediaTime {
    MediaTime(value: count, timescale: timescale)
  }

  /// The sample at which decoding has to start: of each sample that is needed, the last sync sample
  /// before it that does not come later in the presentation; 0 where there is none.
  private func start(of isNeeded: [Bool], from first: Int) -> Int {
    var (previous, current): (Int?, Int?)
    var start = first
    let usable = usableSync
    for index in times.indices {
      if usable[index] { (previous, current) = (current, index) }
      guard isNeeded[index] else { continue }
      let own = current.map { times[$0] <= times[index] ? $0 : previous ?? 0 } ?? 0
      start = min(start, own)
    }
    return start
  }

  /// For each sample, true if all frames after it are right when decoding starts there.
  private var usableSync: [Bool] {
    guard needsLeading else { return isSync }
    var earliest = Int64.max
    var usable = isSync
    for index in times.indices.reversed() {
      usable[index] = isSync[index] && times[index] <= earliest
      earliest = min(earliest, times[index])
    }
    return usable
  }

  /// Presentation times of the frames that a timeline presents, in order. Frames before the first
  /// that can be decoded are left out.
  func presentedFrames(of timeline: EditTimeline) -> [Range<MediaTime>] {
    let first = isSync.firstIndex(of: true) ?? 0
    let shown = order.filter {
      $0 >= first && times[$0] >= times[first] && isFrame?[$0] ?? true
    }
    let starts = shown.map(time)
    var frames: [Range<MediaTime>] = []
    var begin = MediaTime.zero
    for edit in timeline.edits {
      let stop = edit.duration.map { begin + $0 }
      for place in places(in: edit, of: starts) {
        let media = edit.mediaStart ?? .zero
        let end = place + 1 < starts.count ? starts[place + 1] : starts[place] + ticks(lastDuration)
        let from = begin + max(starts[place] - media, .zero)
        let to = edit.isDwell ? stop ?? from : min(begin + (end - media), stop ?? .longest)
        if from < to { frames.append(from..<to) }
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
