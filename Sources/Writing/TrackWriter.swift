// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
package import LibAV
package import MediaCore

/// What the muxer needs to know about a track before its first sample.
package enum TrackFormat: Sendable {
  /// Frames from an encoder.
  case encoded(VideoTrackFormat)
  /// Encoded audio. The timescale is in ticks per second.
  case encodedAudio(CodecParameters, timescale: Int32, language: String?)
  /// A copied track.
  case copied(CopiedFormat)
}

/// Passes the samples of one track to the thread that writes the movie. Waits while that thread is
/// behind.
package struct TrackWriter: Sendable {
  /// The track's index in the movie.
  package let index: Int
  package let queue: BoundedQueue<MovieWriter.Item>
  /// Called with every encoded sample. If it throws, nothing more is written.
  let written: @Sendable (EncodedSample) throws -> Void

  package init(
    index: Int, queue: BoundedQueue<MovieWriter.Item>,
    written: @escaping @Sendable (EncodedSample) throws -> Void = { _ in }
  ) {
    (self.index, self.queue, self.written) = (index, queue, written)
  }

  /// Opens the track. Samples of other tracks are kept until all tracks are open.
  package func open(_ format: TrackFormat) throws { try push(.open(format)) }

  func write(_ packet: Packet, decodeTimeStamp: MediaTime?) throws {
    try push(.packet(packet, decodeTimeStamp: decodeTimeStamp))
  }

  package func write(_ sample: EncodedSample) throws {
    try push(.sample(sample))
    try written(sample)
  }

  /// Ends the track.
  package func end(_ boxes: TrackBoxes) throws { try push(.end(boxes)) }

  private func push(_ content: MovieWriter.Item.Content) throws {
    try queue.push(MovieWriter.Item(track: index, content: content))
  }
}
