internal import Assets
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Writes samples and their index into a file, which ``OutputDelivery`` finishes.
///
/// The file's header needs to know every track. An input that learns what its pictures are from the
/// first of them opens late; until all inputs are open or ended, what the others give is kept.
final class MovieWriter: @unchecked Sendable {
  // Sendable although it has state: `write` and what comes after run on one thread.
  /// Something for a track of the file.
  struct Item: Sendable {
    enum Content: Sendable {
      case open(AssetWriterInput.Mode)
      case packet(Packet, decodeTime: MediaTime?)
      case sample(EncodedSample)
      case end
    }

    /// The index of the input.
    let input: Int
    let content: Content
  }

  /// The inputs, in the order of the file's tracks.
  let inputs: [AssetWriterInput]
  /// Ticks a second of the movie's own durations; nil until all tracks are known.
  private(set) var movieTimescale: Int32?

  private let muxer: Muxer
  private let queue: BoundedQueue<Item>
  private var modes: [AssetWriterInput.Mode?]
  private var hasEnded: [Bool]
  /// The muxer's track of each input.
  private var tracks: [Int?]

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: where libavformat writes.
  ///   - movieTimescale: nil for one that suits the pictures.
  ///   - queue: what the inputs fill and ``write(for:)`` empties.
  init(
    path: String, container: FileType, inputs: [AssetWriterInput], movieTimescale: Int32?,
    queue: BoundedQueue<Item>
  ) throws {
    self.inputs = inputs
    self.movieTimescale = movieTimescale
    self.queue = queue
    muxer = try Muxer(path: path, container: container)
    modes = inputs.map(\.knownMode)
    hasEnded = inputs.map { _ in false }
    tracks = inputs.map { _ in nil }
    for (index, input) in inputs.enumerated() { input.connect(to: queue, index: index) }
  }

  /// Writes what the inputs are given, until all of them are finished.
  ///
  /// - Parameter destination: where the output is to appear, for errors.
  func write(for destination: String) throws {
    do {
      try writeAll()
    } catch {
      throw TranscodingError.meaning(of: error, output: destination)
    }
  }

  private func writeAll() throws {
    var early: [Item] = []
    while zip(modes, hasEnded).contains(where: { $0 == nil && !$1 }) {
      guard let item = try queue.pop() else { return }
      switch item.content {
      case .open(let mode): modes[item.input] = mode
      case .end: hasEnded[item.input] = true
      case .packet, .sample: early.append(item)
      }
    }
    try writeHeader()
    for item in early { try write(item) }
    while hasEnded.contains(false), let item = try queue.pop() { try write(item) }
    try muxer.finish()
  }

  private func writeHeader() throws {
    var videoTimescale: Int32?
    for (index, mode) in modes.enumerated() {
      switch mode {
      case .encode(_, let format):
        videoTimescale = format.timescale
        tracks[index] = try muxer.addVideoTrack(format)
      case .copy(let track, let pictures):
        if track.kind == .video { videoTimescale = track.timescale }
        guard inputs[index].boxes.soundEntry == nil else {
          tracks[index] = try muxer.addTrack(copyingAsIs: track)
          continue
        }
        tracks[index] = try muxer.addTrack(
          copying: track, hasParameterSetsInSamples: pictures?.keepsParameterSets ?? false)
      case .encodedSound(let codec, let timescale):
        tracks[index] = try muxer.addTrack(codec: codec, timescale: timescale, language: nil)
      case nil: break
      }
    }
    guard tracks.contains(where: { $0 != nil }) else {
      throw TranscodingError(.unusableInput, "nothing was appended to any input")
    }
    let suitable = videoTimescale.flatMap { (600...1_000_000).contains($0) ? $0 : nil } ?? 1000
    let timescale = movieTimescale ?? suitable
    movieTimescale = timescale
    try muxer.writeHeader(movieTimescale: timescale, videoTimescale: videoTimescale)
  }

  private func write(_ item: Item) throws {
    guard let track = tracks[item.input] else { return }
    switch item.content {
    case .open: break
    case .packet(let packet, let time): try write(packet, toTrack: track, decodeTime: time)
    case .sample(let sample): try muxer.write(sample, toTrack: track)
    case .end: hasEnded[item.input] = true
    }
  }

  /// A packet of the source that libavformat refuses is the source's fault.
  private func write(_ packet: Packet, toTrack index: Int, decodeTime: MediaTime?) throws {
    do throws(LibAVError) {
      try muxer.write(packet, toTrack: index, decodeTime: decodeTime)
    } catch {
      if case .system(let number) = error.kind, number != 22 { throw error }
      let seconds = packet.presentationTime.map { " at \($0.seconds) s" } ?? ""
      throw TranscodingError(
        .unusableInput,
        "the samples of track \(packet.trackIndex + 1) cannot be copied: their times are out of "
          + "order or damaged\(seconds)")
    }
  }

  /// Whether an input was given no sample, and its track is therefore not in the file.
  func isEmpty(_ index: Int) -> Bool {
    tracks[index].map { muxer.written(toTrack: $0).count == 0 } ?? true
  }

  /// What was written, for finishing the boxes and for verification. Tracks that were given no
  /// sample are not in the file.
  func writtenTracks() -> [WrittenTrack] {
    zip(inputs, tracks).compactMap { input, track in
      guard let samples = track.map(muxer.written), samples.count > 0 else { return nil }
      var boxes = input.boxes
      if let rate = ConfigurationRecord.nominalFrameRate(ofTimes: samples.times) {
        boxes.hdrMetadata.state(frameRate: rate)
      }
      return WrittenTrack(boxes: boxes, samples: samples)
    }
  }
}
