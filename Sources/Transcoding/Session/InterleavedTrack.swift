// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading
internal import Writing

/// A track that does not come from the session's reader. Its samples are interleaved with those of
/// the tracks that are read.
protocol InterleavedTrack: AnyObject {
  /// Writes the samples with decode times up to a given time. If the time is `nil`, writes all
  /// samples that are left.
  func write(until time: MediaTime?) throws
  /// Writes what is left and ends the track.
  func finish() throws
}

/// Writes frames that were encoded before.
final class EncodedTrack: InterleavedTrack {
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

  func write(until time: MediaTime?) throws {
    // Stop at the time that the other tracks have reached, because the order of samples in the file
    // must not depend on which thread is faster.
    while let sample = next, time.map({ sample.decodeTimeStamp <= $0 }) ?? true {
      try output.write(sample)
      next = try takeSample()
    }
  }

  func finish() throws {
    try write(until: nil)
    var boxes = boxes
    if let measured = video.contentLightLevel { boxes.hdrMetadata.state(measured) }
    try output.end(boxes)
  }
}

/// Copies the video of another file.
final class ReplacingTrack: InterleavedTrack {
  private let reading: AssetReading
  private let boxes: TrackBoxes
  private let output: TrackWriter
  private var stage: CopyingStage
  private var next: Packet?

  /// Begins the track.
  init(
    _ reading: AssetReading, _ boxes: TrackBoxes, to output: TrackWriter,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    (self.reading, self.boxes, self.output) = (reading, boxes, output)
    stage = CopyingStage(
      reading.tracks[0].track.demuxed, boxes: boxes, checkpoint: checkpoint)
    try stage.open(output)
    next = try Self.read(reading)
  }

  private static func read(_ reading: AssetReading) throws -> Packet? {
    do {
      guard case .packet(let sample)? = try reading.next()?.sample else { return nil }
      return sample.packet
    } catch {
      // Name this file in the error, because the session would otherwise name its own input.
      throw TranscodingError.meaning(of: error, input: reading.asset.path)
    }
  }

  func write(until time: MediaTime?) throws {
    while let packet = next,
      time.map({ (packet.decodeTimeStamp ?? packet.presentationTimeStamp ?? .zero) <= $0 }) ?? true
    {
      try stage.append(packet, to: output)
      next = try Self.read(reading)
    }
  }

  func finish() throws {
    try write(until: nil)
    let tally = reading.tracks[0].tally
    try tally.addUnreadableSamples(stage.damagedCount)
    try tally.refuseMajority(of: reading.asset.path)
    if let error = reading.changeError { throw error }
    try output.end(boxes)
  }
}
