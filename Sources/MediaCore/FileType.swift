// SPDX-License-Identifier: GPL-2.0-or-later
/// The kind of a file that is written (`AVFileType`).
public enum FileType: String, Sendable, CaseIterable {
  /// QuickTime File Format.
  case mov
  /// MP4 (ISO/IEC 14496-14).
  case mp4
  /// Matroska (RFC 9559).
  case mkv

  /// Facts about files of this kind.
  package var traits: ContainerTraits {
    switch self {
    case .mov: .quickTime
    case .mp4: .mp4
    case .mkv: .matroska
    }
  }

  /// False for a file that has no boxes, and is made from a finished movie.
  package var isMovie: Bool { traits.movie != nil }

  /// The kinds of movie files, of which one is made first for a file of this kind: in the order in
  /// which they are tried.
  package var movieTypes: [FileType] {
    isMovie ? [self] : Self.allCases.filter(\.isMovie)
  }

  /// All other kinds.
  package var others: [FileType] { Self.allCases.filter { $0.rawValue != rawValue } }

  /// The kind that an extension of a file's name stands for; nil for none.
  package init?(pathExtension: String) {
    let name = pathExtension.lowercased()
    guard let type = Self.allCases.first(where: { $0.traits.pathExtensions.contains(name) }) else {
      return nil
    }
    self = type
  }
}

/// Facts about a kind of file: which statements have a place in it, and in which form.
package struct ContainerTraits: Sendable {
  /// The extensions of names, the usual one first.
  package let pathExtensions: [String]
  /// libavformat's name of the muxer.
  package let muxerName: String
  /// The form of its boxes; nil without boxes.
  package let movie: MovieForm?
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

  static let quickTime = ContainerTraits(
    pathExtensions: ["mov", "qt"], muxerName: "mov", movie: .quickTime,
    statesRange: false, statesGamma: true, keepsUnknownAudio: false)

  static let mp4 = ContainerTraits(
    pathExtensions: ["mp4", "m4v", "m4a"], muxerName: "mp4", movie: .isoBaseMedia,
    statesGaplessPlayback: true)

  static let matroska = ContainerTraits(
    pathExtensions: ["mkv", "mka"], muxerName: "matroska", movie: nil,
    tellsDecodersRange: true, statesChromaLocation: true, countsSamples: false,
    keepsGaps: false)
}
