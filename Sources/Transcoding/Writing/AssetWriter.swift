internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Writes a movie file from the samples that its inputs take.
///
/// The file is finished in two steps: libavformat writes samples and their index; then the boxes
/// that it does not write, or not exactly, are added, and the index is put in front.
public final class AssetWriter: @unchecked Sendable {
  // Sendable although it has state: `write` and what comes after run on one thread.
  /// Something for a track of the file.
  struct Item: Sendable {
    enum Content: Sendable {
      case packet(Packet, decodeTime: MediaTime?)
      case sample(EncodedSample)
      case end
    }

    let track: Int
    let content: Content
  }

  /// The inputs, in the order of the file's tracks.
  let inputs: [AssetWriterInput]
  /// Ticks a second of the movie's own durations.
  let movieTimescale: Int32

  private let muxer: Muxer
  private let queue: BoundedQueue<Item>
  private let path: String

  /// Creates the file and its header.
  ///
  /// - Parameters:
  ///   - path: where libavformat writes.
  ///   - queue: what the inputs fill and ``write()`` empties.
  init(
    path: String, container: Muxer.Container, inputs: [AssetWriterInput], movieTimescale: Int32,
    queue: BoundedQueue<Item>
  ) throws {
    self.path = path
    self.inputs = inputs
    self.movieTimescale = movieTimescale
    self.queue = queue
    muxer = try Muxer(path: path, container: container)
    var videoTimescale: Int32?
    for input in inputs {
      let index: Int
      switch input.mode {
      case .encode(_, let format):
        videoTimescale = format.timescale
        index = try muxer.addVideoTrack(format)
      case .copy(let track, _):
        if track.kind == .video { videoTimescale = track.timescale }
        index = try muxer.addTrack(copying: track)
      case .encodedSound(let codec, let timescale):
        index = try muxer.addTrack(codec: codec, timescale: timescale, language: nil)
      }
      input.connect(to: queue, trackIndex: index)
    }
    try muxer.writeHeader(movieTimescale: movieTimescale, videoTimescale: videoTimescale)
  }

  /// Writes what the inputs are given, until all of them are finished.
  func write() throws {
    var open = inputs.count
    while open > 0, let item = try queue.pop() {
      switch item.content {
      case .packet(let packet, let time):
        try write(packet, toTrack: item.track, decodeTime: time)
      case .sample(let sample): try muxer.write(sample, toTrack: item.track)
      case .end: open -= 1
      }
    }
    try muxer.finish()
  }

  /// A packet of the source that libavformat refuses is the source's fault.
  private func write(_ packet: Packet, toTrack index: Int, decodeTime: MediaTime?) throws {
    do throws(LibAVError) {
      try muxer.write(packet, toTrack: index, decodeTime: decodeTime)
    } catch {
      guard error.kind == .system(errno: 22) else { throw error }
      let seconds = packet.presentationTime.map { " at \($0.seconds) s" } ?? ""
      throw TranscodingError(
        .unusableInput,
        "the samples of track \(packet.trackIndex + 1) cannot be copied: their times are out of "
          + "order or damaged\(seconds)")
    }
  }

  /// What was written, for finishing the boxes and for verification. Tracks that were given no
  /// sample are not in the file.
  func writtenTracks() -> [WrittenTrack] {
    inputs.enumerated().map { index, input in
      WrittenTrack(boxes: input.boxes, samples: muxer.written(toTrack: index))
    }.filter { $0.samples.count > 0 }
  }
}
