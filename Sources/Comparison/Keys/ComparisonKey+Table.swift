// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Keys of whole files.
extension ComparisonKey {
  static let container = ComparisonKey("container", "the kind of container", .place)
  static let creationTime = ComparisonKey(
    "creationTime", "when the content was made", losses: [LossName("statementsNotCarried", "names")]
  )
  static let statement = ComparisonKey(
    "statement", "a name, date, place or maker, wherever it is stored",
    losses: [LossName("statementsNotCarried", "names")])
  static let timeCode = ComparisonKey(
    "timeCode", "the time code of the first frame",
    losses: [LossName("timeCodeNotCarried"), LossName("trackNotCarried", "kind")])
  static let userData = ComparisonKey(
    "userData", "a box of the movie's or of a track's `udta` and `meta`, byte for byte", .ofMovies,
    losses: [LossName("statementsNotCarried", "names")])
  static let chapters = ComparisonKey(
    "chapters", "chapters with their times and titles; fewer chapters are a loss",
    losses: chapterLosses)
  static let chapterTitles = ComparisonKey(
    "chapterTitles", "titles of chapters; fewer titles are a loss",
    losses: chapterLosses)

  private static let chapterLosses = [
    LossName("trackNotCarried", "track"), LossName("chaptersNotCarried"),
  ]
}

/// Keys of every track.
extension ComparisonKey {
  // These notices name the loss of a track by its number.
  private static let trackLosses = [
    "trackNotCarried", "trackWithoutSamples", "carriedVideoDamaged", "audioNotStorable",
    "audioNotCarried",
  ].map { LossName($0, "track") }

  static let track = ComparisonKey(
    "track", "a track as a whole", losses: trackLosses)
  static let codec = ComparisonKey("codec", "FFmpeg's name of the codec")
  static let sampleEntry = ComparisonKey(
    "sampleEntry", "the four characters of the sample entry", .ofMovies)
  static let language = ComparisonKey("language", "the language")
  static let trackName = ComparisonKey("trackName", "the name")
  static let role = ComparisonKey(
    "role", "a role: dub, commentary, forced, hearingImpaired, visualImpaired")
  static let flags = ComparisonKey(
    "flags", "enabled, in the movie, in the preview (`tkhd`)", .ofMovies)
  static let alternateGroup = ComparisonKey(
    "alternateGroup", "the tracks from which a player chooses one", .ofMovies)
  static let reference = ComparisonKey(
    "reference", "a track that the track refers to (`tref`)", .ofMovies,
    losses: trackLosses)
  static let timescale = ComparisonKey("timescale", "ticks a second", .place)
  static let edits = ComparisonKey(
    "edits", "the edit list, in seconds as fractions", .place,
    losses: [LossName("editRateNotKept")])
  static let duration = ComparisonKey(
    "duration", "how long the track is presented; less audio, text or video is a loss",
    losses: [LossName("editRateNotKept")])
  static let sampleCount = ComparisonKey(
    "sampleCount",
    "presented samples of tracks that are neither video nor audio; for text, the times at which "
      + "text appears")
  static let samples = ComparisonKey(
    "samples", "the bytes of the samples, for tracks other than video")
}

/// Keys of video.
extension ComparisonKey {
  // Whatever belonged to a dropped frame is gone with it, so this notice explains both.
  fileprivate static let frameRateChanged = LossName("frameRateChanged")

  static let frameCount = ComparisonKey(
    "frameCount", "frames that are presented", losses: [frameRateChanged])
  static let damagedFrames = ComparisonKey(
    "damagedFrames", "places at which decoding reports damage; more than twice as many are a loss",
    .place)
  static let frameContent = ComparisonKey(
    "frameContent",
    "compared frames that show what the source shows; flat or frozen frames are a loss if the "
      + "source's are not", losses: [LossName("editRateNotKept")])
  static let size = ComparisonKey("size", "the size of a frame")
  static let pixelAspectRatio = ComparisonKey(
    "pixelAspectRatio", "the pixel aspect ratio; another for frames of the same size is a loss")
  static let cleanAperture = ComparisonKey(
    "cleanAperture", "the clean aperture",
    losses: ["croppedToCleanAperture", "apertureNotCarried", "barsCropped"].map { LossName($0) })
  static let fieldOrder = ComparisonKey(
    "fieldOrder", "the order of fields", losses: [LossName("fieldsNotStated")])
  static let matrix = ComparisonKey(
    "matrix",
    "rotation, or a matrix that does more than "
      + "rotate", losses: [LossName("rotationNotCarried")])
  static let bitDepth = ComparisonKey("bitDepth", "bits of a sample")
  static let chromaSubsampling = ComparisonKey("chromaSubsampling", "the chroma subsampling")
  static let opacity = ComparisonKey(
    "opacity", "opacity of the pixels", losses: [LossName("opacityNotCarried")])
  static let spatialVideo = ComparisonKey(
    "spatialVideo", "two eyes, or all around",
    losses: [LossName("secondEyeNotCarried"), LossName("spatialVideoNotCarried")])
  static let colorPrimaries = ComparisonKey("colorPrimaries", "the color primaries")
  static let transferFunction = ComparisonKey(
    "transferFunction", "the transfer function", losses: [LossName("gammaNotCarried")])
  static let yCbCrMatrix = ComparisonKey("yCbCrMatrix", "the matrix")
  static let range = ComparisonKey(
    "range", "limited or full range", losses: [LossName("rangeNotCarried")])
  static let chromaLocation = ComparisonKey(
    "chromaLocation", "the chroma location", losses: [LossName("chromaLocationNotCarried")])
  static let containerColor = ComparisonKey("containerColor", "what the container says", .place)
  static let bitstreamColor = ComparisonKey("bitstreamColor", "what the bitstream says", .place)
  static let profileColor = ComparisonKey("profileColor", "what an ICC profile says", .place)
  static let profile = ComparisonKey(
    "profile", "an ICC profile that says more than code points can",
    losses: [LossName("profileNotCarried")])
}

/// Keys of HDR metadata, and of everything else in video samples.
extension ComparisonKey {
  /// Returns the notices that explain the loss of dynamic metadata.
  private static func losses(of kind: any DynamicHDRMetadataKind.Type) -> [LossName] {
    [LossName("metadataNotCarried", "metadata")] + kind.lossCodes.map { LossName($0) }
      + [frameRateChanged]
  }

  static let dolbyVision = ComparisonKey(
    "dolbyVision", "the Dolby Vision record", losses: losses(of: DolbyVisionRPU.self))
  /// A key for each kind of dynamic HDR metadata, followed by one for its parts.
  private static let dynamicHDRMetadata = FrameMetadata.kinds.flatMap { kind in
    [dynamicHDRMetadata(kind), parts(of: kind)].compactMap(\.self)
  }

  static func dynamicHDRMetadata(_ kind: any DynamicHDRMetadataKind.Type) -> ComparisonKey {
    ComparisonKey(kind.frameCount.key, kind.frameCount.text, losses: losses(of: kind))
  }

  /// Returns the key for parts of metadata, or `nil` if the kind has no parts.
  static func parts(of kind: any DynamicHDRMetadataKind.Type) -> ComparisonKey? {
    kind.partCount.map { ComparisonKey($0.key, $0.text, losses: losses(of: kind)) }
  }

  static let captions = ComparisonKey(
    "captions", "frames with captions in the bitstream (CEA-608, CEA-708)",
    losses: [LossName("captionsNotCarried"), frameRateChanged])

  /// A key for each kind of static HDR metadata.
  static let staticHDRMetadata = StaticHDRMetadata.kinds.map { staticHDRMetadata($0) }

  static func staticHDRMetadata(_ kind: any StaticHDRMetadataKind.Type) -> ComparisonKey {
    ComparisonKey(
      kind.key, "the \(kind.name)", losses: [LossName("metadataNotCarried", "metadata")])
  }
}

/// Keys of audio.
extension ComparisonKey {
  static let sampleRate = ComparisonKey("sampleRate", "samples a second")
  static let channelCount = ComparisonKey("channelCount", "channels")
  static let audibleChannels = ComparisonKey(
    "audibleChannels", "channels that are not silent")
  static let audioContent = ComparisonKey(
    "audioContent", "what is heard: audio that contains more of the source than of anything else")
}

extension ComparisonKey {
  /// All keys, in the order of the documentation.
  package static let all: [ComparisonKey] =
    [
      container, creationTime, statement, timeCode, userData, chapters, chapterTitles, track,
      codec, sampleEntry, language, trackName, role, flags, alternateGroup, reference, timescale,
      edits,
      duration, sampleCount, samples,
      frameCount, damagedFrames, frameContent, size, pixelAspectRatio, cleanAperture, fieldOrder,
      matrix, bitDepth, chromaSubsampling, opacity, spatialVideo, colorPrimaries, transferFunction,
      yCbCrMatrix, range, chromaLocation, containerColor, bitstreamColor, profileColor, profile,
    ] + staticHDRMetadata + [dolbyVision] + dynamicHDRMetadata + [
      captions, sampleRate, channelCount, audibleChannels, audioContent,
    ]
}
