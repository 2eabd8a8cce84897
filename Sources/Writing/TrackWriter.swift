// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
package import LibAV
package import MediaCore

/// Description of a track that the muxer needs before its first sample.
package enum TrackFormat: Sendable {
  /// Frames that were encoded.
  case encoded(VideoTrackFormat)
  /// Audio that was encoded; the timescale is in ticks a second.
  case encodedAudio(CodecParameters, timescale: Int32, language: String?)
  /// A track of a file.
  case copied(CopiedFormat)
}

/// Hands the samples of one track to the thread that writes the movie. Waits while that is behind.
package struct TrackWriter: Sendable {
  /// The track's place among those of the movie.
  package let index: Int
  package let queue: BoundedQueue<MovieWriter.Item>
  /// Function that is called with every sample that was encoded.
  let written: @Sendable (EncodedSample) -> Void

  package init(
    index: Int, queue: BoundedQueue<MovieWriter.Item>,
    written: @escaping @Sendable (EncodedSample) -> Void = { _ in }
  ) {
    (self.index, self.queue, self.written) = (index, queue, written)
  }

  /// Begins the track; samples that were written before are kept until then.
  package func open(_ format: TrackFormat) throws { try push(.open(format)) }

  func write(_ packet: Packet, decodeTimeStamp: MediaTime?) throws {
    try push(.packet(packet, decodeTimeStamp: decodeTimeStamp))
  }

  package func write(_ sample: EncodedSample) throws {
    try push(.sample(sample))
    written(sample)
  }

  /// Says that nothing more will be written.
  package func end(_ boxes: TrackBoxes) throws { try push(.end(boxes)) }

  private func push(_ content: MovieWriter.Item.Content) throws {
    try queue.push(MovieWriter.Item(track: index, content: content))
  }
}
