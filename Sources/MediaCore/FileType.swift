// SPDX-License-Identifier: GPL-2.0-or-later
/// The kind of a file that is written (`AVFileType`): its name, and facts about such files.
///
/// Kinds are the same if their names are.
public struct FileType: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The name in presets and reports: the usual extension of files' names.
  public let rawValue: String

  /// The extensions of names, the usual one first.
  package let pathExtensions: [String]
  /// libavformat's name of the muxer.
  package let muxerName: String
  /// The name of the way from a finished movie to the file, among those that are known where
  /// movies are written.
  package var packaging = "movie"
  /// The form of its boxes; nil for a file that has none, and is made from a finished movie.
  package let movie: MovieForm?
  /// FFmpeg's names of the codecs of audio that have a place in it which players know. Others are
  /// encoded, although libavformat would write some of them. Rules encode into these places, too.
  package var audioCodecs = FileType.usualAudio
  /// FFmpeg's names of the codecs that the muxer refuses, although libavformat says that it has a
  /// place for them.
  package var refusedCodecs: Set<String> = []
  /// True if the muxer stores a codec that has no tag there by the one that it has in AVI.
  package var takesTagsOfAVI = false
  /// True if the range of samples has a place beside their color.
  package var statesRange = true
  /// True if decoders are told the range, whatever the samples say.
  package var tellsDecodersRange = false
  /// True if the chroma location has a place.
  package var statesChromaLocation = false
  /// True if a gamma without a number of H.273 has a place.
  package var statesGamma = false
  /// True if players look for the priming and the padding of AAC in `iTunSMPB`.
  package var statesGaplessPlayback = false
  /// True if audio that such a file has already is kept, though players are not known to play it.
  package var keepsUnknownAudio = true
  /// True if the samples of audio are counted, whatever the durations of packets say.
  package var countsSamples = true
  /// True if edits can leave a time without samples.
  package var keepsGaps = true

  /// The form of a movie's boxes, where two standards have two forms.
  package enum MovieForm: Sendable {
    /// QuickTime File Format: `colr` without the range (`nclc`), names under keys of any kind.
    case quickTime
    /// ISO/IEC 14496-12: `colr` with the range (`nclx`), names in a list as iTunes has it.
    case isoBaseMedia
  }

  /// All kinds, in the order of the documentation.
  package static let all: [FileType] = [
    .mov,
    .mp4,
    .mkv,
  ]

  /// All kinds of files that can be written.
  public static var allCases: [FileType] { all }

  /// False for a file that has no boxes, and is made from a finished movie.
  package var isMovie: Bool { movie != nil }

  /// The kinds of movie files, of which one is made first for a file of this kind: in the order in
  /// which they are tried.
  package var movieTypes: [FileType] { isMovie ? [self] : Self.all.filter(\.isMovie) }

  /// All other kinds.
  package var others: [FileType] { Self.all.filter { $0 != self } }

  /// True if the container has a place for a codec of audio that its players know.
  ///
  /// - Parameter codec: FFmpeg's name.
  package func knowsAudio(_ codec: String) -> Bool { audioCodecs.contains(codec) }

  /// True if names of such files end so, in any case.
  package func hasPathExtension(_ pathExtension: String) -> Bool {
    pathExtensions.contains(pathExtension.lowercased())
  }

  /// The names of kinds, as extensions in a sentence: `.mov, .mp4 or .mkv`.
  package static func names(of types: [FileType] = all) -> String {
    let names = types.map { ".\($0.rawValue)" }
    let last = names.suffix(2).joined(separator: " or ")
    return (names.dropLast(2) + [last]).joined(separator: ", ")
  }
}

extension FileType {
  /// The kind with a name; nil for none.
  public init?(rawValue: String) {
    guard let type = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = type
  }

  /// The kind that an extension of a file's name stands for; nil for none.
  package init?(pathExtension: String) {
    guard let type = Self.all.first(where: { $0.hasPathExtension(pathExtension) }) else {
      return nil
    }
    self = type
  }
}

// The rows.
extension FileType {
  /// QuickTime File Format.
  public static let mov = FileType(
    rawValue: "mov", pathExtensions: ["mov", "qt"], muxerName: "mov", movie: .quickTime,
    audioCodecs: usualAudio + pcm + ["adpcm_ima_qt", "amr_nb", "amr_wb", spatialAudio],
    refusedCodecs: ["av1", "vp8", "vp9", "flac", "opus", "truehd"], takesTagsOfAVI: true,
    statesRange: false, statesGamma: true, keepsUnknownAudio: false)

  /// MP4 (ISO/IEC 14496-14).
  public static let mp4 = FileType(
    rawValue: "mp4", pathExtensions: ["mp4", "m4v", "m4a"], muxerName: "mp4", movie: .isoBaseMedia,
    audioCodecs: usualAudio + ["opus", "flac"], statesGaplessPlayback: true)

  /// Matroska (RFC 9559).
  public static let mkv = FileType(
    rawValue: "mkv", pathExtensions: ["mkv", "mka"], muxerName: "matroska", packaging: "matroska",
    movie: nil, audioCodecs: usualAudio + pcm + ["opus", "flac", "vorbis", "mp2", "dts", "truehd"],
    refusedCodecs: ["atrac3", "cook", "ra_288", "rv10", "rv20", "sipr"], tellsDecodersRange: true,
    statesChromaLocation: true, countsSamples: false, keepsGaps: false)

  /// The codecs of audio that players know in files of any kind.
  static let usualAudio = ["aac", "alac", "ac3", "eac3", "mp3"]
  private static let pcm = [
    "pcm_s8", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le",
    "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw",
  ]
  /// Apple Positional Audio Codec, the spatial audio of phones, which FFmpeg does not know.
  private static let spatialAudio = "apac"
}
