// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import MediaCore

/// The dynamic metadata of a track's frames, by their presentation times.
package struct FrameMetadataTable: Sendable {
  /// Ticks a second.
  private let timescale: Int32
  private var values: [Int64: FrameMetadata] = [:]
  /// The value that was set last. The frames of a shot often have the same metadata, and then they
  /// share its memory.
  private var last: FrameMetadata?

  /// Makes a table without frames.
  ///
  /// - Parameter timescale: the timescale of the track's times, in ticks a second.
  package init(timescale: Int32) { self.timescale = timescale }

  /// The metadata of the frame that is presented at a time; `nil` if there is none.
  package subscript(time: MediaTime) -> FrameMetadata? {
    get { values[time.converted(to: timescale).value] }
    // A film has metadata for each of its frames. If it were kept parsed, it would take too much
    // memory.
    set { values[time.converted(to: timescale).value] = newValue.map { shared($0.unread) } }
  }

  private mutating func shared(_ value: FrameMetadata) -> FrameMetadata {
    if let last, last == value { return last }
    last = value
    return value
  }

  /// Changes the metadata of each frame.
  package mutating func change(_ change: (FrameMetadata) -> FrameMetadata) {
    for (time, metadata) in values.sorted(by: { $0.key < $1.key }) {
      values[time] = shared(change(metadata).unread)
    }
  }

  /// Takes the values of another table. They replace this table's values of the same kind for the
  /// same frame.
  package mutating func merge(_ other: FrameMetadataTable) {
    for (time, others) in other.values.sorted(by: { $0.key < $1.key }) {
      var result = values[time] ?? FrameMetadata()
      for value in others.all { result.put(value) }
      values[time] = shared(result.unread)
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
