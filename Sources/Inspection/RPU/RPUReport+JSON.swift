// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import DolbyVision

extension RPUReport: JSONObject {
  package static let meaning = "The Dolby Vision RPUs of a file."
  package static let fields: [JSONField<RPUReport>] = [
    .init("path", "The path of the file that was read.") { $0.path },
    .init("frameCount", "The number of frames in the file.", .count) { $0.frameCount },
    .init("rpuCount", "The number of frames with an RPU.", .count) { $0.rpuCount },
    .init("frames", "The frames in the order of presentation, or only the requested one.") {
      $0.frames
    },
  ]
}

extension RPUFrameReport: JSONObject {
  package static let fields: [JSONField<RPUFrameReport>] = ofFrame + ofMetadata

  private static let ofFrame: [JSONField<RPUFrameReport>] = [
    .init("frame", "The frame's place in the order of presentation, from 0.", .count) {
      $0.frame
    },
    .init(
      "time",
      "When the frame is presented on the media's timeline, in seconds; absent if the file has no "
        + "times."
    ) { $0.time },
    .init("error", "Why no values follow: the RPU is missing or damaged.") { $0.error },
    .init("profile", "The profile of the RPU: 4, 5, 7 or 8; absent if unknown.") { $0.profile },
    .init("isSceneRefresh", "Whether the frame begins a shot; absent if unknown.") {
      $0.isSceneRefresh
    },
    .init("issues", "Invalid values, in words.") { $0.issues },
  ]

  private static let ofMetadata: [JSONField<RPUFrameReport>] = [
    .init("contentMapping", "The version of content mapping: CM v2.9 or CM v4.0.") {
      $0.contentMapping
    },
    .init(
      "sourcePQ",
      "The lowest and the highest luminance of the source, in 12-bit PQ; absent if the RPU takes "
        + "them from an earlier one.",
      JSONSchema(.list(of: pq, count: 2...2))
    ) { $0.sourcePQ },
    .init("levels", "The levels of all extension blocks, in the order of the RPU.") { $0.levels },
    .init("level1", "How bright the frame is; absent if no block states it.") { $0.level1 },
    .init("activeArea", "Level 5: the active area; absent if no block states it.") {
      $0.activeArea
    },
    .init("blocks", "All extension blocks, in the order of the RPU.") { $0.blocks },
  ]

  /// A code of 12-bit PQ.
  fileprivate static let pq = JSONSchema(.integer(0...4095))
}

extension RPUFrameReport.Brightness: JSONObject {
  package static let fields: [JSONField<RPUFrameReport.Brightness>] = [
    .init("minPQ", "The minimum, in 12-bit PQ.") { $0.minPQ },
    .init("avgPQ", "The average, in 12-bit PQ.") { $0.avgPQ },
    .init("maxPQ", "The maximum, in 12-bit PQ.") { $0.maxPQ },
    .init("minLuminance", "The minimum, in cd/m².") { $0.minLuminance },
    .init("avgLuminance", "The average, in cd/m².") { $0.avgLuminance },
    .init("maxLuminance", "The maximum, in cd/m².") { $0.maxLuminance },
  ]
}

extension Level5: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("left", "Samples between the left edge and the active area.", .count) {
      Int($0.activeAreaLeftOffset)
    },
    .init("right", "Samples between the active area and the right edge.", .count) {
      Int($0.activeAreaRightOffset)
    },
    .init("top", "Rows between the upper edge and the active area.", .count) {
      Int($0.activeAreaTopOffset)
    },
    .init("bottom", "Rows between the active area and the lower edge.", .count) {
      Int($0.activeAreaBottomOffset)
    },
  ]
}
