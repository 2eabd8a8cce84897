// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import MediaCore

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
    .init("isDwell", "Whether one frame is shown the whole time.") { $0.isDwell },
  ]

  init(_ edit: EditTimeline.Edit) {
    mediaStart = edit.mediaStart?.seconds
    duration = edit.duration?.seconds
    isDwell = edit.isDwell
  }
}
