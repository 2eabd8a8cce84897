// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The frames that a track presents, and where their decoding can begin, as its tables list them or
/// its packets state them: nothing is decoded.
struct FrameTable: Sendable {
  /// A sample, in the order of decoding.
  struct Sample: Sendable {
    /// When it is presented, in ticks of the track's media.
    let time: Int64
    /// When it is decoded, in the same ticks.
    let decodeTime: Int64
    /// Where its data begins in the file; nil where the demuxer does not tell.
    let position: UInt64?
    /// True if the container says that decoding can start here.
    let isSync: Bool
  }

  /// When each frame begins that is presented, in the order of presentation, in ticks of the
  /// track's media.
  let starts: [Int64]
  /// The samples of these frames and of all others.
  private let samples: [Sample]
  /// The index of each frame's sample.
  private let sampleOfFrame: [Int]
  /// The indices of the sync samples.
  private let syncSamples: [Int]

  /// - Throws: ``SegmentObstacle`` where the frames that a decoder will give are not certain;
  ///   ``TranscodingError`` where the file cannot be read.
  init(of track: AssetTrack) throws {
    let samples = try Self.samples(of: track)
    guard let first = samples.first, first.isSync, PicturePackets(track.demuxed) != nil else {
      throw SegmentObstacle.unknownFrames
    }
    let hidden = try Self.undecodable(in: track, of: samples)
    let order = samples.indices.filter { !hidden.contains($0) }
      .sorted { samples[$0].time < samples[$1].time }
    let times = order.map { samples[$0].time }
    let syncSamples = samples.indices.filter { samples[$0].isSync }
    // Frames before a sync sample in the order of decoding are also presented before it.
    let areInOrder = zip(syncSamples, syncSamples.dropFirst()).allSatisfy {
      samples[$0].time < samples[$1].time
    }
    guard areInOrder, zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw SegmentObstacle.unknownFrames
    }
    let scale = track.demuxed.timescale
    let last = max(track.usualFrameDuration.converted(to: scale).value, 1)
    let ends = times.dropFirst() + [(times.last ?? 0) &+ last]
    let shown = zip(order, zip(times, ends)).filter { _, frame in
      track.timeline.presents(
        from: MediaTime(value: frame.0, timescale: scale),
        to: MediaTime(value: frame.1, timescale: scale))
    }
    (self.samples, self.syncSamples) = (samples, syncSamples)
    starts = shown.map(\.1.0)
    sampleOfFrame = shown.map(\.0)
  }

  /// The samples by a movie's tables, or of other files by their packets.
  private static func samples(of track: AssetTrack) throws -> [Sample] {
    let isListed = track.demuxed.sampleCount > 0
    if let box = track.box, isListed, let times = SampleTimes(box) {
      let index = try Demuxer(path: track.path, probing: false).index(
        ofTrack: track.demuxed.index)
      guard index.count == times.timesInDecodingOrder.count else {
        throw SegmentObstacle.unknownFrames
      }
      return zip(index, times.timesInDecodingOrder).map { entry, time in
        Sample(
          time: time, decodeTime: entry.decodeTime.value, position: entry.position,
          isSync: entry.isSync)
      }
    }
    guard try FragmentClock.clocks(path: track.path)[track.demuxed.id] == nil else {
      throw SegmentObstacle.unknownFrames
    }
    return try packets(of: track)
  }

  private static func packets(of track: AssetTrack) throws -> [Sample] {
    let demuxer = try Demuxer(path: track.path)
    for other in demuxer.tracks where other.index != track.demuxed.index {
      demuxer.discard(trackIndex: other.index)
    }
    var samples: [Sample] = []
    while let packet = try demuxer.readPacket() {
      try Task.checkCancellation()
      guard packet.trackIndex == track.demuxed.index else { continue }
      guard !packet.isEmpty, !packet.isCorrupt, let time = packet.presentationTime else {
        throw SegmentObstacle.unknownFrames
      }
      samples.append(
        Sample(
          time: time.value, decodeTime: (packet.decodeTime ?? time).value,
          position: packet.filePosition, isSync: packet.isSync))
    }
    return samples
  }

  /// The samples up to the second sync sample that give no frame, because they refer to what is
  /// before the beginning.
  private static func undecodable(
    in track: AssetTrack, of samples: [Sample]
  ) throws -> Set<Int> {
    guard var packets = PicturePackets(track.demuxed), let first = samples.first else { return [] }
    let demuxer = try Demuxer(path: track.path, probing: track.box == nil)
    for other in demuxer.tracks where other.index != track.demuxed.index {
      demuxer.discard(trackIndex: other.index)
    }
    var hidden: Set<Int> = []
    var number = 0
    while let packet = try demuxer.readPacket(), number == 0 || !packet.isSync {
      guard packet.trackIndex == track.demuxed.index, samples.indices.contains(number) else {
        continue
      }
      let isShown = packets.holdPicture(packet, number: number + 1, isFirst: number == 0)
      if !isShown || samples[number].time < first.time { hidden.insert(number) }
      number += 1
    }
    return hidden
  }

  /// Where decoding can begin for a frame, the nearest place first.
  ///
  /// - Parameter most: how many samples may be decoded at most before it.
  func decodingStarts(ofFrame frame: Int, most: Int) -> [DecodingStart] {
    let sample = sampleOfFrame[frame]
    let places = syncSamples.prefix { $0 <= sample }.suffix(4).reversed().filter {
      samples[$0].time <= starts[frame] && sample - $0 <= most
    }
    return places.map { place in
      let sync = samples[place]
      return DecodingStart(
        time: sync.time, decodeTime: sync.decodeTime, position: sync.position)
    }
  }
}

/// What keeps frames from being encoded in several segments.
package enum SegmentObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// Without decoding the whole, nobody knows which frames there are.
  case unknownFrames
  /// The source is cut off, or does not hold all that it lists.
  case damagedSource
  /// An average bit rate is shared out over the whole.
  case averageBitRate
  /// An option of the encoder looks at the whole, or makes its samples others from run to run.
  case encoderOption(String)
  /// A step before the encoder looks at frames before and after.
  case shape(String)

  /// The obstacle for people: what of the source or of the settings it is.
  package var description: String {
    switch self {
    case .unknownFrames: "the source does not state the times of its frames"
    case .damagedSource: "the source is damaged"
    case .averageBitRate: "an average bit rate needs the whole"
    case .encoderOption(let name): "the encoder's option '\(name)' needs the whole"
    case .shape(let key): "\(key) looks at frames before and after"
    }
  }
}
