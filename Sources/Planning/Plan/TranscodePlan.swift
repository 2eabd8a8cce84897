// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
public import CodePoints
internal import FoundationEssentials
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Reading
public import Settings
internal import VideoEncoders

/// Says what a session will do to a file, and why. The plan is made before anything is written.
public struct TranscodePlan: Sendable {
  package let container: FileType
  // A Matroska file is made from a finished movie, so samples are written to a movie first.
  /// The kind of movie to write first.
  package let movieType: FileType
  /// The timescale of durations in the movie's header and edits, in ticks a second.
  package let movieTimescale: Int32
  /// What is planned for video, or `nil` if the file has none.
  package let video: VideoPlan?
  /// The input's video track if the video track of another file takes its place.
  package let replacedVideo: AssetTrack?
  /// The audio tracks of the output.
  package let audio: [AudioPlan]
  /// Other tracks that are carried over.
  package let carried: CarriedTracks
  /// Subtitles of a file that is not a movie. They become timed text.
  package let subtitles: [AssetTrack]
  /// Tracks that are copied into a Matroska file although movies cannot store them: subtitles,
  /// fonts, cover art.
  package let matroskaTracks: [AssetTrack]
  /// The time code for a Matroska file, if there is one.
  package let matroskaTimeCode: TimeCode?
  /// Whether dates, places and names are carried over.
  package let keepsMetadata: Bool
  /// The part of the presentation to write, or `nil` for the whole.
  let range: PresentedRange?
  /// The duration of the source's presentation in seconds, if known.
  package let secondsOfSource: Double?
  /// Losses and assumptions.
  public private(set) var notices: [Notice]

  /// Plans a run.
  ///
  /// - Parameter output: the path of the output, or `nil` if there is none yet. If neither a path
  ///   nor the settings name a container, QuickTime is assumed if it can store the video.
  /// - Throws: ``TranscodingError``: `unusableInput` if the file does not suit the settings,
  ///   `invalidSettings` if the settings contradict the output's name.
  private init(
    asset: MediaAsset, range: PresentedRange?, output: String?, settings: TranscodeSettings,
    options: TranscodeOptions, checkpoint: Pipeline.Checkpoint
  ) throws {
    self.range = range
    for asset in [asset] + [options.videoAsset].compactMap({ $0 }) {
      try Self.refuseTruncated(asset, options)
    }
    let ownVideo = asset.videoTrack(where: settings.tracks.video.contains)
    replacedVideo = options.videoAsset.flatMap { _ in ownVideo }
    let videoTrack = options.videoAsset.map(\.videoTrack) ?? ownVideo
    let container = try Self.container(output, settings, copying: videoTrack)
    self.container = container
    video = try videoTrack.map {
      try VideoPlan(
        of: $0, settings: settings.video, container: container, options: options,
        checkpoint: checkpoint)
    }
    let copied = videoTrack.flatMap { $0.demuxed.codec.isChangedByMovies ? $0.demuxed.codec : nil }
    let codec = video?.encoding?.codec.rawValue ?? copied?.codecName
    let movieTypes = container.movieTypes(holding: [codec].compactMap { $0 })
    let audio = try AudioPlanner.best(
      for: asset, settings, container: container, movieTypes: movieTypes,
      others: container.others.filter { $0.holds(settings.video.codec, copying: videoTrack) })
    self.audio = audio.plans
    movieType = audio.movieType
    let written = [videoTrack].compactMap { $0 } + audio.plans.map(\.track)
    guard !written.isEmpty else {
      throw TranscodingError(
        .unusableInput, "it has no video or audio that can be written")
    }
    let isMovie = container.isMovie
    if !isMovie {
      // This is called only for the errors that it throws. Matroska has no edit lists, and some
      // edits cannot be written without one.
      for track in written {
        _ = try track.delayForMatroska(
          isCopied: settings.video.codec == nil, otherwise: movieTypes)
      }
    }
    keepsMetadata = settings.metadata == .preserve
    secondsOfSource = asset.duration?.seconds
    movieTimescale = Self.movieTimescale(asset, video: videoTrack, audio: audio.plans)
    // If the audio plan leaves a track out, a notice already says so. Carrying the track would
    // contradict that notice.
    let own = [ownVideo].compactMap { $0 } + audio.plans.map(\.track) + audio.leftOut
    carried = CarriedTracks(
      of: asset, beside: own,
      copiesVideo: settings.video.codec == nil && replacedVideo == nil
        && video?.copiedMetadata?.dropsLayers != true,
      leavingOut: { [video] in video?.isUntrue($0) ?? false },
      settings: settings, movieType: movieType, container: container,
      movieTimescale: movieTimescale)
    matroskaTimeCode = !isMovie && settings.tracks.other == .all ? asset.timeCode : nil
    matroskaTracks = isMovie ? [] : Self.matroskaTracks(of: asset, settings, container)
    subtitles = isMovie ? Self.subtitles(of: asset, settings) : []
    notices = (video?.notices ?? []) + audio.notices
    notices += oldLevels
    notices = try losses(of: asset, beside: own, after: notices)
  }

  /// Whether the source's RPUs are lost only because the first ones are all damaged.
  package var losesDamagedRPUs: Bool {
    (video?.encoding?.hdrMetadata ?? video?.copiedMetadata)?.losesDamagedRPUs == true
  }

  /// The track of the enhancement layer, if another notice already says that the layer is dropped.
  private var layersNamed: [AssetTrack] {
    let metadata = video?.encoding?.hdrMetadata ?? video?.copiedMetadata
    guard metadata?.convertsRPUs == true else { return [] }
    return [video?.track.dualLayerDolbyVision?.track].compactMap { $0 }
  }

  /// Notices about RPUs in a separate track of an enhancement layer. The track is carried as it is,
  /// so its RPUs keep values that the settings replace.
  private var oldLevels: [Notice] {
    guard let video, let metadata = video.copiedMetadata,
      let layer = video.track.enhancementLayer?.track, carried.contain(layer)
    else { return [] }
    return metadata.conflicts(withRPUsOf: layer)
  }

  /// Returns a notice if the output lacks the source's time code.
  private func lostTimeCode(of asset: MediaAsset) -> Notice? {
    // If the source has a time code track, the notice about that track is enough.
    guard !carried.hasTimeCode, matroskaTimeCode == nil,
      !asset.tracks.contains(where: { $0.sampleEntry == CarriedTrack.timeCodeKind })
    else { return nil }
    return (asset.timeCode?.description ?? asset.statedTimeCode).map { .timeCodeNotCarried($0) }
  }

  /// Returns the notices found so far, followed by notices about everything that the output lacks.
  ///
  /// - Parameter written: the tracks that need no notice here: the muxer writes them, another track
  ///   replaces them, or they already have a notice.
  private func losses(
    of asset: MediaAsset, beside written: [AssetTrack], after found: [Notice]
  ) throws -> [Notice] {
    var notices = found
    let isMovie = container.isMovie
    notices.addLostTracks(
      of: asset,
      kept: written + subtitles + matroskaTracks + layersNamed
        + asset.tracks.filter { track in
          carried.contain(track) || carried.hasContent(of: track, in: asset)
            || matroskaTimeCode != nil && track.sampleEntry == CarriedTrack.timeCodeKind
        },
      keepsCovers: keepsMetadata && isMovie)
    // A `chpl` box is copied with the metadata and needs no track.
    let hasChapterList = keepsMetadata && isMovie && asset.movie?.hasChapterList == true
    if !asset.chapters.isEmpty, !hasChapterList, !carried.hasChapters(of: asset) {
      notices.append(.chaptersNotCarried)
    }
    if asset.leftOutChapterCount > 0, carried.hasChapters(of: asset) {
      notices.append(.chaptersLeftOut(asset.leftOutChapterCount))
    }
    if let notice = lostTimeCode(of: asset) { notices.append(notice) }
    if keepsMetadata {
      notices.addLostMetadata(of: asset, in: container)
      try notices.addLostBoxes(of: asset, in: container)
    }
    if isMovie {
      let video = video.flatMap { $0.encoding == nil && replacedVideo == nil ? $0.track : nil }
      notices.addLostStatements(
        ofSamples: [video].compactMap { $0 }
          + audio.filter { $0.encoding == nil }.map(\.track), isPart: asset.isPart)
    }
    for track in asset.tracks where carried.contain(track) {
      if let fault = track.configurationFault { notices.append(fault) }
    }
    notices.addEditRates(of: asset)
    for track in range?.emptyTracks ?? [] { notices.append(.trackNotInRange(track.demuxed.id)) }
    return notices
  }

  /// Reads a file and decides what a session would do, without writing anything.
  ///
  /// - Throws: the same ``TranscodingError`` that a session would throw. Anything that a session
  ///   does only on request, such as replacing a file, becomes a notice.
  public static func make(
    input: String, output: String? = nil, settings: TranscodeSettings,
    options: TranscodeOptions = TranscodeOptions()
  ) async throws -> TranscodePlan {
    let (asset, range) = try await MediaAsset.load(
      path: input, range: options.range, where: settings.tracks.video.contains)
    var plan = try await planned(
      asset, range: range, output: output, settings: settings, options: options)
    if let output {
      let files = try plan.files(input: input, settings, options)
      try UnfinishedFile.check(output, overwrite: true, in: files)
      plan.notices += plan.obstacles(to: output, from: input, options)
    }
    // Opening encoders takes time and threads, so a separate thread does it, not the caller's task.
    try await Pipeline.onThread("open") { [plan] _ in try plan.refuseAudioEncoders(input: input) }
    return plan
  }

  /// Plans on a separate thread, because planning may have to search the whole file.
  ///
  /// - Throws: the same as ``make(input:output:settings:options:)``, and `CancellationError` if the
  ///   task was cancelled.
  package static func planned(
    _ asset: MediaAsset, range: PresentedRange?, output: String?,
    settings: TranscodeSettings, options: TranscodeOptions
  ) async throws -> TranscodePlan {
    try await Pipeline.onThread("plan") { checkpoint in
      do {
        try settings.refuseImpossibleValues()
        let plan = try TranscodePlan(
          asset: asset, range: range, output: output, settings: settings, options: options,
          checkpoint: checkpoint)
        try plan.refuseEncrypted()
        try plan.refuseEmpty(asset)
        return plan
      } catch {
        throw TranscodingError.meaning(of: error, input: asset.path)
      }
    }
  }

  /// Returns the container to write. The output's extension decides. Without an extension, the
  /// settings decide. Without a path, it is the container that the settings name or, if they name
  /// none, the first that can store the video.
  ///
  /// - Parameters:
  ///   - output: the path of the output, or `nil` if there will be none.
  ///   - track: the video track, which is copied if the settings name no codec.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the extension names no container,
  ///   or if there is no extension and the settings name none.
  package static func container(
    _ output: String?, _ settings: TranscodeSettings, copying track: AssetTrack? = nil
  ) throws -> FileType {
    guard let output else {
      return settings.container ?? usualContainer(settings.video.codec, copying: track)
    }
    if let named = containerOfName(output) { return named }
    let suffix = URL(fileURLWithPath: output).pathExtension
    guard suffix.isEmpty, let stated = settings.container else {
      throw noContainer(of: output, suffix.lowercased())
    }
    return stated
  }

  /// Returns the container of an output that is named after its source: the one that the settings
  /// state, otherwise the source's container if it can store the codec, otherwise MP4.
  ///
  /// - Parameter ending: the source's extension.
  package static func container(ofSource ending: String, _ settings: TranscodeSettings) -> FileType
  {
    if let stated = settings.container { return stated }
    let codec = settings.video.codec?.rawValue
    let own = FileType(rawValue: ending)
    return own.flatMap { codec.map($0.holds(codec:)) ?? true ? $0 : nil } ?? .mp4
  }

  /// Returns the first container that can store the codec or the copied track. QuickTime is tried
  /// first.
  private static func usualContainer(_ codec: VideoCodec?, copying track: AssetTrack?) -> FileType {
    FileType.all.first { $0.holds(codec, copying: track) } ?? .mov
  }

  /// Returns the container that a path's extension names, if any.
  private static func containerOfName(_ path: String) -> FileType? {
    FileType(pathExtension: URL(fileURLWithPath: path).pathExtension)
  }

  /// Throws if a file name's extension belongs to a container other than `container`.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  package static func refuse(_ output: String, unlessOf container: FileType)
    throws(TranscodingError)
  {
    let suffix = URL(fileURLWithPath: output).pathExtension
    guard let named = container.others.first(where: { $0.hasPathExtension(suffix) }) else {
      return
    }
    throw TranscodingError(
      .invalidSettings,
      "the output's file type is '\(container.rawValue)', but \(output) is the name of a "
        + ".\(named.rawValue) file; give it the extension .\(container.rawValue)",
      code: .containerIsNotOfName)
  }

  /// Throws if a file name does not have the extension of any container.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  package static func refuseNameWithoutContainer(_ output: String) throws {
    // Players go by the extension, even if the settings say what the file is.
    guard containerOfName(output) == nil else { return }
    throw noContainer(of: output, URL(fileURLWithPath: output).pathExtension.lowercased())
  }

  private static func noContainer(of output: String, _ suffix: String) -> TranscodingError {
    let known = FileType.names()
    let fault =
      if output == "-" {
        "-: writing to standard output is not supported; give a file, such as out.mp4"
      } else if output.hasSuffix("/") {
        "\(output) is a folder; give a file in it, such as \(output)out.mp4"
      } else if suffix.isEmpty {
        "\(output) has no extension to say which container to write: use \(known)"
      } else {
        "\(output): .\(suffix) files \(FileType.reason(notToWrite: suffix)); use \(known)"
      }
    guard output.hasSuffix("/") else { return TranscodingError(.invalidSettings, fault) }
    return TranscodingError(
      .invalidSettings, fault, code: .outputIsFolder, arguments: ["folder": output])
  }

  /// Returns the text subtitles of a file that is not a movie.
  private static func subtitles(
    of asset: MediaAsset, _ settings: TranscodeSettings
  ) -> [AssetTrack] {
    // A movie's subtitles are carried over sample by sample.
    guard asset.movie == nil else { return [] }
    return asset.tracks.filter {
      $0.demuxed.codec.isTextSubtitle && settings.tracks.other.contains($0)
    }
  }

  /// Returns tracks that the movie cannot store, but that the Matroska file made from it can.
  private static func matroskaTracks(
    of asset: MediaAsset, _ settings: TranscodeSettings, _ container: FileType
  ) -> [AssetTrack] {
    asset.tracks.filter { track in
      switch track.demuxed.kind {
      case .artwork:
        container.keepsAttachments && track.box == nil && settings.metadata == .preserve
      case .other:
        asset.movie == nil && settings.tracks.other.contains(track)
          && (track.demuxed.isAttachment
            ? container.keepsAttachments
            : container.holds(track.demuxed)
              || track.isTextToConvert(for: container) && track.demuxed.codec.canBeDecoded)
      case .video, .audio: false
      }
    }
  }

  private static func refuseTruncated(_ asset: MediaAsset, _ options: TranscodeOptions) throws {
    guard let missing = asset.missingData, options.onError != .continue else { return }
    throw TranscodingError(
      .unusableInput, "it is cut off: \(missing)", code: .truncatedInput)
  }

  /// Returns a timescale that suits the source's times. If some audio is counted in samples, the
  /// timescale also expresses its times exactly, unless that would make the timescale too fine.
  private static func movieTimescale(
    _ asset: MediaAsset, video: AssetTrack?, audio: [AudioPlan]
  ) -> Int32 {
    audio.compactMap(\.sampleRate).reduce(movieTimescale(asset, video: video)) { scale, rate in
      let common = MediaTime.commonTimescale(scale, rate)
      return common <= finestTimescale ? common : scale
    }
  }

  /// The finest timescale. At a million ticks a second, 32-bit durations reach little more than an
  /// hour.
  private static let finestTimescale: Int32 = 1_000_000

  /// Returns the timescale of the source movie. If the source is not a movie, returns the timescale
  /// of the frames, or 1000 if the frames' timescale is too coarse or too fine.
  private static func movieTimescale(_ asset: MediaAsset, video: AssetTrack?) -> Int32 {
    // With the source's own timescale, durations of edits stay exact.
    if let scale = asset.movie?.header.timescale, let exact = Int32(exactly: scale), exact > 0 {
      guard asset.isPart, let video else { return exact }
      // A part begins and ends at ticks of the frames' timescale.
      let common = MediaTime.commonTimescale(exact, video.demuxed.timescale)
      return common <= finestTimescale ? common : exact
    }
    let scale = video?.demuxed.timescale ?? 1000
    return (600...1_000_000).contains(scale) ? scale : 1000
  }
}
