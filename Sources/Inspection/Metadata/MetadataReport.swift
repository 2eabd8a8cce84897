// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// The HDR metadata of a file's video track: what the file states about the whole track, and how
/// many frames have each kind of dynamic metadata.
package struct MetadataReport: Sendable {
  /// The path of the file that was read.
  package let path: String
  package let frameCount: Int
  /// What the file states, with the places that state it.
  package let facts: [Fact]
  /// How many frames have each kind of dynamic metadata.
  package let counts: [Count]
  /// Contradictions, and what cannot be read.
  package let notices: [Notice]
  /// The frames in the order of presentation, if they were requested.
  package let frames: JSONList<MetadataFrameReport>?

  /// How many frames have a kind of dynamic metadata.
  package struct Count: Sendable {
    /// The kind's key, or the name of user data that Candela does not know and only copies.
    package let name: String
    package let frameCount: Int
    /// The number of frames whose metadata of this kind cannot be read.
    package let damagedCount: Int
    /// The profiles of the metadata, such as `8.4`, if the kind has profiles.
    package let profiles: [String]
  }

  /// Reads a file with video.
  ///
  /// - Parameter includingFrames: whether to report each frame.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there is no video;
  ///   `CancellationError` when the task was cancelled.
  package static func load(path: String, includingFrames: Bool) async throws -> MetadataReport {
    let asset = try await MediaAsset.load(path: path)
    return try await Pipeline.onThread("metadata") { checkpoint in
      let frames = try CodedFrames(path: path, checkpoint: checkpoint).frames
      let track = asset.videoTrack
      return MetadataReport(
        asset, try TimedUserData(asset, checkpoint).added(to: frames, of: track),
        includingFrames: includingFrames)
    }
  }

  private init(_ asset: MediaAsset, _ coded: [CodedFrame], includingFrames: Bool) {
    path = asset.path
    frameCount = coded.count
    let track = asset.videoTrack
    facts = track?.facts(where: { $0.section == .hdrMetadata }) ?? []
    counts = Self.counts(coded)
    let metadata = track?.video?.hdrMetadata
    notices =
      (metadata.map { $0.conflicts + $0.unreadable.map(\.notice) } ?? [])
      + [track?.video?.recordConflict].compactMap { $0 }
    frames = includingFrames ? MetadataFrameReport.all(coded) : nil
  }

  private static func counts(_ frames: [CodedFrame]) -> [Count] {
    var counts: [String: (all: Int, damaged: Int, profiles: Set<String>)] = [:]
    var order = FrameMetadata.kinds.map { $0.key }
    for frame in frames {
      for value in frame.metadata.all {
        let key = type(of: value).key
        counts[key, default: (0, 0, [])].all += 1
        if !value.isReadable { counts[key, default: (0, 0, [])].damaged += 1 }
        if let profile = value.profileText { counts[key]?.profiles.insert(profile) }
      }
      for name in Set(frame.otherUserData) {
        if counts[name] == nil { order.append(name) }
        counts[name, default: (0, 0, [])].all += 1
      }
    }
    return order.compactMap { name in
      counts[name].map {
        Count(
          name: name, frameCount: $0.all, damagedCount: $0.damaged, profiles: $0.profiles.sorted())
      }
    }
  }
}

extension MetadataReport: JSONDescribed {
  package static let schema = JSONSchema(
    .object(
      own.map(\.property) + FactKey.all.filter { $0.section == .hdrMetadata }.properties),
    "The HDR metadata of a file's video.")

  private static let own: [JSONField<MetadataReport>] = [
    .init("path", "The path of the file that was read.") { $0.path },
    .init("frameCount", "The number of frames in the file.", .count) { $0.frameCount },
    .init("counts", "How many frames have each kind of dynamic metadata.") { $0.counts },
    .init("notices", "Contradictions, and what cannot be read.") { $0.notices },
    .init("frames", "The frames in the order of presentation, if they were requested.") {
      $0.frames
    },
  ]

  /// Encodes the facts beside the other keys.
  package func encode(to encoder: any Encoder) throws {
    try Self.own.encode(self, to: encoder)
    try facts.encodeAsObject(to: encoder)
  }
}

extension MetadataReport.Count: JSONObject {
  package static let fields: [JSONField<MetadataReport.Count>] = [
    .init(
      "metadata",
      "The key of the metadata, or the name of user data that Candela does not know and only "
        + "copies."
    ) { $0.name },
    .init("frameCount", "The number of frames with this metadata.", .count) { $0.frameCount },
    .init("damagedCount", "The number of these frames whose metadata cannot be read.", .count) {
      $0.damagedCount
    },
    .init("profiles", "The profiles of the metadata, such as 8.4, if it has profiles.") {
      $0.profiles
    },
  ]
}
