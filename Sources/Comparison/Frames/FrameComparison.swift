// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore

/// Numbers of the frames of a source and an output, and of those that are presented at the same
/// time.
struct FrameCounts: Sendable, Encodable {
  /// The frames of the source.
  var sourceCount = 0
  /// The frames of the output.
  var outputCount = 0
  /// Frames of the source at whose time the output has none.
  var missingCount = 0
  /// Frames of the output at whose time the source has none.
  var addedCount = 0
  /// Frames of them that are shown after the source's last frame has ended.
  var addedAtEndCount = 0
  /// Places at which decoding the source reports damage: frames that are concealed or left out.
  var sourceDamagedCount = 0
  /// Places at which decoding the output does.
  var outputDamagedCount = 0
  /// The frames whose samples were compared.
  var comparedCount = 0
  /// The frames of the output among these that surely show another picture: none, or one that
  /// stands still.
  var otherContentCount = 0
  /// True if all samples of all frames that were compared are the same.
  var isIdentical = false
  /// True if the output's frames were scaled to the source's size.
  var isScaled = false

  /// Text for people.
  fileprivate var text: String {
    var text = "\(comparedCount) of \(sourceCount) compared"
    if missingCount > 0 { text += ", \(missingCount) missing" }
    if addedCount > 0 { text += ", \(addedCount) added" }
    if sourceDamagedCount + outputDamagedCount > 0 {
      text += ", damaged: \(sourceDamagedCount) of the source, \(outputDamagedCount) of the output"
    }
    if isScaled { text += ", scaled to the source's size" }
    return isIdentical ? text + ", identical" : text
  }

  /// The frames of the output, and how many of them a source that ends earlier does not show.
  var outputText: String {
    addedAtEndCount > 0 && outputCount > sourceCount
      ? "\(outputCount), \(addedAtEndCount) of them after the source's end" : "\(outputCount)"
  }
}

/// Differences of the frames of an output from those of its source that are presented at the same
/// time.
///
/// Encoded, the counts and the metrics are keys of one object.
package struct FrameComparison: Sendable, Encodable {
  var counts = FrameCounts()
  var times = TimeComparison()
  /// The metrics of all frames together.
  var metrics = MetricValues()
  /// Reasons for which something is not measured, for people.
  var reasons: [String] = []
  /// The frames that were compared, one by one.
  var frames: [FrameValues] = []

  /// Encodes the counts and the metrics beside the other keys.
  package func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    try metrics.encode(to: encoder)
    try ["times": times].encode(to: encoder)
    try ["reasons": reasons].encode(to: encoder)
    try ["frames": frames].encode(to: encoder)
  }

  /// Lines about the comparison, for people. Code values that are the same need no numbers.
  var lines: [String] {
    let metrics = FrameMetric.all.compactMap { metric in
      counts.isIdentical && metric.needs == .codeValues
        ? nil : self.metrics[metric].map { Self.line(metric.name, metric.text($0)) }
    }
    return [Self.line("frames", counts.text), Self.line("times", times.text)] + metrics
      + reasons.map { Self.line("LEFT OUT", $0) }
  }

  private static func line(_ name: String, _ text: String) -> String {
    let space = String(repeating: " ", count: max(11 - name.count, 1))
    return "  \(name)\(space)\(text)"
  }
}

/// A frame at its place in the presentation.
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

  /// True if another frame is presented at so nearly the same time that it is the same.
  ///
  /// - Parameter shift: the time by which the other file begins later.
  func corresponds(to other: TimedFrame, _ shift: MediaTime) -> Bool {
    let begin = other.start - shift
    let distance = start < begin ? begin - start : start - begin
    // Half of the shorter one's time, or of a timestamp in milliseconds.
    let limit = max(
      min(frame.duration, other.frame.duration), MediaTime(value: 1, timescale: 1000))
    return distance + distance < limit
  }
}
