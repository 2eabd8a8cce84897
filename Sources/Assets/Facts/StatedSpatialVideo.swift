// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
package import ISOBMFF
package import MediaCore

/// What a file says about stereoscopic or spherical video.
package struct StatedSpatialVideo: JSONObject, Sendable {
  package let kind: String
  package let places: [String]
  package let horizontalFieldOfView: Double?

  package static let fields: [JSONField<Self>] = [
    .init("kind", "How the eyes' views are stored.", JSONSchema(.words(kinds))) { $0.kind },
    .init("places", "The boxes, elements and messages that state it.") { $0.places },
    .init("horizontalFieldOfView", "The horizontal field of view, in degrees.") {
      $0.horizontalFieldOfView
    },
  ]

  private static let kinds = ["MV-HEVC", "MVC", "frame packed", "one layer"]
}

extension VideoDimensions: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("width", "The number of luma samples in a row.", .count) { $0.width },
    .init("height", "The number of luma rows.", .count) { $0.height },
  ]
}

extension PixelAspectRatio: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("horizontalSpacing", "The width of a pixel.") { Int($0.horizontalSpacing) },
    .init("verticalSpacing", "The height of a pixel in the same unit.") {
      Int($0.verticalSpacing)
    },
  ]
}

extension CleanAperture: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("width", "The width in samples.") { $0.width.value },
    .init("height", "The height in rows.") { $0.height.value },
    .init(
      "horizontalOffset", "How far its center is to the right of the frame's center, in samples."
    ) {
      $0.horizontalOffset.value
    },
    .init("verticalOffset", "How far its center is below the frame's center, in rows.") {
      $0.verticalOffset.value
    },
  ]
}
