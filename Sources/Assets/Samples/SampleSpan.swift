// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import MediaCore

/// The samples of a track that a part of its presentation needs: they follow each other in the
/// order of decoding, and decoding can start at the first.
package struct SampleSpan: Hashable, Sendable {
  /// The samples, counted from 0 in the order of decoding.
  package let samples: Range<Int>
  /// Presentation time of the first of them, in the media.
  package let start: MediaTime
  /// Presentation time of the last of them, in the media.
  package let last: MediaTime
  /// Presentation time of the last sample that has to be decoded so that the durations of all
  /// frames are known.
  package let lastDecoded: MediaTime
  /// Presentation time of the first that the part presents, in the media; nil if unknown.
  package let firstShown: MediaTime?
  /// True if samples are left out that are decoded after the first and presented before it: they
  /// refer to what is not there.
  package let dropsLeading: Bool
  /// Samples among them that the part does not present.
  package let hiddenCount: Int

  /// A span from its parts.
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
    private var isStarted = false
    /// True once the last of them was there.
    package private(set) var isAtEnd = false

    /// - Parameter decodes: true for what has to be decoded, false for what is copied.
    package init(_ span: SampleSpan, decodes: Bool) {
      self.span = span
      last = decodes ? span.lastDecoded : span.last
    }

    /// True if a packet is one of the span's. Packets come in the order of the file.
    package mutating func takes(_ packet: Packet) -> Bool {
      guard !isAtEnd, let time = packet.presentationTimeStamp else { return isStarted && !isAtEnd }
      isStarted = isStarted || time == span.start
      guard isStarted else { return false }
      isAtEnd = time == last
      return !span.dropsLeading || time >= span.start
    }
  }
}
