// SPDX-License-Identifier: GPL-2.0-or-later
internal import DolbyVision
internal import Glibc
package import Host
internal import ISOBMFF
package import LibAV
package import MediaCore
internal import Planning

/// Writes samples and their index into a file, which ``OutputDelivery`` completes.
package final class MovieWriter {
  /// Something to write to a track.
  package struct Item: Sendable {
    package enum Content: Sendable {
      case open(TrackFormat)
      case packet(Packet, decodeTimeStamp: MediaTime?)
      case sample(EncodedSample)
      case end(TrackBoxes)
    }

    /// The track's index in the movie.
    let track: Int
    package let content: Content
  }

  /// Ticks per second for the movie's durations, or `nil` until all tracks are known.
  package private(set) var movieTimescale: Int32?

  /// The type of the movie that is written.
  package var movieType: FileType { muxer.container }

  private let muxer: Muxer
  /// The type of the file that is made from the movie, often the same as the movie's type.
  private let container: FileType
  private let queue: BoundedQueue<Item>
  private var tracks: [Track]

  private struct Track {
    /// The track's format, or `nil` until the track is open.
    var format: TrackFormat?
    /// The muxer's track index, or `nil` if the track is not in the file.
    var index: Int?
    var entryOrigin = EntryOrigin.muxer
    /// What the track's boxes say, or `nil` until the track has ended.
    var boxes: TrackBoxes?
  }

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: the path at which libavformat writes.
  ///   - movieType: the type of the movie.
  ///   - container: the type of the file that is made from the movie.
  ///   - movieTimescale: ticks per second, or `nil` for a value that suits the frames.
  ///   - queue: a ``TrackWriter`` for each track fills the queue, and ``write(for:)`` empties it.
  package init(
    path: String, movieType: FileType, container: FileType, trackCount: Int,
    movieTimescale: Int32?, queue: BoundedQueue<Item>
  ) throws {
    self.container = container
    self.movieTimescale = movieTimescale
    self.queue = queue
    muxer = try Muxer(path: path, container: movieType)
    tracks = Array(repeating: Track(), count: trackCount)
  }

  /// Writes the samples from the queue, until all tracks have ended.
  ///
  /// - Parameter destination: the path of the output, for errors.
  package func write(for destination: String) throws {
    do {
      try writeAll()
    } catch {
      throw TranscodingError.meaning(of: error, output: destination)
    }
  }

  private func writeAll() throws {
    // The header lists all tracks, so keep samples until each track is open or has ended.
    var early: [Item] = []
    while tracks.contains(where: { $0.format == nil && $0.boxes == nil }) {
      guard let item = try queue.pop() else { return }
      switch item.content {
      case .open(let format): tracks[item.track].format = format
      case .end(let boxes): tracks[item.track].boxes = boxes
      case .packet, .sample: early.append(item)
      }
    }
    try writeHeader()
    for item in early { try write(item) }
    while tracks.contains(where: { $0.boxes == nil }), let item = try queue.pop() {
      try write(item)
    }
    try muxer.finish()
  }

  private func writeHeader() throws {
    var videoTimescale: Int32?
    for index in tracks.indices {
      guard let format = tracks[index].format else { continue }
      let origin = format.entryOrigin(in: muxer.container, for: container)
      tracks[index].entryOrigin = origin
      tracks[index].index = try muxer.addTrack(format, origin)
      videoTimescale = format.videoTimescale ?? videoTimescale
    }
    guard tracks.contains(where: { $0.index != nil }) else {
      throw TranscodingError(.unusableInput, "nothing was appended to any input")
    }
    // Edits are rounded to the movie's timescale, so use the frames' own timescale if it is fine
    // enough.
    let suitable = videoTimescale.flatMap { (600...1_000_000).contains($0) ? $0 : nil } ?? 1000
    let timescale = movieTimescale ?? suitable
    movieTimescale = timescale
    try muxer.writeHeader(movieTimescale: timescale, videoTimescale: videoTimescale)
  }

  private func write(_ item: Item) throws {
    // A track that ended without a format was left out of the header.
    guard let track = tracks[item.track].index else { return }
    switch item.content {
    case .open: break
    case .packet(let packet, let time): try write(packet, toTrack: track, decodeTimeStamp: time)
    case .sample(let sample):
      try write(at: sample.presentationTimeStamp, ofTrack: track + 1, "encoded") {
        () throws(LibAVError) in
        try muxer.write(sample, toTrack: track)
      }
    case .end(let boxes): tracks[item.track].boxes = boxes
    }
  }

  private func write(_ packet: Packet, toTrack index: Int, decodeTimeStamp: MediaTime?) throws {
    try write(at: packet.presentationTimeStamp, ofTrack: packet.trackIndex + 1, "copied") {
      () throws(LibAVError) in
      try muxer.write(packet, toTrack: index, decodeTimeStamp: decodeTimeStamp)
    }
  }

  /// Writes a sample. If libavformat refuses it, the error says why.
  private func write(
    at time: MediaTime?, ofTrack number: Int, _ verb: String, by body: () throws(LibAVError) -> Void
  ) throws {
    do throws(LibAVError) {
      try body()
    } catch {
      // `EINVAL` from libavformat means that the sample's times are unusable. They come from the
      // source, so the input is at fault. Other error numbers mean that writing to the disk failed.
      if case .system(let number) = error.kind, number != EINVAL { throw error }
      let seconds = time.map { " at \($0.seconds) s" } ?? ""
      throw TranscodingError(
        .unusableInput,
        "the samples of track \(number) cannot be \(verb): their times are out of "
          + "order or damaged\(seconds)")
    }
  }

  /// Whether a track got no samples and is therefore not in the file.
  package func isEmpty(_ track: Int) -> Bool { samples(of: tracks[track]) == nil }

  /// Returns the tracks that were written. Tracks without samples are not in the file.
  package func writtenTracks() -> [WrittenTrack] {
    tracks.compactMap { track in
      guard var boxes = track.boxes, let samples = samples(of: track) else { return nil }
      if let rate = ConfigurationRecord.nominalFrameRate(ofTimes: samples.times) {
        boxes.hdrMetadata.state(frameRate: rate)
      }
      return WrittenTrack(boxes: boxes, samples: samples, entryOrigin: track.entryOrigin)
    }
  }

  private func samples(of track: Track) -> WrittenSamples? {
    let samples = track.index.map(muxer.written)
    return samples?.count == 0 ? nil : samples
  }
}

extension Muxer {
  /// - Returns: the muxer's track index.
  fileprivate func addTrack(
    _ format: TrackFormat, _ origin: EntryOrigin
  ) throws(LibAVError) -> Int {
    switch format {
    case .encoded(let format): try addVideoTrack(format)
    case .encodedAudio(let codec, let timescale, let language):
      try addTrack(codec: codec, timescale: timescale, language: language)
    case .copied(let copy) where origin.isMuxer:
      try addTrack(
        copying: copy.track, timescale: copy.timescale,
        hasParameterSetsInSamples: copy.keepsParameterSets)
    case .copied(let copy): try addTrack(opaquely: copy.track, timescale: copy.timescale)
    }
  }
}

extension TrackFormat {
  fileprivate func entryOrigin(in movieType: FileType, for container: FileType) -> EntryOrigin {
    guard case .copied(let copy) = self else { return .muxer }
    return copy.entryOrigin(in: movieType, for: container)
  }

  /// The timescale of the track's frames, in ticks per second, or `nil` if the track is not video.
  fileprivate var videoTimescale: Int32? {
    switch self {
    case .encoded(let format): format.timescale
    case .copied(let copy) where copy.track.kind == .video: copy.timescale
    case .copied, .encodedAudio: nil
    }
  }
}
