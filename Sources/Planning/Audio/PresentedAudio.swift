// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import MediaCore

/// The parts of a track's audio that its edits present, counted in samples of the output.
package struct PresentedAudio {
  /// A run of samples without a gap, both in the source's media and in the output's media. `media`
  /// is its range in the source's media, and `output` is its first position in the output's media.
  private typealias Span = (media: Range<Int64>, output: Int64)

  // The output's media contains only the presented parts, one after another, so audio that nobody
  // hears is not encoded. `timeline(of:)` then maps the edits to the new positions of these parts.

  private static let forever = Int64.max / 4

  /// The position of the next sample in the source's media.
  package private(set) var position: Int64 = 0

  private let sampleRate: Int32
  /// The presented parts of the source's media, in order.
  private var ranges: [Range<Int64>]
  private var rangeIndex = 0
  private var spans: [Span] = []

  /// - Parameter sampleRate: sample rate of the output.
  package init(_ timeline: EditTimeline, sampleRate: Int) {
    self.sampleRate = Int32(clamping: max(sampleRate, 1))
    ranges = []
    var all: [Range<Int64>] = []
    for edit in timeline.edits {
      if let range = range(of: edit), !range.isEmpty { all.append(range) }
    }
    // Edits may present a part twice, or present parts out of order. Each sample is stored once, in
    // media order.
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        ranges[ranges.count - 1] = last.lowerBound..<end
      } else {
        ranges.append(range)
      }
    }
  }

  /// Converts a time to samples, limited to a range in which sums cannot overflow.
  package func samples(_ time: MediaTime) -> Int64 {
    min(max(time.converted(to: sampleRate).value, -Self.forever), Self.forever)
  }

  /// Returns the part of the media that an edit presents, or `nil` for an empty edit.
  private func range(of edit: EditTimeline.Edit) -> Range<Int64>? {
    guard let start = edit.mediaStart else { return nil }
    let first = samples(start)
    // A dwell presents a single moment, so a tenth of a second of media is enough.
    if edit.isDwell { return first..<first + Int64(sampleRate) / 10 }
    guard let duration = edit.duration else { return first..<Self.forever }
    return first..<max(samples(start + duration), first)
  }

  /// Sets the time of the first sample. Audio before `audible` is left out, even if an edit
  /// presents it.
  package mutating func start(at time: Int64, audible: Int64) {
    // Priming samples come out of the decoder, but nobody should hear them.
    position = time
    ranges = ranges.compactMap { range in
      range.upperBound <= audible ? nil : max(range.lowerBound, audible)..<range.upperBound
    }
  }

  /// Advances over the next samples.
  ///
  /// - Returns: the ranges of samples that are presented. Position 0 is the first of the `count`
  ///   samples.
  package mutating func take(_ count: Int64) -> [Range<Int64>] {
    let next = position..<position + count
    position = next.upperBound
    var parts: [Range<Int64>] = []
    while rangeIndex < ranges.count {
      let part = ranges[rangeIndex].clamped(to: next)
      if !part.isEmpty {
        add(part)
        parts.append(part.lowerBound - next.lowerBound..<part.upperBound - next.lowerBound)
      }
      guard ranges[rangeIndex].upperBound <= next.upperBound else { break }
      rangeIndex += 1
    }
    return parts
  }

  /// Returns how many of the next samples are presented.
  package func count(ofNext count: Int64) -> Int64 {
    let next = position..<position + count
    return ranges[rangeIndex...].reduce(0) { $0 + Int64($1.clamped(to: next).count) }
  }

  /// Skips media that has no samples in the output.
  package mutating func pass(_ count: Int64) { position += count }

  private mutating func add(_ media: Range<Int64>) {
    guard let last = spans.last else {
      spans = [(media, media.lowerBound)]
      return
    }
    if last.media.upperBound == media.lowerBound {
      spans[spans.count - 1].media = last.media.lowerBound..<media.upperBound
    } else {
      let output = last.output + Int64(last.media.count)
      spans.append((media, output))
    }
  }

  /// The position of the first sample in the output's media, or `nil` if there is none yet.
  package var start: Int64? { spans.first?.output }

  /// Ends the media at a time. Samples after it that were already taken are padding.
  package mutating func end(at time: Int64) {
    guard let last = spans.last, last.media.contains(time) else { return }
    spans[spans.count - 1].media = last.media.lowerBound..<time
  }

  /// Returns the source's edits, mapped to the output's media. Parts that the media lacks become
  /// empty edits.
  package func timeline(of source: EditTimeline) -> EditTimeline {
    var edits: [EditTimeline.Edit] = []
    for (index, edit) in source.edits.enumerated() {
      guard let wanted = range(of: edit) else {
        edits.append(edit)
        continue
      }
      if edit.isDwell {
        let place = spans.first { $0.media.contains(wanted.lowerBound) }
        let start = place.map { time($0.output + wanted.lowerBound - $0.media.lowerBound) }
        edits.append(
          .init(duration: edit.duration, mediaStart: start, isDwell: start != nil))
      } else {
        edits += pieces(of: wanted, edit, isLast: index == source.edits.count - 1)
      }
    }
    return EditTimeline(edits: edits)
  }

  private func pieces(
    of wanted: Range<Int64>, _ edit: EditTimeline.Edit, isLast: Bool
  ) -> [EditTimeline.Edit] {
    var edits: [EditTimeline.Edit] = []
    var cursor = wanted.lowerBound
    func addEmpty(to end: Int64) {
      if end > cursor { edits.append(.init(duration: time(end - cursor), mediaStart: nil)) }
      cursor = max(cursor, end)
    }
    for span in spans[firstSpan(behind: wanted.lowerBound)...] {
      let part = span.media.clamped(to: wanted)
      guard !part.isEmpty else { break }
      addEmpty(to: part.lowerBound)
      let start = time(span.output + part.lowerBound - span.media.lowerBound)
      // An edit whose whole media is present keeps its duration, which could lose a tick if it were
      // converted to samples and back.
      let duration = part == wanted ? edit.duration : time(Int64(part.count))
      edits.append(.init(duration: duration ?? time(Int64(part.count)), mediaStart: start))
      cursor = part.upperBound
    }
    // The presentation ends with its last sample. So leave out an empty edit at the end, which
    // would only add silence.
    if edit.duration != nil, !isLast { addEmpty(to: wanted.upperBound) }
    return edits
  }

  /// Returns the index of the first span that ends after a time.
  private func firstSpan(behind time: Int64) -> Int {
    // A damaged file may have thousands of spans, and each edit needs this search, so use a binary
    // search.
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].media.upperBound <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func time(_ samples: Int64) -> MediaTime {
    MediaTime(value: samples, timescale: sampleRate)
  }
}
