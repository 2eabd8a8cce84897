// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
internal import ISOBMFF
package import MediaCore

/// A time code and how it counts.
package struct StatedTimeCode: JSONObject, Sendable {
  package let start: String
  package let framesPerSecond: Double?
  package let isDropFrame: Bool

  package static let fields: [JSONField<Self>] = [
    .init("start", "Hours, minutes, seconds and frames; a semicolon marks drop frame.") {
      $0.start
    },
    .init("framesPerSecond", "Its frame rate; absent if the time code does not fit the video.") {
      $0.framesPerSecond
    },
    .init("isDropFrame", "Whether frame numbers are skipped.") { $0.isDropFrame },
  ]

  init?(_ asset: MediaAsset) {
    guard let text = asset.timeCode?.description ?? asset.statedTimeCode else { return nil }
    let counting = asset.timeCode?.counting
    (start, framesPerSecond) = (text, counting?.rate)
    // If the time code does not fit the video's frame rate, we cannot count with it. Its text is
    // still worth reporting.
    isDropFrame = counting?.isDropFrame ?? text.contains(";")
  }
}

extension Chapter: JSONObject {
  package static let fields: [JSONField<Self>] = [
    // Some containers count milliseconds, others finer units. Rounding makes them comparable.
    .init("start", "When it begins, in seconds.") { $0.start.roundedSeconds },
    .init("title", "The title; it may be empty.") { $0.title },
  ]
}

extension EditTimeline.Edit: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("mediaStart", "Where it begins in the media, in seconds; absent if it shows nothing.") {
      $0.mediaStart?.seconds
    },
    .init("duration", "How long it lasts, in seconds; absent if it reaches the media's end.") {
      $0.duration?.seconds
    },
    .init("isDwell", "Whether one frame is shown the whole time.") { $0.isDwell },
  ]
}
