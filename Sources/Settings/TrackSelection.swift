// SPDX-License-Identifier: GPL-2.0-or-later
/// The tracks of a kind that an output takes over.
package enum TrackSelection: Hashable, Sendable {
  /// Every track.
  case all
  /// No track.
  case none
  /// Tracks by their numbers in the file, or by their languages.
  case some(numbers: Set<Int>, languages: Set<String>)

  /// True if a track is taken over.
  ///
  /// - Parameters:
  ///   - number: the track's number in the file.
  ///   - language: the language as ISO 639-2 has it, such as `eng`; nil for none.
  package func contains(_ number: Int, language: String?) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .some(let numbers, let languages):
      numbers.contains(number)
        || languages.contains { Self.isSameLanguage($0, language) }
    }
  }

  /// The codes of languages that have two: the bibliographic one, which Matroska has, and the
  /// terminological one, which MP4 has.
  private static let terminological = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
    "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
    "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
    "tib": "bod", "wel": "cym",
  ]

  /// True if two codes mean the same language.
  ///
  /// - Parameter code: three letters of ISO 639-2; nil where a track states none, as `und`.
  package static func isSameLanguage(_ code: String?, _ other: String?) -> Bool {
    func normalized(_ code: String?) -> String {
      let code = code?.lowercased() ?? "und"
      return terminological[code] ?? code
    }
    return normalized(code) == normalized(other)
  }

  /// True if a track is asked for by its number or its language.
  package func names(_ number: Int, language: String?) -> Bool {
    self != .all && contains(number, language: language)
  }
}

/// The tracks that an output takes over, by kind.
package struct TrackSettings: Hashable, Sendable {
  /// Video: the first of them that is enabled is encoded, the others are copied.
  package var video = TrackSelection.all
  /// Audio.
  package var audio = TrackSelection.all
  /// Timed metadata, time code, chapters, text.
  package var other = TrackSelection.all
}
