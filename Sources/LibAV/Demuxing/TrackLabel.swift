// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// What a container says about a track as a whole: its language, its name and its roles.
package struct TrackLabel: Hashable, Sendable {
  /// A purpose of a track, by which players choose among tracks.
  package enum Role: CaseIterable, Sendable {
    /// Speech in a language other than the original.
    case dub
    /// Speech in the language that it was recorded in.
    case original
    /// A commentary on the content.
    case commentary
    /// Subtitles that are shown even if nobody asks for subtitles.
    case forced
    /// A track for people who do not hear well.
    case hearingImpaired
    /// A track for people who do not see well.
    case visualImpaired

    fileprivate var disposition: Int32 {
      switch self {
      case .dub: AV_DISPOSITION_DUB
      case .original: AV_DISPOSITION_ORIGINAL
      case .commentary: AV_DISPOSITION_COMMENT
      case .forced: AV_DISPOSITION_FORCED
      case .hearingImpaired: AV_DISPOSITION_HEARING_IMPAIRED
      case .visualImpaired: AV_DISPOSITION_VISUAL_IMPAIRED
      }
    }
  }

  /// The language as three letters (ISO 639-2); `nil` if undeclared.
  package var language: String?
  /// The name, as text for people; `nil` if the track has none.
  package var name: String?
  /// The roles; empty if the track has none.
  package var roles: Set<Role>
  /// Whether players play the track unless they are told not to.
  package var isDefault = true

  package init(language: String? = nil, name: String? = nil, roles: Set<Role> = []) {
    (self.language, self.name, self.roles) = (language, name, roles)
  }

  /// Makes a label with the roles that FFmpeg's bits stand for.
  init(language: String?, name: String?, disposition: Int32) {
    self.init(
      language: language.map(Self.threeLetters), name: name,
      roles: Set(Role.allCases.filter { disposition & $0.disposition != 0 }))
    isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
  }

  /// FFmpeg's bits for the roles.
  var disposition: Int32 { roles.reduce(0) { $0 | $1.disposition } }
}
