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
  /// The source's tracks, in the order of the output's.
  private let tracks: [AssetTrack]
  /// The place of the one whose frames are encoded; nil where none are.
  private let encodedPlace: Int?
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

  /// The places of the tracks that are read: frames may have been encoded before.
  private static func readPlaces(
    of tracks: [AssetTrack], _ session: TranscodeSession, _ encodedPlace: Int?
  ) -> [Int] {
    tracks.indices.filter { session.encoded == nil || $0 != encodedPlace }
  }

  private var readPlaces: [Int] { Self.readPlaces(of: tracks, session, encodedPlace) }

  init(
    of session: TranscodeSession, samples: BoundedQueue<MovieWriter.Item>, in pipeline: Pipeline
  ) throws {
    self.session = session
    self.samples = samples
    let (asset, video) = (session.asset, session.plan.video)
    let tracks = [video?.track].compactMap { $0 } + session.plan.audio.map(\.track)
    let encodedPlace = video.flatMap { $0.encoding == nil ? nil : tracks.place(of: $0.track) }
    let readPlaces = Self.readPlaces(of: tracks, session, encodedPlace)
    (self.tracks, self.encodedPlace) = (tracks, encodedPlace)
    do {
      subtitles = Exclusive(
        try session.plan.subtitles.map {
          try SubtitleTrack($0, into: session.plan.movieType)
        })
      let read = readPlaces.map { tracks[$0] }
      let outputs = try (read + session.plan.subtitles).map { try session.output(of: $0) }
      reader = Exclusive(try AssetReading(asset, for: outputs))
      boxes = try tracks.map { try TrackBoxes(of: $0, in: session.plan) }
      audioStages = try session.audioStages(of: tracks, in: pipeline)
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
    let readPlaces = readPlaces
    while let (place, sample) = try reader.next() {
      switch sample {
      case .frame(let frame):
        try pictures?.refuseChange(
          frame, of: session.asset.path, ignoringColor: session.options.sourceColor != nil)
        try frames.push(frame)
      case .packet(let sample) where place >= readPlaces.count:
        try subtitles.use { try $0[place - readPlaces.count].append(sample.packet) }
      case .packet(let sample):
        let index = readPlaces[place]
        try encoded?.write(
          until: sample.packet.decodeTimeStamp ?? sample.packet.presentationTimeStamp)
        try queues[index]?.push(sample.packet)
        try copies[index]?.append(sample.packet, to: outputs[index])
        advance(sample.packet, of: index)
      }
    }
    for track in reader.tracks { try track.tally.refuseMajority(of: session.asset.path) }
    frames.finish()
    try encoded?.finish()
    for queue in queues.values { queue.finish() }
    for index in copies.indices where copies[index] != nil {
      try outputs[index].end(boxes[index])
    }
  }

  /// Reports progress by the packets of one track, where no frames are encoded: of the pictures,
  /// if there are any.
  private func advance(_ packet: Packet, of index: Int) {
    let paced = tracks.firstIndex { $0.demuxed.kind == .video } ?? tracks.startIndex
    guard index == paced, let time = packet.presentationTimeStamp else { return }
    session.meter.advance(
      to: tracks[index].timeline.end(of: time, lasting: packet.duration), frames: 0)
  }

  /// The writer of the track whose frames are encoded, and reporter of the progress.
  private func output(ofFrames place: Int) -> TrackWriter {
    let (timeline, meter) = (tracks[place].timeline, session.meter)
    return TrackWriter(index: place, queue: samples) { sample in
      meter.advance(
        to: timeline.end(of: sample.presentationTimeStamp, lasting: sample.duration), frames: 1)
    }
  }

  /// Encodes frames.
  func encode(_ frames: FrameQueue, by encoding: EncodingStage) throws {
    guard let encodedPlace else { return }
    let output = output(ofFrames: encodedPlace)
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
      try encoding.finish(boxes[encodedPlace], to: output)
    } catch {
      throw TranscodingError.meaning(of: error, output: session.file.destination)
    }
  }

  /// The track of frames that were encoded before; nil where the session encodes them.
  private func encodedTrack() throws -> EncodedTrack? {
    guard let encoded = session.encoded, let plan = session.plan.video?.encoding, let encodedPlace
    else { return nil }
    return try EncodedTrack(
      encoded, of: plan, boxes[encodedPlace], to: output(ofFrames: encodedPlace))
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
        tracks[index].demuxed.kind == .video
          && readPlaces.firstIndex(of: index).map { reader.tracks[$0].tally.damagedCount > 0 }
            ?? false
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
      track: track, decodes: encodesFrames && track.demuxed.kind == .video,
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
      encodesFrames ? tracks : [], of: asset, concealsDamage: options.onError != .stop)
  }
}

extension TranscodeSession {
  /// Opens what encodes audio.
  ///
  /// - Parameter tracks: the source's tracks, in the order of the output's.
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

extension [AssetTrack] {
  /// The place of a track of the same file among these; nil where it is none of them.
  fileprivate func place(of track: AssetTrack) -> Int? {
    firstIndex { $0.demuxed.index == track.demuxed.index }
  }
}

extension EditTimeline {
  /// Time at which a sample is no longer presented.
  fileprivate func end(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    presentationTime(of: time, lasting: duration).map { $0 + duration }
  }
}
