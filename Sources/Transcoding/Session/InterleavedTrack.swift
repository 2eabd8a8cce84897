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
final class InterleavedTrack {
  /// A sample's decode time, and a function that writes the sample.
  private typealias Sample = (decodeTime: MediaTime, write: () throws -> Void)

  private let read: () throws -> Sample?
  private let end: () throws -> Void
  private var next: Sample?

  /// - Parameters:
  ///   - read: returns the next sample, or `nil` after the last.
  ///   - end: ends the track.
  private init(read: @escaping () throws -> Sample?, end: @escaping () throws -> Void) throws {
    (self.read, self.end) = (read, end)
    next = try read()
  }

  /// Writes the samples with decode times up to a given time. If the time is `nil`, writes all
  /// samples that are left.
  func write(until time: MediaTime?) throws {
    // Stop at the time that the other tracks have reached, because the order of samples in the file
    // must not depend on which thread is faster.
    while let sample = next, time.map({ sample.decodeTime <= $0 }) ?? true {
      try sample.write()
      next = try read()
    }
  }

  /// Writes what is left and ends the track.
  func finish() throws {
    try write(until: nil)
    try end()
  }
}

extension InterleavedTrack {
  /// Begins a track of frames that were encoded before.
  ///
  /// - Parameter boxes: the track's boxes, without the measured light levels.
  convenience init(
    _ video: EncodedVideo, of plan: EncodingPlan, _ boxes: TrackBoxes, to output: TrackWriter
  ) throws {
    let takeSample = video.makeReader()
    try output.open(.encoded(plan.trackFormat(parameterSets: video.parameterSets)))
    func read() throws -> Sample? {
      guard let sample = try takeSample() else { return nil }
      return (sample.decodeTimeStamp, { try output.write(sample) })
    }
    func end() throws {
      var boxes = boxes
      if let measured = video.contentLightLevel { boxes.hdrMetadata.state(measured) }
      try output.end(boxes)
    }
    try self.init(read: read, end: end)
  }

  /// Begins a copy of another file's video.
  convenience init(
    copying reading: AssetReading, _ boxes: TrackBoxes, to output: TrackWriter,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    var stage = CopyingStage(
      reading.tracks[0].track.demuxed, boxes: boxes, checkpoint: checkpoint)
    try stage.open(output)
    func read() throws -> Sample? {
      guard let packet = try reading.nextPacket() else { return nil }
      let time = packet.decodeTimeStamp ?? packet.presentationTimeStamp ?? .zero
      return (time, { try stage.append(packet, to: output) })
    }
    func end() throws {
      let tally = reading.tracks[0].tally
      try tally.addUnreadableSamples(stage.damagedCount)
      try tally.refuseMajority(of: reading.asset.path)
      if let error = reading.changeError { throw error }
      try output.end(boxes)
    }
    try self.init(read: read, end: end)
  }
}

extension AssetReading {
  fileprivate func nextPacket() throws -> Packet? {
    do {
      guard case .packet(let sample)? = try next()?.sample else { return nil }
      return sample.packet
    } catch {
      // Name this file in the error, because the session would otherwise name its own input.
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }
}
