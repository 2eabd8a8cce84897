// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore
internal import Planning
internal import Writing

/// Writes frames that were encoded before, interleaved with the other tracks.
final class EncodedTrack {
  private let video: EncodedVideo
  private let boxes: TrackBoxes
  private let output: TrackWriter
  private let takeSample: () throws -> EncodedSample?
  private var next: EncodedSample?

  /// Begins the track.
  ///
  /// - Parameter boxes: the track's boxes, without the measured light levels.
  init(
    _ video: EncodedVideo, of plan: EncodingPlan, _ boxes: TrackBoxes, to output: TrackWriter
  ) throws {
    (self.video, self.boxes, self.output) = (video, boxes, output)
    takeSample = video.makeReader()
    try output.open(.encoded(plan.trackFormat(parameterSets: video.parameterSets)))
    next = try takeSample()
  }

  /// Writes the samples that are decoded up to a time, or all that are left if it is `nil`.
  func write(until time: MediaTime?) throws {
    // Stop at the time that the other tracks have reached, because the order of samples in the file
    // must not depend on which thread is faster.
    while let sample = next, time.map({ sample.decodeTimeStamp <= $0 }) ?? true {
      try output.write(sample)
      next = try takeSample()
    }
  }

  /// Writes what is left and ends the track.
  func finish() throws {
    try write(until: nil)
    var boxes = boxes
    if let measured = video.contentLightLevel { boxes.hdrMetadata.state(measured) }
    try output.end(boxes)
  }
}
