// SPDX-License-Identifier: GPL-2.0-or-later
/// Which tracks of one kind an output gets from the source.
public enum TrackSelection: Hashable, Sendable {
  /// All of them.
  case all
  /// None of them.
  case none
  /// Tracks with these numbers in the file (``AssetTrack/trackID``), or in these languages. A
  /// language is three letters of ISO 639-2.
  case some(numbers: Set<Int>, languages: Set<String>)

  /// Whether a track is selected.
  ///
  /// - Parameters:
  ///   - number: the track's number in the file.
  ///   - language: the track's language in ISO 639-2, such as `eng`.
  package func contains(_ number: Int, language: String?) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .some(let numbers, let languages):
      numbers.contains(number)
        || languages.contains { Self.isSameLanguage($0, language) }
    }
  }

  // ISO 639-2 has two codes for some languages. Matroska uses the bibliographic code, and MP4 uses
  // the terminological one. A selection has to work for both.
  private static let terminological = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
    "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
    "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
    "tib": "bod", "wel": "cym",
  ]

  /// Whether two codes mean the same language.
  ///
  /// - Parameter code: three letters of ISO 639-2. `nil` is the same as `und`.
  package static func isSameLanguage(_ code: String?, _ other: String?) -> Bool {
    func normalized(_ code: String?) -> String {
      let code = code?.lowercased() ?? "und"
      return terminological[code] ?? code
    }
    return normalized(code) == normalized(other)
  }

  /// Whether a track is asked for explicitly, by its number or its language.
  package func names(_ number: Int, language: String?) -> Bool {
    self != .all && contains(number, language: language)
  }
}

/// Which tracks an output gets from the source, by kind.
public struct TrackSettings: Hashable, Sendable {
  /// Video tracks. ``TranscodeSettings/video`` says what happens to the first enabled one. The
  /// others are copied.
  public var video = TrackSelection.all
  /// Audio tracks. ``TranscodeSettings/audio`` says what happens to them.
  public var audio = TrackSelection.all
  /// Tracks of timed metadata, time code, chapters, text and subtitles, which are copied.
  public var other = TrackSelection.all

  /// Creates a selection of all tracks.
  public init() {}
}
