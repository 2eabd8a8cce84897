// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import LibAV
package import MediaCore

/// A report on one track of a file.
package struct TrackReport: Sendable {
  /// The track's number in the container.
  package let id: Int
  package let kind: MediaType
  /// What the file states about the track.
  package let facts: [Fact]
  /// Contradictions, and statements that are ignored.
  package let notices: [Notice]
  /// Whether the track is video and its first frame could be decoded.
  package let isDecoded: Bool
  /// Whether the track's frames have floating-point samples, which are not supported.
  package let hasFloatingPointFrames: Bool

  init(_ track: AssetTrack) {
    id = track.demuxed.id
    kind = track.mediaType
    facts = track.facts
    isDecoded = track.video != nil
    hasFloatingPointFrames = track.demuxed.codec.hasFloatingPointFrames
    notices = track.mediaType == .video ? track.contradictions : []
  }
}

extension TrackReport: JSONDescribed {
  package static let schema = JSONSchema(
    .object(own.map(\.property) + FactKey.all.filter(\.isOfTracks).properties))

  private static let own: [JSONField<TrackReport>] = [
    .init("id", "The track's number in the container.") { $0.id },
    .init("kind", "The kind of media.") { $0.kind.rawValue },
    .init("notices", "Contradictions, and statements that are ignored.") { $0.notices },
  ]

  /// Encodes the facts beside the other keys.
  package func encode(to encoder: any Encoder) throws {
    try Self.own.encode(self, to: encoder)
    try facts.encodeAsObject(to: encoder)
  }
}

extension AssetTrack {
  /// Notices about places that contradict each other, and about statements that cannot be read.
  fileprivate var contradictions: [Notice] {
    var notices = [aspectConflict, apertureFault, fieldConflict].compactMap { $0 }
    if let video {
      notices += video.tags.notes + video.tags.conflicts.map { .tagConflict($0) }
    }
    if let configurationFault { notices.append(configurationFault) }
    guard let metadata = video?.hdrMetadata else { return notices }
    return notices + metadata.conflicts + metadata.unreadable.map(\.notice)
      + [video?.recordConflict].compactMap { $0 }
  }
}
