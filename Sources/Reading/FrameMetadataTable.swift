// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import MediaCore

/// The dynamic metadata of a track's frames, by their presentation times.
package struct FrameMetadataTable: Sendable {
  /// Ticks a second.
  private let timescale: Int32
  private var values: [Int64: FrameMetadata] = [:]
  /// The value that was set last, whose memory the next one shares if both are equal.
  private var last: FrameMetadata?

  /// Makes a table without frames.
  ///
  /// - Parameter timescale: the timescale of the track's times, in ticks a second.
  package init(timescale: Int32) { self.timescale = timescale }

  /// The metadata of the frame that is presented at a time; `nil` if there is none.
  package subscript(time: MediaTime) -> FrameMetadata? {
    get { values[time.converted(to: timescale).value] }
    // A film has metadata for each of its frames, which would take too much memory if it were kept
    // parsed.
    set { set(newValue, at: time.converted(to: timescale).value) }
  }

  private mutating func set(_ value: FrameMetadata?, at ticks: Int64) {
    let value = value?.unread.shared(with: last)
    values[ticks] = value
    last = value ?? last
  }

  /// Changes the metadata of each frame.
  package mutating func change(_ change: (FrameMetadata) -> FrameMetadata) {
    for (time, metadata) in values.sorted(by: { $0.key < $1.key }) {
      set(change(metadata), at: time)
    }
  }

  /// Takes the values of another table. They replace this table's values of the same kind for the
  /// same frame.
  package mutating func merge(_ other: FrameMetadataTable) {
    for (time, others) in other.values.sorted(by: { $0.key < $1.key }) {
      var result = values[time] ?? FrameMetadata()
      for value in others.all { result.put(value) }
      set(result, at: time)
    }
  }

  /// Gives each frame without metadata a copy of the metadata of the frame before it. Frames at the
  /// beginning get a copy from the first frame that has metadata.
  ///
  /// - Parameter times: the times of all frames.
  package mutating func fill(_ times: [MediaTime]) {
    let sorted = times.sorted()
    guard let first = sorted.first(where: { self[$0] != nil }), var last = self[first] else {
      return
    }
    for time in sorted {
      if let own = self[time] {
        last = own
      } else {
        self[time] = last
      }
    }
  }
}
