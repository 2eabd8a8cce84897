// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import MediaCore

/// The samples that a part of a track's presentation needs. They follow each other in decoding
/// order, and decoding can start at the first.
package struct SampleSpan: Hashable, Sendable {
  /// The samples, counted from 0 in decoding order.
  package let samples: Range<Int>
  /// When the first sample in decoding order is presented, on the media's timeline.
  package let start: MediaTime
  /// When the last sample in decoding order is presented, on the media's timeline.
  package let last: MediaTime
  // The duration of a frame is known only when the next one is read, so decoding goes a little
  // further than the part.
  /// The presentation time of the last sample that has to be decoded, on the media's timeline.
  package let lastDecoded: MediaTime
  /// The presentation time of the first sample that the part shows, on the media's timeline; `nil`
  /// if unknown.
  package let firstShown: MediaTime?
  // Leading frames refer to frames before the span, which are not decoded.
  /// Whether to leave out samples that are decoded after the first and presented before it.
  package let dropsLeading: Bool
  /// The number of samples in the span that the part does not present.
  package let hiddenCount: Int

  package init(
    samples: Range<Int>, start: MediaTime, last: MediaTime, lastDecoded: MediaTime,
    firstShown: MediaTime? = nil, dropsLeading: Bool, hiddenCount: Int
  ) {
    self.samples = samples
    self.start = start
    self.last = last
    self.lastDecoded = lastDecoded
    self.firstShown = firstShown
    self.dropsLeading = dropsLeading
    self.hiddenCount = hiddenCount
  }

  /// Finds the samples of a span among a track's packets.
  package struct Cursor: Sendable {
    private let span: SampleSpan
    private let last: MediaTime
    /// Whether the first sample was found.
    package private(set) var isStarted = false
    /// Whether the last sample was found.
    package private(set) var isAtEnd = false

    /// - Parameter decodes: whether to find all packets that have to be decoded. If not, only
    ///   packets that are copied are found.
    package init(_ span: SampleSpan, decodes: Bool) {
      self.span = span
      last = decodes ? span.lastDecoded : span.last
    }

    /// Returns whether a packet is in the span. Pass the packets in the order of the file.
    package mutating func takes(_ packet: Packet) -> Bool {
      guard !isAtEnd, let time = packet.presentationTimeStamp else { return isStarted && !isAtEnd }
      isStarted = isStarted || time == span.start
      guard isStarted else { return false }
      isAtEnd = time == last
      return !span.dropsLeading || time >= span.start
    }
  }
}
