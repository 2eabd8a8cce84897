// SPDX-License-Identifier: GPL-2.0-or-later
/// A kind of file to write (`AVFileType`): its name, and facts about such files.
///
/// Two kinds are equal if their names are equal.
public struct FileType: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The name in presets and reports, which is the usual file name extension.
  public let rawValue: String

  /// File name extensions, the usual one first.
  package let pathExtensions: [String]
  /// The extensions among ``pathExtensions`` that promise a file without video.
  package var audioPathExtensions: Set<String> = []
  /// libavformat's name of the muxer.
  package let muxerName: String
  /// The name of the `Packaging` that turns a finished movie into the file. Only the modules that
  /// write files know that type.
  package var packaging = "movie"
  /// The form of the file's boxes; `nil` if the file has no boxes and is made from a finished
  /// movie.
  package let movie: MovieForm?
  /// FFmpeg's names of the audio codecs that players of such files know. Audio can be encoded only
  /// with these codecs. Audio that has another codec is not copied but encoded, even if libavformat
  /// could write it. The settings and ``keepsUnknownAudio`` can make exceptions.
  package var audioCodecs = FileType.usualAudio
  /// FFmpeg's name for the codec that audio gets if it is encoded because it cannot be copied.
  package var encodedAudio = "aac"
  /// FFmpeg's name for the codec that texts get if they cannot be copied. Movies do not use it.
  package var textCodec = "subrip"
  /// FFmpeg's names of codecs that the muxer refuses, although libavformat says that it takes them.
  package var refusedCodecs: Set<String> = []
  /// Whether the muxer falls back on AVI's tag for a codec that the format has no tag for.
  package var takesTagsOfAVI = false
  /// Whether the file can declare the range of samples in addition to their color.
  package var statesRange = true
  /// Whether players use the container's range, whatever the bitstream says.
  package var tellsDecodersRange = false
  /// Whether the file can declare chroma locations.
  package var statesChromaLocation = false
  /// Whether the file can declare a gamma that H.273 has no number for.
  package var statesGamma = false
  /// Whether the file can have the configuration record of Dolby Vision.
  package var statesDolbyVision = true
  /// Whether the file can have other files inside it, such as fonts and cover art.
  package var keepsAttachments = true
  /// Whether players look for AAC's priming and padding in `iTunSMPB`.
  package var statesGaplessPlayback = false
  /// Whether audio from a source of the same kind is kept, even if we do not know whether players
  /// of such files play it.
  package var keepsUnknownAudio = true
  /// Whether readers count audio samples and do not rely on the durations of packets.
  package var countsSamples = true
  /// Whether edits can leave a span of time without samples.
  package var keepsGaps = true

  /// The form of the boxes that differ between the two standards for movies.
  package enum MovieForm: Sendable {
    /// QuickTime File Format: `colr` without the range (`nclc`), metadata under keys of any kind.
    case quickTime
    /// ISO/IEC 14496-12: `colr` with the range (`nclx`), metadata in a list like that of iTunes.
    case isoBaseMedia
  }

  /// All kinds, in the order of the documentation.
  package static let all: [FileType] = [
    .mov,
    .mp4,
    .mkv,
    .webm,
  ]

  /// All kinds of files that this package writes.
  public static var allCases: [FileType] { all }

  /// Whether the file has a movie's boxes. Any other file is made from a finished movie.
  package var isMovie: Bool { movie != nil }

  /// The kinds of movie to make first for a file of this kind, in the order in which to try them.
  package var movieTypes: [FileType] { isMovie ? [self] : Self.all.filter(\.isMovie) }

  package var others: [FileType] { Self.all.filter { $0 != self } }

  /// Returns whether players of such files know an audio codec.
  ///
  /// - Parameter codec: FFmpeg's name.
  package func knowsAudio(_ codec: String) -> Bool { audioCodecs.contains(codec) }

  /// Returns the beginning of the message with which commands refuse to store video in such files.
  ///
  /// - Parameter codec: FFmpeg's name.
  package func refusal(ofVideo codec: String) -> String {
    "video of codec \(codec) cannot be stored in .\(rawValue)"
  }

  /// Returns whether files of this kind use a file name extension, in upper or lower case.
  package func hasPathExtension(_ pathExtension: String) -> Bool {
    pathExtensions.contains(pathExtension.lowercased())
  }

  /// Returns the names of kinds as extensions in a sentence, such as `.mov, .mp4 or .mkv`.
  ///
  /// - Parameter others: the extensions of other files, which come last.
  package static func names(of types: [FileType] = all, and others: [String] = []) -> String {
    (types.map(\.rawValue) + others).map { ".\($0)" }.alternatives
  }

  /// The names of the kinds that have a movie's boxes.
  package static var namesOfMovies: String { names(of: all.filter(\.isMovie)) }
  /// The extensions of files whose HDR metadata can be read. Not all of these files can be written.
  package static var namesOfSources: String { names(and: ["ts", "hevc"]) }
}

extension FileType {
  /// Makes the kind with a name; `nil` if no kind has it.
  public init?(rawValue: String) {
    guard let type = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = type
  }

  /// Makes the kind that a file name extension stands for; `nil` if no kind has it.
  package init?(pathExtension: String) {
    guard let type = Self.all.first(where: { $0.hasPathExtension(pathExtension) }) else {
      return nil
    }
    self = type
  }
}

// Each kind of file is a value here. A new kind needs a value and a line in `all`, and no `switch`
// elsewhere has to change.
extension FileType {
  /// QuickTime File Format.
  public static let mov = FileType(
    rawValue: "mov", pathExtensions: ["mov", "qt"], muxerName: "mov", movie: .quickTime,
    audioCodecs: usualAudio + pcm + ["adpcm_ima_qt", "amr_nb", "amr_wb", spatialAudio],
    // libavformat says that it takes these codecs, but then fails to write the header.
    refusedCodecs: ["av1", "vp8", "vp9", "flac", "opus", "truehd"], takesTagsOfAVI: true,
    // A QuickTime `colr` (`nclc`) has no range flag, but `gama` can declare any gamma.
    statesRange: false, statesGamma: true, keepsUnknownAudio: false)

  /// MP4 (ISO/IEC 14496-14).
  public static let mp4 = FileType(
    rawValue: "mp4", pathExtensions: ["mp4", "m4v", "m4a"], audioPathExtensions: ["m4a"],
    muxerName: "mp4", movie: .isoBaseMedia,
    // MP4 players do not know PCM, so PCM is encoded with another codec for MP4 files.
    audioCodecs: usualAudio + ["opus", "flac"], statesGaplessPlayback: true)

  /// Matroska (RFC 9559).
  public static let mkv = FileType(
    rawValue: "mkv", pathExtensions: ["mkv", "mka"], audioPathExtensions: ["mka"],
    muxerName: "matroska", packaging: "matroska", movie: nil,
    audioCodecs: usualAudio + pcm + ["opus", "flac", "vorbis", "mp2", "dts", "truehd"],
    refusedCodecs: ["atrac3", "cook", "ra_288", "rv10", "rv20", "sipr"], tellsDecodersRange: true,
    // Matroska has no edit lists, so it cannot skip a long gap with an empty edit. For some audio
    // codecs, readers derive the number of samples from the durations of packets.
    statesChromaLocation: true, countsSamples: false, keepsGaps: false)

  // These flags are from Matroska's schema, which marks the elements that WebM has
  // (`ebml_matroska.xml`, `webm`). Colour and MasteringMetadata are marked, but
  // BlockAdditionMapping and Attachments are not.
  /// WebM: Matroska with few codecs (WebM Container Guidelines). libavformat refuses all others.
  package static let webm = FileType(
    rawValue: "webm", pathExtensions: ["webm"], muxerName: "webm", packaging: mkv.packaging,
    movie: nil, audioCodecs: ["opus", "vorbis"], encodedAudio: "opus", textCodec: "webvtt",
    tellsDecodersRange: true, statesChromaLocation: true, statesDolbyVision: false,
    keepsAttachments: false, keepsUnknownAudio: false, countsSamples: false, keepsGaps: false)

  /// Audio codecs that players know in files of any kind.
  static let usualAudio = ["aac", "alac", "ac3", "eac3", "mp3"]
  private static let pcm = [
    "pcm_s8", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le",
    "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw",
  ]
  // FFmpeg does not know this codec, so the name is Apple's.
  /// Apple Positional Audio Codec, the spatial audio of phones.
  private static let spatialAudio = "apac"
}

extension FileType {
  /// File name extensions of videos that are read, whether or not such files are also written.
  package static let videoPathExtensions = all.reduce(readPathExtensions) { known, type in
    known.union(type.pathExtensions).subtracting(type.audioPathExtensions)
  }

  /// Extensions of videos that are read but not written.
  private static let readPathExtensions: Set = [
    "3g2", "3gp", "avi", "dv", "flv", "m2ts", "mpeg", "mpg", "mts", "mxf", "ogv", "ts", "vob",
    "wmv",
  ]

  private static let imagePathExtensions: Set = [
    "avif", "dpx", "exr", "gif", "heic", "jpeg", "jpg", "png", "tif", "tiff", "webp",
  ]

  /// Returns why files with an extension are not written, as the end of a sentence whose subject is
  /// these files. The extension must not belong to a kind in ``all``.
  package static func reason(notToWrite pathExtension: String) -> String {
    if readPathExtensions.contains(pathExtension) { return "are read, but not written" }
    return imagePathExtensions.contains(pathExtension)
      ? "are images, but the output is a movie" : "cannot be written"
  }
}

extension [String] {
  /// The texts as alternatives in a sentence, such as `one, two or three`.
  package var alternatives: String {
    (dropLast(2) + [suffix(2).joined(separator: " or ")]).joined(separator: ", ")
  }
}
