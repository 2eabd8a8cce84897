// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
public import CodePoints
internal import ColorConversion
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
public import Planning
internal import Reading
public import Settings
internal import Synchronization
package import VideoEncoders
package import Writing

/// Makes one file from another by the settings of a preset.
///
/// Creating a session decides everything and reserves the output, but does not write it yet. The
/// session can then be run once.
public final class TranscodeSession: Sendable {
  /// What will be done, and what the output loses.
  public let plan: TranscodePlan
  /// The encoder's parameters: those that were requested, and those that it uses. `nil` before the
  /// encoder is open, and if no frames are encoded.
  package var encoderReport: EncoderParameterReport? {
    encoding.withLock { $0.stage?.report } ?? encoded?.report
  }
  /// How far the run has come.
  public var progress: TranscodeProgress { meter.progress }

  /// The plan as data and as text.
  public let report: PlanReport

  let asset: MediaAsset
  let options: TranscodeOptions
  private let settings: TranscodeSettings
  let file: UnfinishedFile
  private let encoding = Mutex(Encoding())
  /// Frames that were encoded before, in segments; `nil` if the session encodes them itself.
  let encoded: EncodedVideo?
  let meter: ProgressMeter
  private let isUsed = Mutex(false)

  /// How the session encodes frames.
  private struct Encoding {
    /// The open encoder; `nil` until it is opened, and if the session encodes no frames.
    var stage: EncodingStage?
    /// Whether this is the second try. In the first try, the encoder was not told of the decoder's
    /// buffer, and frames emptied it.
    var isSecondTry = false
  }

  /// Looks at the input and plans the work.
  ///
  /// - Parameters:
  ///   - input: the path of the file to read.
  ///   - output: the path of the file to write, `.mov`, `.mp4`, `.mkv` or `.webm`.
  ///   - settings: the settings of the output.
  ///   - options: the options of the run.
  /// - Throws: ``TranscodingError`` if the work cannot be done. In that case, nothing has been
  ///   written.
  public convenience init(
    input: String, output: String, settings: TranscodeSettings,
    options: TranscodeOptions = TranscodeOptions()
  ) async throws {
    if case .fixed(let count) = options.workers, count != 1 {
      throw TranscodingError(
        .invalidSettings,
        "a transcode session encodes only in this process: to use workers, use an export session")
    }
    try await self.init(
      input: input, output: output, settings: settings, options: options, encoded: nil)
  }

  /// - Parameter encoded: frames that were encoded before, if any.
  package init(
    input: String, output: String, settings: TranscodeSettings, options: TranscodeOptions,
    encoded: EncodedVideo?
  ) async throws {
    self.encoded = encoded
    let (asset, range) = try await MediaAsset.load(
      path: input, range: options.range, where: settings.tracks.video.contains)
    self.asset = asset
    plan = try await TranscodePlan.planned(
      asset, range: range, output: output, settings: settings, options: options)
    report = PlanReport(plan, input: input, preset: settings.name)
    (self.options, self.settings) = (options, settings)
    file = try UnfinishedFile(
      destination: output, overwrite: options.overwrite,
      in: plan.files(input: input, settings, options))
    // It is better to hear of a full disk now than after hours of encoding.
    try plan.refuseShortage(for: output, from: input, options)
    meter = ProgressMeter(total: asset.duration)
    // A decoder and an encoder start some threads for each processor. First check that the system
    // allows so many. If it does not, our message can name the limit to raise, but a library's
    // message cannot.
    if encodesFrames {
      try await Pipeline.onThread("check") { _ in try SystemLimits.checkForEncoding() }
    }
  }

  /// Whether this session encodes frames itself, rather than copying or joining segments.
  var encodesFrames: Bool { encoded == nil && plan.video?.encoding != nil }

  /// Returns a description of the source's video, such as `SDR H.264`, if the video is already as
  /// the plan wants it. Returns `nil` if the video has to be encoded.
  package func alreadyMade() async throws -> String? {
    try await plan.alreadyMade()
  }

  /// Opens the encoder, to report its parameters before the run. Without this call, the run opens
  /// it.
  ///
  /// - Throws: ``TranscodingError`` if it cannot be opened.
  package func openEncoder() async throws {
    guard encodesFrames else { return }
    try await Pipeline.onThread("open") { [self] _ in
      // Callers that arrive in the meantime wait here, and then find the encoder open.
      try encoding.withLock { encoding in
        guard encoding.stage == nil, let plan = plan.video?.encoding else { return }
        do {
          let plan = encoding.isSecondTry ? plan.secondTry : try plan.firstTry()
          encoding.stage = try plan.openEncoder()
        } catch {
          throw TranscodingError.meaning(of: error, input: asset.path)
        }
      }
    }
  }

  /// Does the work: demux → decode → convert → encode → mux → finish boxes → verify. The output
  /// appears under its name at the very end. If the task is cancelled, nothing stays on the disk.
  ///
  /// - Throws: ``TranscodingError`` if the work fails, or if the session was run before;
  ///   `CancellationError` if the task is cancelled.
  public func run() async throws -> TranscodeResult {
    let wasUsed = isUsed.withLock { used in
      defer { used = true }
      return used
    }
    guard !wasUsed else {
      throw TranscodingError(.invalidSettings, "the session has already run: make a new one")
    }
    // `deinit` would be too late, because the program may end before the last reference is gone.
    defer { file.discard() }
    try refuseDamagedRPUs()
    try await openEncoder()
    meter.start()
    let measured = try await measuredMetadata()
    let stages = try await runAllTries(measured)
    let tracks = stages.writer.use { $0.writtenTracks() }
    // Damage in carried tracks shows only when they are decoded, during the encoding. So the plan
    // could not leave out damaged tracks.
    let carried = plan.carried.leavingOut(stages.damagedCarriedTracks).adding(
      stages.subtitleTracks, movieTimescale: plan.movieTimescale)
    // Even if the source changed while it was read, there is an output. Delivery keeps the output
    // under another name and throws this error.
    let changeError = stages.reader.use { $0.changeError }
    let damagedTexts = try await Pipeline.onThread("finish") { [self] checkpoint in
      do {
        return try delivery(of: carried).deliver(
          tracks, sourceError: changeError, checkpoint: checkpoint)
      } catch {
        throw TranscodingError.meaning(of: error, output: file.destination)
      }
    }
    meter.finish()
    return TranscodeResult(
      stages: stages, tracks: tracks, counts: encoded?.counts ?? FrameCounts(),
      measured: measured, damagedTexts: damagedTexts,
      damagedRPUs: plan.losesDamagedRPUs ? tracks.videoSampleCount : 0, progress: progress,
      file: file)
  }

  /// Refuses a track whose first RPUs are all damaged, if damage is not to be concealed.
  private func refuseDamagedRPUs() throws(TranscodingError) {
    guard options.onError == .stop, plan.losesDamagedRPUs, let video = plan.video else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(video.track.demuxed.id) is damaged: none of its first Dolby Vision RPUs can be read",
      code: .damagedInput
    ).naming(asset.path)
  }

  /// Measures the metadata of frames that are copied; `nil` if none is measured.
  private func measuredMetadata() async throws -> MeasuredMetadata? {
    guard let video = plan.video, let copied = video.copiedMetadata,
      copied.needsDecodedFrames || copied.measuresHeadroom
    else {
      return nil
    }
    return try await MeasuredMetadata.measure(
      video.track, copied, hlgPeakLuminance: settings.video.conversion.hlgPeakLuminance,
      concealsDamage: options.onError != .stop
    ) { [meter] time in
      meter.advance(
        to: video.track.timeline.presentationTime(of: time, lasting: .zero), frames: 1)
    }
  }

  /// Runs the stages. Runs them again if the encoder has to know the decoder's buffer after all.
  private func runAllTries(_ measured: MeasuredMetadata?) async throws -> SessionStages {
    do {
      return try await runStages(measured)
    } catch is BufferRanEmpty {
      encoding.withLock { $0 = Encoding(isSecondTry: true) }
      meter.restart()
      try await openEncoder()
      return try await runStages(measured)
    }
  }

  /// The decoder's buffer, if there is one and the encoder is not told of it in this try.
  var unknownBuffer: CodedPictureBuffer? {
    encoding.withLock { $0.isSecondTry ? nil : plan.video?.encoding?.unknownBuffer }
  }

  /// Runs the stages until the last sample is written.
  private func runStages(_ measured: MeasuredMetadata?) async throws -> SessionStages {
    let pipeline = Pipeline()
    // A decoded frame of 3840×2160 in 10 bits takes 25 MB, so only a few wait. Samples are small,
    // so more of them may wait.
    let decoded = pipeline.queue(of: VideoFrame.self, capacity: 4)
    let samples = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
    let stages = try await Pipeline.onThread("prepare") { [self] checkpoint in
      try SessionStages(
        of: self, measured, samples: samples, in: pipeline, checkpoint: checkpoint)
    }
    pipeline.start("read") {
      try stages.read(into: decoded) { try pipeline.checkCancellation() }
    }
    let frames = stages.frameStages.start(in: pipeline, from: decoded)
    if let encoding = encoding.withLock({ $0.stage }) {
      pipeline.start("encode") { try stages.encode(frames, by: encoding) }
    }
    for audio in stages.audioStages { pipeline.start("audio") { try stages.encode(audio) } }
    stages.lookAtCarriedVideo(in: pipeline)
    pipeline.start("write") { try stages.write() }
    do {
      try await pipeline.finish()
    } catch let error as TranscodingError {
      // A file that somebody changes while it is read looks damaged. Say that it was changed, not
      // what the decoder made of it.
      throw asset.version.hasChanged
        ? stages.reader.use { $0.changedWhileRead } : error.naming(asset.path)
    }
    try stages.refuseEmpty()
    return stages
  }

  /// Gives up the output without writing it, so that another session can write it.
  package func abandon() { file.discard() }

  private func delivery(of carried: CarriedTracks) -> OutputDelivery {
    var delivery = OutputDelivery(
      file: file, movieType: plan.movieType, container: plan.container,
      movieTimescale: plan.movieTimescale,
      metadata: plan.keepsMetadata ? CarriedMetadata(asset) : nil,
      verification: options.verification, promise: plan.video?.encoding?.promise)
    delivery.carried = carried
    delivery.sourcePath = asset.path
    // Movies have no place for some things that Matroska keeps, so these come directly from the
    // source.
    delivery.matroskaSource = MatroskaSource(asset, plan)
    delivery.enabledKinds = asset.enabledKinds
    return delivery
  }
}

/// The result of a session.
public struct TranscodeResult: Sendable {
  /// The number of damaged frames, RPUs, packets, subtitles and tracks that were concealed or left
  /// out.
  public let concealedCount: Int
  /// The number of frames that were encoded; 0 if frames were copied.
  public let frameCount: Int
  /// The number of copied frames whose metadata was measured.
  package let measuredFrameCount: Int
  /// The number of samples in each track of the output, in the order of its tracks.
  public let sampleCounts: [Int]
  /// The number of the source's frames that no edit presents and that were left out.
  public let hiddenFrameCount: Int
  /// The number of frames whose time was missing or out of order and was made up.
  public let repairedTimeCount: Int
  /// The light levels measured from the output's frames; `nil` if they were not measured.
  public let measuredContentLightLevel: ContentLightLevel?
  /// Notices that came up only while the samples were read.
  public let notices: [Notice]
  /// The result in one line, as text for people.
  public let summary: String

  init(
    stages: SessionStages, tracks: [WrittenTrack], counts: FrameCounts,
    measured: MeasuredMetadata?, damagedTexts: Int, damagedRPUs: Int, progress: TranscodeProgress,
    file: UnfinishedFile
  ) {
    let unmeasured = measured?.damagedCount ?? 0
    func total(_ count: @Sendable (TrackReading) -> Int) -> Int {
      stages.total(count)
    }
    concealedCount =
      counts.concealed + total { $0.tally.damagedCount } + unmeasured + stages.damagedSubtitleCount
      + stages.damagedAudioCount + stages.damagedCarriedTracks.count + damagedTexts + damagedRPUs
    hiddenFrameCount = counts.hidden + total { $0.hiddenFrameCount }
    // A raw stream has no times, so none of them can have been wrong.
    repairedTimeCount =
      stages.isRawStream ? 0 : counts.repairedTimes + total { $0.repairedTimeCount }
    sampleCounts = tracks.map(\.samples.count)
    let empty = stages.emptyTracks.map { track in
      Notice.trackWithoutSamples(track.demuxed.id, kind: track.kindName)
    }
    let damaged = stages.damagedCarriedTracks.map { track in
      Notice.carriedVideoDamaged(track.demuxed.id)
    }
    // Captions that the plan already names as lost are not reported a second time.
    let captions = stages.areCaptionsPlanned ? 0 : total(\.tally.captionCount)
    notices =
      tracks.flatMap { $0.boxes.copiedFrames?.notices ?? [] } + empty + damaged
      + stages.gaps + (unmeasured > 0 ? [.damagedFramesMeasured(unmeasured)] : [])
      + (captions > 0 ? [.captionsNotCarried] : [])
    measuredContentLightLevel =
      tracks.lazy.map(\.boxes.hdrMetadata)
      .first(where: \.measuresContentLightLevel)?.staticMetadata
      .contentLightLevel
    // If frames were measured, the progress counts those, and no frames were encoded.
    frameCount = measured == nil ? progress.frames : 0
    measuredFrameCount = measured?.frameCount ?? 0
    let seconds = (progress.secondsElapsed * 10).rounded() / 10
    summary =
      "\(file.destination): "
      + (measured.map { "\($0.frameCount.counted("frame")) measured, " }
        ?? "\(progress.frames.counted("frame")) encoded, ")
      + "\(sampleCounts.reduce(0, +).counted("sample")) written in \(seconds) s"
  }
}
