// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading
internal import VideoEncoders
internal import Writing

/// Thrown if the encoder's frames would make the decoder's buffer run empty. This can happen only
/// in a first try, in which the encoder does not know that buffer.
struct BufferRanEmpty: Error {}

/// The stages of a session's pipeline, each running on its own thread.
final class SessionStages: Sendable {
  let reader: Exclusive<AssetReading>
  /// The reader of another file's video that replaces the video of the input, if there is one.
  private let videoReader: Exclusive<AssetReading?>
  let writer: Exclusive<MovieWriter>

  let frameStages: FrameStages

  let audioStages: [AudioStage]

  private let session: TranscodeSession
  /// The source's tracks, in the order of the output's tracks.
  private let tracks: [AssetTrack]
  /// What the output's boxes say about each track.
  private let boxes: [TrackBoxes]
  private let samples: BoundedQueue<MovieWriter.Item>
  /// The subtitles. In the reader, they come after the other tracks.
  private let subtitles: Exclusive<[SubtitleTrack]>
  private let frameSource: FrameSource?
  /// The carried video tracks that are damaged.
  private let damagedVideo = Exclusive<[AssetTrack]>([])

  /// A track of audio that is encoded.
  struct AudioStage: Sendable {
    /// The track's index in the output.
    let index: Int
    let packets: BoundedQueue<Packet>
    let encoding: Exclusive<AudioEncodingStage>
  }

  /// The index in `tracks` of the track whose frames are encoded; `nil` if no frames are encoded.
  private var encodedPlace: Int? { session.plan.encodedPlace(in: tracks) }

  /// Returns the indices of the input's tracks to read.
  private static func readPlaces(of tracks: [AssetTrack], _ session: TranscodeSession) -> [Int] {
    let isReplaced = session.options.videoAsset != nil
    let encodedPlace = session.plan.encodedPlace(in: tracks)
    return tracks.indices.filter { place in
      // Segments already contain the frames. Reading the frames again would decode the whole file
      // for nothing.
      let isEncodedBefore = session.encoded != nil && place == encodedPlace
      return !isEncodedBefore && !(isReplaced && tracks[place].demuxed.kind == .video)
    }
  }

  private var readPlaces: [Int] { Self.readPlaces(of: tracks, session) }

  init(
    of session: TranscodeSession, _ measured: MeasuredMetadata?,
    samples: BoundedQueue<MovieWriter.Item>, in pipeline: Pipeline,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    self.session = session
    self.samples = samples
    let (asset, video) = (session.asset, session.plan.video)
    let tracks = [video?.track].compactMap { $0 } + session.plan.audio.map(\.track)
    self.tracks = tracks
    // An error should name the file that it is about, so there are two blocks. Errors in the first
    // name the input, and errors in the second name the output.
    do {
      subtitles = Exclusive(
        try session.plan.subtitles.map {
          try SubtitleTrack($0, into: session.plan.movieType)
        })
      let read = Self.readPlaces(of: tracks, session).map { tracks[$0] }
      // This check is called during the preparation, which `checkpoint` can stop, and during the
      // reading, which the pipeline can stop.
      let check: Pipeline.Checkpoint = {
        try checkpoint()
        try pipeline.checkCancellation()
      }
      let outputs = try (read + session.plan.subtitles).map { try session.output(of: $0, check) }
      let other = try session.options.videoAsset.flatMap { other in
        try video.map { try AssetReading(other, for: [try session.output(of: $0.track, check)]) }
      }
      reader = Exclusive(try AssetReading(asset, for: outputs))
      videoReader = Exclusive(other)
      boxes = try tracks.map { track in
        var boxes = try TrackBoxes(of: track, in: session.plan)
        guard track.demuxed.kind == .video else { return boxes }
        boxes.replaced = session.plan.replacedVideo?.box
        if let grafted = session.options.graftedMetadata { boxes.take(grafted) }
        if let rpus = try session.rpusBesideSamples(checkpoint) { boxes.take(rpus) }
        if let measured { boxes.take(measured) }
        return boxes
      }
      audioStages = try session.audioStages(of: tracks, in: pipeline)
      let encoded = session.encoded == nil ? video : nil
      frameStages = try encoded.map(FrameStages.init) ?? FrameStages()
      frameSource = try video.flatMap { $0.encoding == nil ? nil : try FrameSource($0.track) }
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
    do {
      writer = Exclusive(
        try MovieWriter(
          path: session.file.samplesPath, movieType: session.plan.movieType,
          container: session.plan.container, trackCount: tracks.count,
          movieTimescale: session.plan.movieTimescale, queue: samples))
    } catch {
      throw TranscodingError.meaning(of: error, output: session.file.destination)
    }
  }

  /// Reads the file. Frames go to the stages that convert and encode them. Packets of audio that is
  /// encoded go to the audio stages, and subtitles are collected. Other packets are written.
  func read(into frames: FrameQueue, checkpoint: @escaping Pipeline.Checkpoint) throws {
    do {
      try reader.use { try read($0, into: frames, checkpoint) }
    } catch {
      throw TranscodingError.meaning(of: error, input: session.asset.path)
    }
  }

  private func read(
    _ reader: AssetReading, into frames: FrameQueue, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    let outputs = tracks.indices.map { TrackWriter(index: $0, queue: samples) }
    let readPlaces = readPlaces
    // Progress follows the video track, or the first track if no video is read. If this session
    // decodes the video, the video track has no packets here, so its encoded frames report
    // progress.
    let paced = readPlaces.first { tracks[$0].demuxed.kind == .video } ?? readPlaces.first
    var copies = tracks.indices.map { index in
      boxes[index].isEncoded || !readPlaces.contains(index)
        ? nil
        : CopyingStage(tracks[index].demuxed, boxes: boxes[index], checkpoint: checkpoint)
    }
    let queues = Dictionary(uniqueKeysWithValues: audioStages.map { ($0.index, $0.packets) })
    // Open copied tracks before reading, because the writer holds all samples back until it knows
    // every track.
    for (copy, output) in zip(copies, outputs) { try copy?.open(output) }
    let interleaved = try interleavedTrack(checkpoint)
    while let (place, sample) = try reader.next() {
      switch sample {
      case .frame(let frame):
        // If the user stated the source's color, the tags of later frames cannot contradict it.
        try frameSource?.refuseChange(
          frame, of: session.asset.path, ignoringColor: session.options.sourceColor != nil)
        try frames.push(frame)
      case .packet(let sample) where place >= readPlaces.count:
        // Subtitles become a new track once all of their texts are known.
        try subtitles.use { try $0[place - readPlaces.count].append(sample.packet) }
      case .packet(let sample):
        let index = readPlaces[place]
        // Segments, and video from another file, have no thread that reads them. Their samples are
        // interleaved by decode time with the packets that are read here.
        try interleaved?.write(
          until: sample.packet.decodeTimeStamp ?? sample.packet.presentationTimeStamp)
        try queues[index]?.push(sample.packet)
        try copies[index]?.append(sample.packet, to: outputs[index])
        if index == paced { advance(sample.packet, of: index) }
      }
    }
    try countDamage(of: readPlaces.map { copies[$0] }, in: reader)
    frames.finish()
    try interleaved?.finish()
    for queue in queues.values { queue.finish() }
    for index in copies.indices where copies[index] != nil {
      try outputs[index].end(boxes[index])
    }
  }

  /// Counts the damage of copied tracks, and refuses tracks that are damaged beyond use.
  ///
  /// - Parameter copies: for each track of the reader except subtitles, its stage; `nil` if the
  ///   track is not copied.
  private func countDamage(of copies: [CopyingStage?], in reader: AssetReading) throws {
    for (copy, track) in zip(copies, reader.tracks) {
      guard let copy else { continue }
      try track.tally.addUnreadableSamples(copy.damagedCount)
      let count = copy.repeatedRPUCount
      guard count > 0 else { continue }
      try track.tally.addDamage(
        "it has no readable Dolby Vision RPU, or more than one, for \(count.counted("frame"))",
        count: count)
    }
    // If most frames were lost, the output would hardly show the source any more.
    for track in reader.tracks { try track.tally.refuseMajority(of: session.asset.path) }
  }

  /// Reports progress by a packet.
  private func advance(_ packet: Packet, of index: Int) {
    guard let time = packet.presentationTimeStamp else { return }
    session.meter.advance(
      to: tracks[index].timeline.end(of: time, lasting: packet.duration), frames: 0)
  }

  /// Returns the writer of a track's encoded frames. It also reports progress by them, and throws
  /// ``BufferRanEmpty`` if they empty a buffer that the encoder was not told of.
  private func output(ofFrames place: Int) -> TrackWriter {
    let (timeline, meter) = (tracks[place].timeline, session.meter)
    let fullness = session.unknownBuffer.map { Exclusive(BufferFullness($0, share: $0.start)) }
    return TrackWriter(index: place, queue: samples) { sample in
      let hasRunEmpty = fullness?.use { fullness in
        fullness.take(sample)
        return fullness.hasRunEmpty
      }
      if hasRunEmpty == true { throw BufferRanEmpty() }
      meter.advance(
        to: timeline.end(of: sample.presentationTimeStamp, lasting: sample.duration), frames: 1)
    }
  }

  /// Encodes frames until the queue ends.
  func encode(_ frames: FrameQueue, by encoding: EncodingStage) throws {
    guard let encodedPlace else { return }
    do {
      try encoding.run(frames, boxes: boxes[encodedPlace], to: output(ofFrames: encodedPlace))
    } catch let error as BufferRanEmpty {
      throw error
    } catch {
      throw TranscodingError.meaning(of: error, output: session.file.destination)
    }
  }

  /// Returns the track that is joined from segments or comes from another file, if any.
  private func interleavedTrack(
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> InterleavedTrack? {
    if let other = videoReader.use({ $0 }) {
      return try InterleavedTrack(
        copying: other, boxes[0], to: TrackWriter(index: 0, queue: samples), checkpoint: checkpoint)
    }
    guard let encoded = session.encoded, let plan = session.plan.video?.encoding, let encodedPlace
    else { return nil }
    return try InterleavedTrack(
      encoded, of: plan, boxes[encodedPlace], to: output(ofFrames: encodedPlace))
  }

  /// The subtitles that were read, as tracks of timed text.
  var subtitleTracks: [NewTrack] {
    var tracks = subtitles.use { $0.compactMap(\.newTrack) }
    // Players show every enabled track (`track_enabled`, ISO/IEC 14496-12 8.3.2). Only the first
    // enabled subtitle track keeps the flag, because subtitles would otherwise be drawn on top of
    // each other.
    let first = tracks.firstIndex { $0.flags & 1 == 1 }
    for index in tracks.indices where index != first { tracks[index].flags &= ~1 }
    return tracks
  }
  /// The number of subtitles that cannot be understood and are left out.
  var damagedSubtitleCount: Int { subtitles.use { $0.reduce(0) { $0 + $1.damagedCount } } }

  /// Adds up a count over all tracks that are read.
  func total(_ count: @Sendable (TrackReading) -> Int) -> Int {
    reader.use { $0.tracks.reduce(0) { $0 + count($1) } }
      + videoReader.use { $0?.tracks.reduce(0) { $0 + count($1) } ?? 0 }
  }

  /// Starts to decode the carried video tracks, if there are any, to find damage in them.
  func lookAtCarriedVideo(in pipeline: Pipeline) {
    let tracks = session.carriedVideo
    guard !tracks.isEmpty else { return }
    // Carried tracks are copied, not encoded. But an output with encoded frames promises that all
    // of its tracks are whole, and only decoding shows whether they are.
    pipeline.start("look") { [session, damagedVideo] in
      let damaged = try session.asset.damagedTracks(
        among: tracks, concealsDamage: session.options.onError != .stop
      ) { try pipeline.checkCancellation() }
      damagedVideo.use { $0 = damaged }
    }
  }

  /// The carried video tracks that are damaged and left out.
  var damagedCarriedTracks: [AssetTrack] { damagedVideo.use { $0 } }

  /// Encodes an audio track.
  func encode(_ audio: AudioStage) throws {
    let output = TrackWriter(index: audio.index, queue: samples)
    do {
      try audio.encoding.use {
        try $0.run(audio.packets, boxes: boxes[audio.index], to: output)
      }
    } catch {
      throw TranscodingError.meaning(of: error, output: session.file.destination)
    }
  }

  /// The number of damaged packets found while decoding audio.
  var damagedAudioCount: Int {
    audioStages.reduce(0) { count, stage in count + stage.encoding.use { $0.tally.damagedCount } }
  }

  /// Gaps in the source's times that the output has as well.
  var gaps: [Notice] {
    frameStages.notices + audioStages.flatMap { $0.encoding.use(\.gaps) }
  }

  /// The indices of tracks without any sample, either because they have none or because all are
  /// damaged.
  private var emptyIndices: [Int] { writer.use { tracks.indices.filter($0.isEmpty) } }

  /// The source's tracks that have no samples in the output.
  var emptyTracks: [AssetTrack] {
    emptyIndices.map { tracks[$0] } + subtitles.use { $0.filter(\.isEmpty).map(\.track) }
  }

  /// - Throws: ``TranscodingError`` if nothing was read, or if all frames of a video track are
  ///   damaged.
  func refuseEmpty() throws {
    let empty = emptyIndices
    try reader.use { reader in
      // A track that is empty in the source only gets a notice. A video track that is empty because
      // of damage must not vanish so quietly.
      let areLost = empty.contains { index in
        tracks[index].demuxed.kind == .video
          && readPlaces.firstIndex(of: index).map { reader.tracks[$0].tally.damagedCount > 0 }
            ?? false
      }
      guard areLost || empty.count == tracks.count else { return }
      let reason = areLost ? "none of its frames can be read" : "it holds no samples"
      // A file that was cut off meanwhile seems empty, too.
      throw reader.changeError
        ?? TranscodingError(.unusableInput, "\(session.asset.path): \(reason)")
    }
  }

  /// Whether the source is a raw stream of frames, which has no times.
  var isRawStream: Bool { session.asset.isRawStream }

  /// Whether the plan already says that captions are lost.
  var areCaptionsPlanned: Bool { session.plan.notices.contains(.captionsNotCarried) }

  /// Writes the samples that the other stages produce.
  func write() throws { try writer.use { try $0.write(for: session.file.destination) } }
}

extension TranscodeSession {
  /// Returns what the reader needs to read a track.
  fileprivate func output(
    of track: AssetTrack, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> TrackReading {
    try TrackReading(
      track: track, decodes: encodesFrames && track.demuxed.kind == .video,
      concealsDamage: options.onError != .stop,
      needing: plan.video?.encoding?.hdrMetadata.kindsFromSource ?? [],
      leavesReshaping: plan.video?.convertsUnreshaped ?? false, checkpoint: checkpoint)
  }
}

extension TranscodeSession {
  /// Returns the RPUs of copied frames if RPUs are converted or completed, and if an RPU might be
  /// outside its frame's own sample. Otherwise returns `nil`.
  fileprivate func rpusBesideSamples(
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> FrameMetadataTable? {
    guard let video = plan.video, video.copiedMetadata?.completesRPUs == true else { return nil }
    // libavformat may cut a byte stream in the middle of a frame, so that an RPU ends up in another
    // frame's packet. If another track has the enhancement layer, the RPUs are in that track.
    let isByteStream = PacketUnits(video.track.demuxed)?.areSamples == false
    guard isByteStream || video.track.enhancementLayer != nil else { return nil }
    return try FrameMetadataTable(rpusOf: video.track, checkpoint: checkpoint)
  }
}

extension TranscodeSession {
  /// The video tracks that are copied in addition to the encoded one.
  fileprivate var carriedVideo: [AssetTrack] {
    // If nothing is encoded, all tracks are copies, with the same damage as in the source.
    guard encodesFrames else { return [] }
    return asset.tracks.filter { $0.demuxed.kind == .video && plan.carried.contain($0) }
  }
}

extension TranscodeSession {
  /// Opens the audio encoders.
  ///
  /// - Parameter tracks: the source's tracks, in the order of the output's tracks.
  fileprivate func audioStages(
    of tracks: [AssetTrack], in pipeline: Pipeline
  ) throws -> [SessionStages.AudioStage] {
    try plan.audio.compactMap { audio in
      guard let encoding = audio.encoding, let index = tracks.place(of: audio.track) else {
        return nil
      }
      let stage = try AudioEncodingStage(
        encoding, of: audio.track, concealsDamage: options.onError != .stop,
        keepsGaps: plan.container.keepsGaps)
      return SessionStages.AudioStage(
        index: index, packets: pipeline.queue(of: Packet.self, capacity: 64),
        encoding: Exclusive(stage))
    }
  }
}

extension TranscodePlan {
  /// Returns the index of the track whose frames are encoded; `nil` if no frames are encoded.
  fileprivate func encodedPlace(in tracks: [AssetTrack]) -> Int? {
    video.flatMap { $0.encoding == nil ? nil : tracks.place(of: $0.track) }
  }
}

extension [AssetTrack] {
  /// Returns the place of a track in this list; `nil` if it is not in the list.
  fileprivate func place(of track: AssetTrack) -> Int? {
    firstIndex { $0.demuxed.index == track.demuxed.index && $0.path == track.path }
  }
}

extension EditTimeline {
  /// Returns the time at which the presentation of a sample ends.
  fileprivate func end(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    presentationTime(of: time, lasting: duration).map { $0 + duration }
  }
}
