// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore
internal import Planning
internal import Writing

/// Writes frames that were encoded before, each when the other tracks have come to its time: the
/// order of a file's samples must not depend on whose thread is faster.
final class EncodedTrack {
  private let video: EncodedVideo
  private let boxes: TrackBoxes
  private let output: TrackWriter
  private let takeSample: () throws -> EncodedSample?
  private var next: EncodedSample?

  /// Begins the track.
  ///
  /// - Parameter boxes: boxes of the track but for the light levels that were measured.
  init(
    _ video: EncodedVideo, of plan: EncodingPlan, _ boxes: TrackBoxes, to output: TrackWriter
  ) throws {
    (self.video, self.boxes, self.output) = (video, boxes, output)
    takeSample = video.makeReader()
    try output.open(.encoded(plan.trackFormat(parameterSets: video.parameterSets)))
    next = try takeSample()
  }

  /// Writes what is decoded until some time; all that is left without one.
  func write(until time: MediaTime?) throws {
    while let sample = next, time.map({ sample.decodeTimeStamp <= $0 }) ?? true {
      try output.write(sample)
      next = try takeSample()
    }
  }

  /// Writes what is left, and ends the track.
  func finish() throws {
    try write(until: nil)
    var boxes = boxes
    if let measured = video.contentLightLevel { boxes.hdrMetadata.state(measured) }
    try output.end(boxes)
  }
}
