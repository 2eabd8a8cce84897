// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import ISOBMFF
package import LibAV
package import MediaCore

/// Reads and writes a track's label in a movie. The language is in `mdhd`; the name and the roles
/// are in boxes of the track's `udta`.
extension TrackLabel {
  /// The language as `mdhd` packs it, with 5 bits for each letter (ISO/IEC 14496-12, 8.4.2.3). If
  /// the language does not have three letters, this is "und".
  package var packedLanguage: UInt16 {
    let letters = Array((language ?? "").utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return NewTrack.undetermined
    }
    return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }

  /// Returns boxes for `udta` with the name and the roles.
  package func boxes(for container: FileType) -> [Box] {
    let name = name.map { [Box("name", fields: Array($0.utf8))] } ?? []
    return name
      + Role.allCases.filter(roles.contains).compactMap { role in
        switch container.movie {
        case .quickTime: Box("tagc", fields: Array(role.characteristic.utf8))
        case .isoBaseMedia, nil:
          role.kind.map { Box("kind", fields: [0, 0, 0, 0] + Self.scheme + Array($0.utf8) + [0]) }
        }
      }
  }

  /// Returns the label with the name and the roles from a track's `udta` added.
  func adding(_ userData: [Box]) -> TrackLabel {
    var label = self
    for box in userData {
      // libavformat does not report these boxes. A name that it found elsewhere stays.
      switch box.type {
      case "name":
        let text = box.fields.prefix { $0 != 0 }
        label.name = label.name ?? String(validating: text, as: UTF8.self)
      case "tagc":
        label.roles.formUnion(Role.allCases.filter { Array($0.characteristic.utf8) == box.fields })
      case "kind":
        let text = box.fields.dropFirst(4)
        guard text.starts(with: Self.scheme) else { continue }
        let value = text.dropFirst(Self.scheme.count).prefix { $0 != 0 }
        label.roles.formUnion(
          Role.allCases.filter { $0.kind.map { Array($0.utf8) == Array(value) } ?? false })
      default: break
      }
    }
    return label
  }

  /// The scheme of roles that players know (ISO/IEC 23009-1, 5.8.5.5), with a zero at its end.
  private static let scheme = Array("urn:mpeg:dash:role:2011".utf8) + [0]
}

extension TrackLabel.Role {
  /// The role's name in `kind` (ISO/IEC 23009-1, 5.8.5.5); `nil` if it has none.
  fileprivate var kind: String? {
    switch self {
    case .dub: "dub"
    case .original: nil
    case .commentary: "commentary"
    case .forced: "forced-subtitle"
    case .hearingImpaired: "caption"
    case .visualImpaired: "description"
    }
  }

  /// The role as a QuickTime media characteristic (`tagc`).
  fileprivate var characteristic: String {
    switch self {
    case .dub: "public.translation.dubbed"
    case .original: "public.original-content"
    case .commentary: "public.auxiliary-content"
    case .forced: "public.subtitles.forced-only"
    case .hearingImpaired: "public.accessibility.transcribes-spoken-dialog"
    case .visualImpaired: "public.accessibility.describes-video"
    }
  }
}

extension AssetTrack {
  /// The track's language, name and roles, wherever the file has them.
  package var label: TrackLabel {
    demuxed.label.adding(box?.box.child("udta")?.children ?? [])
  }
}
