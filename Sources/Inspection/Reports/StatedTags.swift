// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging

/// What a file says about the color of its video, in numbers.
package struct StatedTags: Sendable {
  private let sampleEntry: String?
  private let signal: SignalDescription
  private let metadata: StaticHDRMetadata
  private let conflicts: [Notice]

  /// Returns `nil` if the file has no video whose tags can be read.
  package init?(_ asset: MediaAsset) {
    guard let track = asset.videoTrack, let facts = track.video else { return nil }
    sampleEntry = track.sampleEntry
    signal = facts.tags.signal
    metadata = facts.hdrMetadata.staticMetadata
    conflicts = facts.tags.conflicts.map { .tagConflict($0) }
  }
}

extension StatedTags: JSONObject {
  package static let meaning = "What a file says about the color of its video."
  package static let fields: [JSONField<StatedTags>] =
    own + SignalDescription.fields.of { (tags: StatedTags) in tags.signal }
    + StaticHDRMetadata.fields.of { (tags: StatedTags) in tags.metadata }

  private static let own: [JSONField<StatedTags>] = [
    .init("sampleEntry", "The type of the sample entry, such as hvc1.") { $0.sampleEntry },
    .init("conflicts", "Places that contradict each other.") { $0.conflicts },
  ]
}
