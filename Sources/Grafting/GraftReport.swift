// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import Comparison
internal import MediaCore
internal import Planning

/// Says which metadata an encode gets, and from which frames.
package struct GraftReport: Sendable {
  package let source: String
  package let encoded: String
  /// How frames were paired.
  package let way: String
  /// The frames of the encode, each with the source's frame that it shows.
  package let frames: [Frame]
  /// How many frames the source presents.
  package let sourceFrameCount: Int
  /// The part of the source's frames that the encode shows; `nil` for the whole.
  package let part: PixelRectangle?
  /// The keys of the metadata that the encode gets.
  package let metadata: [String]
  /// The keys of the source's metadata that does not fit the encode.
  package let left: [String]
  /// The keys of the encode's own metadata that is replaced.
  package let replaced: [String]
  /// The source's enhancement layer, which the encode cannot have.
  private let droppedLayer: DualLayerDolbyVision.Layer?
  /// The names of the source's user data that cannot be paired with frames, because its meaning is
  /// unknown: user data in the video's samples, and user data in tracks of its own.
  private let otherUserData: (inSamples: [String], inTracks: [String])
  /// Whether the output also gets the source's other tracks.
  package var takesTracks = false
  /// How many frames get the RPU of another frame, because their own is damaged or missing.
  package let repeatedRPUCount: Int

  /// A frame of the encode and the source's frame that it shows.
  package struct Frame: Sendable {
    package let number: Int
    package let time: Double
    package let sourceNumber: Int
    package let sourceTime: Double
    /// The keys of the dynamic metadata that the encode's frame gets.
    package let metadata: [String]
  }

  init(
    _ source: PresentedTrack, _ encoded: PresentedTrack, _ pairs: FramePairs,
    _ match: FrameMatch, kinds: [any DynamicHDRMetadataKind.Type],
    _ staticMetadata: StaticHDRMetadata, repeatedRPUCount: Int
  ) {
    self.repeatedRPUCount = repeatedRPUCount
    otherUserData = (source.otherUserData, source.otherUserDataTracks)
    droppedLayer =
      kinds.contains { $0.belongsToLayers } ? source.track.dualLayerDolbyVision?.layer : nil
    (self.source, self.encoded, way) = (source.path, encoded.path, pairs.way.rawValue)
    sourceFrameCount = source.frames.count
    part = match.part == PixelRectangle(whole: source.facts.size) ? nil : match.part
    let given =
      kinds.map { HDRMetadata.Kind($0) }
      + staticMetadata.values.map { HDRMetadata.Kind(type(of: $0)) }
    metadata = given.map(\.key)
    left = source.hdrMetadata.kinds.filter { !given.contains($0) }.map(\.key)
    replaced = encoded.hdrMetadata.kinds.filter(given.contains).map(\.key)
    frames = zip(encoded.frames, pairs.sources).enumerated().map { number, pair in
      let (frame, place) = pair
      let own = source.frames[place]
      return Frame(
        number: number, time: frame.time.seconds, sourceNumber: place,
        sourceTime: own.time.seconds,
        // List kinds that every frame must have even if this frame's own value is missing, because
        // another frame's value replaces it.
        metadata: kinds.filter { $0.isOfEveryFrame || own.metadata.has($0) }.map { $0.key })
    }
  }
}

extension GraftReport: JSONObject {
  package static let meaning =
    "The HDR metadata that an encode gets from its source, frame by frame."
  package static let fields: [JSONField<GraftReport>] = [
    .init("source", "The path of the file with the metadata.") { $0.source },
    .init("encoded", "The path of the encode.") { $0.encoded },
    .init(
      "pairing",
      "How frames were paired: by their times (counted from the first pair) or by their order.",
      JSONSchema(.words(FramePairs.Way.allCases.map(\.rawValue)))
    ) { $0.way },
    .init("sourceFrameCount", "How many frames the source presents.", .count) {
      $0.sourceFrameCount
    },
    .init(
      "part", "The part of each source frame that the encode shows; absent if it shows all of it."
    ) {
      $0.part.map { "\($0.size) from \($0.x), \($0.y)" }
    },
    .init("metadata", "The keys of the metadata that the encode gets.") { $0.metadata },
    .init("left", "The keys of the source's metadata that the encode does not get.") { $0.left },
    .init("replaced", "The keys of the encode's own metadata that is replaced.") { $0.replaced },
    .init("notices", "What is lost, replaced or repeated.") { $0.notices },
    .init("frames", "The frames of the encode, in the order of presentation.") { $0.frames },
  ]
}

extension GraftReport.Frame: JSONObject {
  package static let fields: [JSONField<GraftReport.Frame>] = [
    .init("frame", "The number of the frame, counted from 0.", .count) { $0.number },
    .init("time", "When the frame is presented, in seconds.") { $0.time },
    .init("sourceFrame", "The number of the source's frame, counted from 0.", .count) {
      $0.sourceNumber
    },
    .init("sourceTime", "When the source's frame is presented, in seconds.") { $0.sourceTime },
    .init("metadata", "The keys of the dynamic metadata that the frame gets.") {
      $0.metadata
    },
  ]
}

extension GraftReport {
  /// Notices about the source's metadata that is lost or repeated, and about the encode's own
  /// metadata that is replaced.
  package var notices: [Notice] {
    let userData = otherUserData.inSamples + (takesTracks ? [] : otherUserData.inTracks)
    return (left.isEmpty ? [] : [.metadataNotOfEncode(left)])
      + (userData.isEmpty ? [] : [.userDataNotGrafted(userData)])
      + (replaced.isEmpty ? [] : [.metadataReplaced(replaced)])
      + (droppedLayer.map { [.enhancementLayerDropped($0)] } ?? [])
      + (repeatedRPUCount == 0 ? [] : [.rpusRepeated(repeatedRPUCount)])
  }
}

extension Notice {
  /// Says that metadata of a source does not fit its encode.
  static func metadataNotOfEncode(_ keys: [String]) -> Notice {
    Notice(
      "metadataNotOfEncode", severity: .warning, ["metadata": keys.joined(separator: ", ")],
      "metadata that does not fit the encode is left out: \(keys.joined(separator: ", "))")
  }

  /// Says that user data of a source is left out.
  static func userDataNotGrafted(_ names: [String]) -> Notice {
    let names = names.joined(separator: ", ")
    return Notice(
      "userDataNotCarried", severity: .warning, ["names": names],
      "user data of the source whose meaning is not known is left out: \(names)")
  }

  /// Says that an encode's own metadata is replaced by its source's metadata.
  static func metadataReplaced(_ keys: [String]) -> Notice {
    Notice(
      "metadataReplaced", ["metadata": keys.joined(separator: ", ")],
      "the encode's own metadata is replaced: \(keys.joined(separator: ", "))")
  }

  /// Says that frames get the RPUs of other frames.
  static func rpusRepeated(_ count: Int) -> Notice {
    Notice(
      "rpusRepeated", severity: .warning, ["count": "\(count)"],
      "the source's Dolby Vision RPUs of \(count.counted("frame")) are damaged or missing: those "
        + "of other frames are repeated")
  }
}
