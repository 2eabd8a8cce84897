// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import DolbyVision
package import ISOBMFF
package import MediaCore

// Types for the values of facts, and how reports write values that already have a type.

/// A time code and how it counts.
package struct StatedTimeCode: JSONObject, Sendable {
  package let start: String
  package let framesPerSecond: Double?
  package let isDropFrame: Bool

  package static let fields: [JSONField<Self>] = [
    .init("start", "Hours, minutes, seconds and frames; a semicolon marks drop frame.") {
      $0.start
    },
    .init("framesPerSecond", "Its frame rate; absent if it does not fit the frames.") {
      $0.framesPerSecond
    },
    .init("isDropFrame", "Whether frame numbers are skipped.") { $0.isDropFrame },
  ]

  init?(_ asset: MediaAsset) {
    guard let text = asset.timeCode?.description ?? asset.statedTimeCode else { return nil }
    let counting = asset.timeCode?.counting
    (start, framesPerSecond) = (text, counting?.rate)
    // Without a matching rate, this time code cannot be counted. Its text still says something.
    isDropFrame = counting?.isDropFrame ?? text.contains(";")
  }
}

package struct StatedChapter: JSONObject, Sendable {
  package let start: Double
  package let title: String

  package static let fields: [JSONField<Self>] = [
    .init("start", "When it begins, in seconds.") { $0.start },
    .init("title", "The title; it may be empty.") { $0.title },
  ]

  init(_ chapter: Chapter) {
    // Some containers count milliseconds, others finer units. Rounding makes them comparable.
    start = (chapter.start.seconds * 1000).rounded() / 1000
    title = chapter.title
  }
}

/// The number and a digest of bytes that are not parsed here.
package struct ByteDigest: JSONObject, Sendable, CustomStringConvertible {
  package let size: Int
  package let digest: String

  package static let fields: [JSONField<Self>] = [
    .init("size", "The number of bytes.", .count) { $0.size },
    .init("digest", "A hash, in hexadecimal digits.") { $0.digest },
  ]

  init(_ bytes: [UInt8]) {
    (size, digest) = (bytes.count, String(bytes.digest, radix: 16))
  }

  package var description: String { "\(size) bytes, digest \(digest)" }
}

/// An entry of an edit list.
package struct StatedEdit: JSONObject, Sendable {
  package let mediaStart: Double?
  package let duration: Double?
  package let isDwell: Bool

  package static let fields: [JSONField<Self>] = [
    .init("mediaStart", "Where it begins in the media, in seconds; absent if it shows nothing.") {
      $0.mediaStart
    },
    .init("duration", "How long it lasts, in seconds; absent if it reaches the media's end.") {
      $0.duration
    },
    .init("isDwell", "Whether one frame stands still.") { $0.isDwell },
  ]

  init(_ edit: EditTimeline.Edit) {
    mediaStart = edit.mediaStart?.seconds
    duration = edit.duration?.seconds
    isDwell = edit.isDwell
  }
}

/// The transformation matrix with which frames are shown.
package struct StatedMatrix: JSONObject, Sendable {
  package let rotation: Int?
  package let values: [Int32]

  package static let fields: [JSONField<Self>] = [
    .init("rotation", "Clockwise, in degrees; absent if the matrix does something else.") {
      $0.rotation
    },
    .init("values", "The nine numbers of tkhd, in fixed point.") { $0.values },
  ]

  package init(rotation: Int?, values: [Int32]) {
    (self.rotation, self.values) = (rotation, values)
  }
}

/// What a file says about video for two eyes, or for a sphere.
package struct StatedSpatialVideo: JSONObject, Sendable {
  package let kind: String
  package let places: [String]
  package let horizontalFieldOfView: Double?

  package static let fields: [JSONField<Self>] = [
    .init("kind", "How the eyes are stored.", JSONSchema(.words(kinds))) { $0.kind },
    .init("places", "The boxes, elements and messages that state it.") { $0.places },
    .init("horizontalFieldOfView", "The horizontal field of view, in degrees.") {
      $0.horizontalFieldOfView
    },
  ]

  private static let kinds = ["MV-HEVC", "MVC", "frame packed", "one layer"]

}

extension VideoDimensions: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("width", "Luma samples in a row.", .count) { $0.width },
    .init("height", "Luma rows.", .count) { $0.height },
  ]
}

extension PixelAspectRatio: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("horizontalSpacing", "The width of a sample.") { Int($0.horizontalSpacing) },
    .init("verticalSpacing", "The height of a sample in the same unit.") {
      Int($0.verticalSpacing)
    },
  ]
}

extension CleanAperture: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("width", "The width in samples.") { $0.width.value },
    .init("height", "The height in rows.") { $0.height.value },
    .init("horizontalOffset", "How far its center is from the frame's, in samples.") {
      $0.horizontalOffset.value
    },
    .init("verticalOffset", "How far its center is from the frame's, in rows.") {
      $0.verticalOffset.value
    },
  ]
}

extension ConfigurationRecord: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("profile", "dv_profile.") { Int($0.profile) },
    .init("compatibilityID", "What the base layer is to other players: 1 HDR10, 2 SDR, 4 HLG.") {
      Int($0.baseLayerSignalCompatibilityID)
    },
    .init("level", "dv_level, which bounds size and frame rate.") { Int($0.level) },
    .init("hasRPU", "rpu_present_flag.") { $0.hasRPU },
    .init("hasEnhancementLayer", "el_present_flag.") { $0.hasEnhancementLayer },
    .init("hasBaseLayer", "bl_present_flag.") { $0.hasBaseLayer },
  ]
}
