// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import LibAV
internal import MediaCore

/// Description of a track that the muxer needs before its first sample.
enum TrackFormat: Sendable {
  /// Frames that were encoded.
  case encoded(VideoTrackFormat)
  /// Audio that was encoded; the timescale is in ticks a second.
  case encodedAudio(CodecParameters, timescale: Int32, language: String?)
  /// A track of a file.
  case copied(CopiedFormat)
}

/// Hands the samples of one track to the thread that writes the movie. Waits while that is behind.
struct TrackWriter: Sendable {
  /// The track's place among those of the movie.
  let index: Int
  let queue: BoundedQueue<MovieWriter.Item>
  /// Function that is called with every sample that was encoded.
  var written: @Sendable (EncodedSample) -> Void = { _ in }

  /// Begins the track; samples that were written before are kept until then.
  func open(_ format: TrackFormat) throws { try push(.open(format)) }

  func write(_ packet: Packet, decodeTime: MediaTime?) throws {
    try push(.packet(packet, decodeTime: decodeTime))
  }

  func write(_ sample: EncodedSample) throws {
    try push(.sample(sample))
    written(sample)
  }

  /// Says that nothing more will be written.
  func end(_ boxes: TrackBoxes) throws { try push(.end(boxes)) }

  private func push(_ content: MovieWriter.Item.Content) throws {
    try queue.push(MovieWriter.Item(track: index, content: content))
  }
}
