// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore

/// Differences of the frames of an output from those of its source that are presented at the same
/// time.
package struct FrameComparison: Sendable, Encodable {
  /// The frames of the source.
  package internal(set) var sourceCount = 0
  /// The frames of the output.
  package internal(set) var outputCount = 0
  /// Frames of the source at whose time the output has none.
  package internal(set) var missingCount = 0
  /// Frames of the output at whose time the source has none.
  package internal(set) var addedCount = 0
  /// Frames of them that are shown after the source's last frame has ended.
  package internal(set) var addedAtEndCount = 0
  /// Places at which decoding the source reports damage: frames that are concealed or left out.
  package internal(set) var sourceDamagedCount = 0
  /// Places at which decoding the output does.
  package internal(set) var outputDamagedCount = 0
  /// The frames whose samples were compared.
  package internal(set) var comparedCount = 0
  /// The frames of the output among these that surely show another picture: none, or one that
  /// stands still.
  package internal(set) var otherContentCount = 0
  /// True if all samples of all frames that were compared are the same.
  package internal(set) var isIdentical = false
  /// True if the output's frames were scaled to the source's size.
  package internal(set) var isScaled = false
  /// The presentation times.
  package internal(set) var times = TimeComparison()
  /// PSNR in dB, of the mean squared error of all frames; nil where it is not measured.
  package internal(set) var psnr: PlaneValues?
  /// SSIM, the mean of all frames; nil where it is not measured.
  package internal(set) var ssim: PlaneValues?
  /// ΔE ITP of all pixels of all frames; nil where it is not measured.
  package internal(set) var deltaEITP: LightValues?
  /// Reasons for which something is not measured, for people.
  package internal(set) var reasons: [String] = []
  /// The frames that were compared, one by one.
  package internal(set) var frames: [FrameValues] = []

  init() {}

  /// Lines about the comparison, for people.
  var lines: [String] {
    var counts = "\(comparedCount) of \(sourceCount) compared"
    if missingCount > 0 { counts += ", \(missingCount) missing" }
    if addedCount > 0 { counts += ", \(addedCount) added" }
    if sourceDamagedCount + outputDamagedCount > 0 {
      counts +=
        ", damaged: \(sourceDamagedCount) of the source, \(outputDamagedCount) of the output"
    }
    if isScaled { counts += ", scaled to the source's size" }
    if isIdentical { counts += ", identical" }
    var lines = ["  frames     \(counts)", "  times      \(times.text)"]
    if let psnr, !isIdentical {
      lines.append("  PSNR       \(psnr.text(2, "identical")) dB")
    }
    if let ssim, !isIdentical { lines.append("  SSIM       \(ssim.text(5, "not measured"))") }
    if let deltaEITP { lines.append("  ΔE ITP     \(deltaEITP.text)") }
    return lines + reasons.map { "  LEFT OUT   \($0)" }
  }
}

extension FrameComparison {
  /// The frames of the output, and how many of them a source that ends earlier does not show.
  var outputCountText: String {
    addedAtEndCount > 0 && outputCount > sourceCount
      ? "\(outputCount), \(addedAtEndCount) of them after the source's end" : "\(outputCount)"
  }
}

/// A frame at its place in the presentation.
struct TimedFrame: Sendable {
  let frame: VideoFrame
  let start: MediaTime

  init?(_ frame: VideoFrame, _ timeline: EditTimeline) {
    guard
      let start = timeline.presentationTime(of: frame.presentationTime, lasting: frame.duration)
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
