// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore

/// How the frames of an output differ from the source's frames at the same times.
///
/// Frames that are presented at the same time form pairs. In JSON, each metric has a key of its
/// own, on the same level as the other values.
package struct FrameComparison: Sendable {
  /// The number of frames in the source.
  package internal(set) var sourceCount = 0
  /// The number of frames in the output.
  package internal(set) var outputCount = 0
  /// The number of source frames for which the output has no frame at the same time.
  package internal(set) var missingCount = 0
  /// The number of output frames for which the source has no frame at the same time.
  package internal(set) var addedCount = 0
  /// The number of added frames that are shown after the source has ended.
  package internal(set) var addedAtEndCount = 0
  /// How often a decoder reported damage in the source. The damaged frames are concealed or
  /// dropped.
  package internal(set) var sourceDamagedCount = 0
  /// How often a decoder reported damage in the output.
  package internal(set) var outputDamagedCount = 0
  /// The number of pairs whose samples were compared.
  package internal(set) var comparedCount = 0
  /// The number of compared output frames that do not show what the source shows: they show
  /// nothing, or a still image although the source's frames change.
  package internal(set) var otherContentCount = 0
  /// Whether all samples of all compared frames are the same.
  package internal(set) var isIdentical = false
  /// Whether the output's frames were scaled to the source's size.
  package internal(set) var isScaled = false
  package internal(set) var times = TimeComparison()
  /// The metrics over all frames.
  var metrics = MetricValues()
  /// Why something was not measured, as text.
  package internal(set) var reasons: [String] = []
  /// The values of each compared frame.
  var frames: [FrameValues] = []

  /// The metrics over all frames, with their names, as text for people.
  package var metricTexts: [(name: String, text: String)] {
    FrameMetric.all.compactMap { metric in
      // If all samples are the same, PSNR and SSIM have nothing to say.
      isIdentical && metric.needs == .codeValues
        ? nil : metrics[metric].map { (metric.name, metric.text($0)) }
    }
  }

  /// How many frames the output has, as text. If there are more than in the source, the text also
  /// says how many come after the source's end.
  var outputText: String {
    addedAtEndCount > 0 && outputCount > sourceCount
      ? "\(outputCount), \(addedAtEndCount) of them after the source's end" : "\(outputCount)"
  }
}

/// A frame and when it is presented.
struct TimedFrame: Sendable {
  let frame: VideoFrame
  let start: MediaTime

  init?(_ frame: VideoFrame, _ timeline: EditTimeline) {
    guard
      let start = timeline.presentationTime(
        of: frame.presentationTimeStamp, lasting: frame.duration)
    else { return nil }
    (self.frame, self.start) = (frame, start)
  }

  /// Whether another frame is presented at nearly the same time, and so counts as the same frame.
  ///
  /// - Parameter shift: how much later the other file begins.
  func corresponds(to other: TimedFrame, _ shift: MediaTime) -> Bool {
    let begin = other.start - shift
    let distance = start < begin ? begin - start : start - begin
    // Allow half of the shorter duration, but at least half a millisecond, because Matroska rounds
    // times by up to half a millisecond.
    let limit = max(
      min(frame.duration, other.frame.duration), MediaTime(value: 1, timescale: 1000))
    return distance + distance < limit
  }
}
