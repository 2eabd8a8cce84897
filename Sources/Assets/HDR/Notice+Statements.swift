// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Notices about HDR metadata that cannot be read or that contradicts itself.
extension Notice {
  /// HDR metadata cannot be read.
  static func hdrMetadataUnreadable(
    _ kind: HDRMetadata.Kind, in place: StatementPlace, _ fault: String
  ) -> Notice {
    Notice(
      "hdrMetadataUnreadable", severity: .warning,
      ["metadata": kind.key, "place": "\(place)", "fault": fault],
      "\(kind.statement): \(place) cannot be read and is ignored: \(fault)")
  }

  /// Places declare different HDR metadata.
  ///
  /// - Parameters:
  ///   - kind: the kind of metadata.
  ///   - value: the value that is believed, with its places.
  ///   - other: the value that is not believed, with its places.
  ///   - fault: why the other value cannot be right; `nil` if it could be.
  package static func hdrMetadataConflict(
    _ kind: HDRMetadata.Kind, _ value: String, not other: String, because fault: String?
  ) -> Notice {
    Notice(
      "hdrMetadataConflict", severity: .warning,
      ["metadata": kind.key, "statement": value, "otherStatement": other].adding("fault", fault),
      "\(kind.statement): \(value) is believed, not \(other)"
        + (fault.map { ", which cannot be right: \($0)" } ?? ""))
  }

  /// The profile in a Dolby Vision record differs from the profile of the RPUs.
  static func recordOfOtherProfile(_ record: String, rpus profile: String) -> Notice {
    Notice(
      "recordOfOtherProfile", severity: .warning, ["record": record, "profile": profile],
      "the Dolby Vision record states \(record), but the RPUs have profile \(profile), which is "
        + "believed")
  }
}
