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

/// The stages of a session's pipeline, each of which runs on a thread of its own.
final class SessionStages: Sendable {
  let reader: Exclusive<AssetReading>
  let writer: Exclusive<MovieWriter>

  /// Stages that change frames between decoder and encoder, in order.
  let pictureStages: PictureStages

  /// Stages that encode audio, each on a thread of its own.
  let audioStages: [AudioStage]

  private let session: TranscodeSession
  /// The source's tracks, in the order of the output's. Frames are the first.
  private let tracks: [AssetTrack]
  /// The place of the first of them that is read: frames may have been encoded before.
  private let firstRead: Int
  /// Statements of the output's boxes about each track.
  private let boxes: [TrackBoxes]
  private let samples: BoundedQueue<MovieWriter.Item>
  /// The subtitles, behind the tracks in the order of reading.
  private let subtitles: Exclusive<[SubtitleTrack]>
  private let pictures: PictureSource?
  /// The tracks of video beside the one that is encoded.
  private let carriedVideo: Exclusive<CarriedVideo>

  /// A track of audio that is encoded.
  struct AudioStage: Sendable {
    /// The track's place among those of the output.
    let index: Int
    let packets: BoundedQueue<Packet>
    let encoding: Exclusive<AudioEncodingStage>
  }

  init(
    of session: TranscodeSession, samples: BoundedQueue<MovieWriter.Item>, in pipeline: Pipeline
  ) throws {
    self.session = session
    self.samples = samples
    let (asset, video) = (session.asset, session.plan.video)
    tracks = [video?.track].compactMap { $0 } + session.plan.audio.map(\.track)
    do {
      subtitles = Exclusive(
        try session.plan.subtitles.map {
          try SubtitleTrack($0, into: session.plan.movieType)
        })
      let read = tracks.dropFirst(session.encoded == nil ? 0 : 1)
      firstRead = read.startIndex
      let outputs = try (read + session.plan.subtitles).map { try session.output(of: $0) }
      reader = Exclusive(try AssetReading(asset, for: outputs))
      boxes = try tracks.map { try TrackBoxes(of: $0, in: session.plan) }
      audioStages = try session.audioStages(in: pipeline)
      let encoded = session.encoded == nil ? video : nil
      pictureStages = try encoded.map(PictureStages.init) ?? PictureStages()
      pictures = try video.flatMap { $0.encoding == nil ? nil : try PictureSource($0.track) }
      carriedVideo = Exclusive(session.carriedVideo())
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

  /// Reads the file: frames go on to be converted and encoded, packets to be written.
  func read(into frames: FrameQueue) throws {
    do {
      try reader.use { try read($0, into: frames) }
    } catch {
      throw TranscodingError.meaning(of: error, input: session.asset.path)
    }
  }

  private func read(_ reader: AssetReading, into frames: FrameQueue) throws {
    let outputs = tracks.indices.map { TrackWriter(index: $0, queue: samples) }
    var copies = zip(tracks, boxes).map { track, boxes in
      boxes.isEncoded ? nil : CopyingStage(track.demuxed, boxes: boxes)
    }
    let queues = Dictionary(uniqueKeysWithValues: audioStages.map { ($0.index, $0.packets) })
    for (copy, output) in zip(copies, outputs) { try copy?.open(output) }
    let encoded = try encodedTrack()
    while let (place, sample) = try reader.next() {
      let index = firstRead + place
      switch sample {
      case .frame(let frame):
        try pictures?.refuseChange(
          frame, of: session.asset.path, ignoringColor: session.options.sourceColor != nil)
        try frames.push(frame)
      case .packet(let sample) where index >= tracks.count:
        try subtitles.use { try $0[index - tracks.count].append(sample.packet) }
      case .packet(let sample):
        try encoded?.write(until: sample.packet.decodeTime ?? sample.packet.presentationTime)
        try queues[index]?.push(sample.packet)
        try copies[index]?.append(sample.packet, to: outputs[index])
        advance(sample.packet, of: index)
      }
    }
    for track in reader.tracks { try track.tally.refuseMajority(of: session.asset.path) }
    frames.finish()
    try encoded?.finish(boxes[0])
    for queue in queues.values { queue.finish() }
    for index in copies.indices where copies[index] != nil {
      try outputs[index].end(boxes[index])
    }
  }

  /// Reports progress by the packets of the first track, where no frames are encoded.
  private func advance(_ packet: Packet, of index: Int) {
    guard index == 0, let time = packet.presentationTime else { return }
    session.meter.advance(
      to: tracks[0].timeline.end(of: time, lasting: packet.duration), frames: 0)
  }

  /// Encodes frames.
  func encode(_ frames: FrameQueue, by encoding: EncodingStage) throws {
    let (timeline, meter) = (tracks[0].timeline, session.meter)
    let output = TrackWriter(index: 0, queue: samples) { sample in
      meter.advance(
        to: timeline.end(of: sample.presentationTime, lasting: sample.duration), frames: 1)
    }
    do {
      try encoding.open(output)
      var count = 0
      while let frame = try frames.pop() {
        try encoding.encode(frame, to: output)
        count += 1
      }
      guard count > 0 else {
        throw TranscodingError(
          .unusableInput, "\(session.asset.path): no frame of it is ever presented")
      }
      try encoding.finish(boxes[0], to: output)
    } catch {
      throw TranscodingError.meaning(of: error, output: session.file.destination)
    }
  }

  /// The track of frames that were encoded before; nil where the session encodes them.
  private func encodedTrack() throws -> EncodedTrack? {
    guard let encoded = session.encoded, let plan = session.plan.video?.encoding else { return nil }
    let (timeline, meter) = (tracks[0].timeline, session.meter)
    let output = TrackWriter(index: 0, queue: samples) { sample in
      meter.advance(
        to: timeline.end(of: sample.presentationTime, lasting: sample.duration), frames: 1)
    }
    return try EncodedTrack(encoded, of: plan, to: output)
  }

  /// Subtitles that were read, as tracks of timed text.
  var subtitleTracks: [NewTrack] {
    var tracks = subtitles.use { $0.compactMap(\.newTrack) }
    // Of tracks that players would show by themselves, the first is.
    let first = tracks.firstIndex { $0.flags & 1 == 1 }
    for index in tracks.indices where index != first { tracks[index].flags &= ~1 }
    return tracks
  }
  /// Subtitles that cannot be understood, and are left out.
  var damagedSubtitleCount: Int { subtitles.use { $0.reduce(0) { $0 + $1.damagedCount } } }

  /// Starts to look at the tracks of video that are carried, if there are any.
  func lookAtCarriedVideo(in pipeline: Pipeline) {
    guard !carriedVideo.use(\.isEmpty) else { return }
    pipeline.start("look") { [carriedVideo] in
      try carriedVideo.use { try $0.decode { try pipeline.checkCancellation() } }
    }
  }

  /// The carried tracks of video that are damaged, and are left out.
  var damagedCarriedTracks: [AssetTrack] { carriedVideo.use(\.damagedTracks) }

  /// Encodes a track of audio.
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

  /// Damage in audio that was found when it was decoded.
  var damagedAudioCount: Int {
    audioStages.reduce(0) { count, stage in count + stage.encoding.use { $0.tally.damagedCount } }
  }

  /// Steps of the times that the output has, too.
  var gaps: [Notice] {
    pictureStages.notices + audioStages.flatMap { $0.encoding.use(\.gaps) }
  }

  /// The tracks for which no sample was read: they have none, or all of them are damaged.
  private var emptyIndices: [Int] { writer.use { tracks.indices.filter($0.isEmpty) } }

  /// The tracks of the source of which nothing is in the output.
  var emptyTracks: [AssetTrack] {
    emptyIndices.map { tracks[$0] } + subtitles.use { $0.filter(\.isEmpty).map(\.track) }
  }

  /// - Throws: ``TranscodingError`` where nothing was read, or none of a damaged track's frames.
  func refuseEmpty() throws {
    let empty = emptyIndices
    try reader.use { reader in
      let areLost = empty.contains { index in
        tracks[index].demuxed.kind == .video && index >= firstRead
          && reader.tracks[index - firstRead].tally.damagedCount > 0
      }
      guard areLost || empty.count == tracks.count else { return }
      let reason = areLost ? "no frame of it can be read" : "it holds no samples"
      throw reader.changeError
        ?? TranscodingError(.unusableInput, "\(session.asset.path): \(reason)")
    }
  }

  /// True if the source is a bare stream of frames, which states no times.
  var isRawStream: Bool { session.asset.isRawStream }

  /// True if the plan names the captions that are lost.
  var areCaptionsPlanned: Bool { session.plan.notices.contains(.captionsNotCarried) }

  /// Writes what tracks are given.
  func write() throws { try writer.use { try $0.write(for: session.file.destination) } }
}

extension TranscodeSession {
  /// Returns the output of the reader for a track.
  fileprivate func output(of track: AssetTrack) throws -> TrackReading {
    try TrackReading(
      track: track, decodes: encoding != nil && track.demuxed.kind == .video,
      concealsDamage: options.onError != .stop,
      needing: plan.video?.encoding?.hdrMetadata.dynamicKinds ?? [])
  }
}

extension TranscodeSession {
  /// Returns what watches the tracks of video beside the one that is encoded. Without one that is
  /// encoded, all tracks are as the source's.
  fileprivate func carriedVideo() -> CarriedVideo {
    let tracks = asset.tracks.filter { $0.demuxed.kind == .video && plan.carried.contain($0) }
    return CarriedVideo(
      encoding == nil ? [] : tracks, of: asset, concealsDamage: options.onError != .stop)
  }
}

extension TranscodeSession {
  /// Opens what encodes audio. The tracks come behind that of frames.
  fileprivate func audioStages(in pipeline: Pipeline) throws -> [SessionStages.AudioStage] {
    let first = plan.video == nil ? 0 : 1
    return try plan.audio.enumerated().compactMap { index, audio in
      guard let encoding = audio.encoding else { return nil }
      let stage = try AudioEncodingStage(
        encoding, of: audio.track, concealsDamage: options.onError != .stop,
        keepsGaps: plan.container.traits.keepsGaps)
      return SessionStages.AudioStage(
        index: first + index, packets: pipeline.queue(of: Packet.self, capacity: 64),
        encoding: Exclusive(stage))
    }
  }
}

extension EditTimeline {
  /// Time at which a sample is no longer presented.
  fileprivate func end(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    presentationTime(of: time, lasting: duration).map { $0 + duration }
  }
}
