// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV

/// The frames that a track presents and the samples needed to decode them. Both come from tables or
/// packets, and nothing is decoded.
package struct FrameTable: Sendable {
  /// Start times of the presented frames, in presentation order, in ticks of the media.
  package let starts: [Int64]
  private let index: SampleIndex
  /// All samples that give a frame, in presentation order.
  private let order: [Int]
  /// The indices in `order` of the presented frames.
  private let places: [Int]
  /// The samples that the file marks as sync samples.
  private let syncSamples: [Int]

  /// - Throws: ``SegmentObstacle`` if it is uncertain which frames a decoder will give;
  ///   ``TranscodingError`` if the file cannot be read.
  package init(of track: AssetTrack, checkpoint: Pipeline.Checkpoint) throws {
    // Segments count frames, so each worker must get the same frames. That is certain only if
    // packets are frames with presentation times, no fragment's times need correction, and the
    // first sample is a clean start.
    guard FramePackets(track.demuxed) != nil,
      try FragmentClock.clocks(path: track.path)[track.demuxed.id] == nil,
      let index = try SampleIndex(track, checkpoint: checkpoint), !index.isOfDecoding,
      index.isSync.first == true
    else { throw SegmentObstacle.unknownFrames }
    let hidden = try Self.undecodable(in: track, of: index)
    let order = index.order.filter { !hidden.contains($0) && index.isFrame?[$0] ?? true }
    let syncSamples = index.syncSamples
    func rise(_ samples: [Int]) -> Bool {
      zip(samples, samples.dropFirst()).allSatisfy { index.times[$0] < index.times[$1] }
    }
    // All times must be different, and times of sync samples must rise. Then frames that are
    // decoded before a sync sample are also presented before it, and a segment can begin there.
    guard rise(order), rise(syncSamples) else { throw SegmentObstacle.unknownFrames }
    (self.index, self.order, self.syncSamples) = (index, order, syncSamples)
    places = index.places(in: order, presentedBy: track.timeline)
    starts = places.map { index.times[order[$0]] }
  }

  /// Of the samples before the second sync sample, returns those that give no frame: samples
  /// without a new frame that is shown, and samples that refer to something before the beginning.
  private static func undecodable(in track: AssetTrack, of index: SampleIndex) throws -> Set<Int> {
    guard var framePackets = FramePackets(track.demuxed) else { return [] }
    // Only the order of packets matters here, so fragments need no probing either.
    var samples = try DemuxedPackets(
      path: track.path, of: [track.demuxed.index], probing: track.box == nil)
    var hidden: Set<Int> = []
    var number = 0
    while let packet = try samples.next(), number == 0 || !packet.isSync {
      guard !packet.isEmpty, index.times.indices.contains(number) else { continue }
      let isShown = framePackets.holdsFrame(packet, number: number + 1, isFirst: number == 0)
      if !isShown || index.undecodable.contains(number) { hidden.insert(number) }
      number += 1
    }
    return hidden
  }

  /// Returns the spans of samples from which the given frames can be decoded, the shortest first.
  ///
  /// - Parameter most: the maximum number of samples that may be decoded before the first frame.
  package func spans(ofFrames frames: Range<Int>, most: Int) -> [SampleSpan] {
    let needed = places[frames].map { order[$0] }
    guard let first = needed.first, let last = places[frames].last else { return [] }
    // The last requested frame ends where the next frame begins, so decode the next frame, too.
    let following = [last + 1, frames.upperBound < places.count ? places[frames.upperBound] : nil]
    let next = following.compactMap { $0 }.filter { $0 < order.count }.map { order[$0] }.max()
    var sync = syncSamples
    var spans: [SampleSpan] = []
    // The file may mark samples wrongly as sync samples, so return a few earlier starts as well.
    while spans.count < 4, let span = index.span(of: needed, before: next, from: sync),
      first - span.samples.lowerBound <= most
    {
      spans.append(span)
      guard span.samples.lowerBound > 0 else { break }
      sync = sync.filter { $0 < span.samples.lowerBound }
    }
    return spans
  }
}

/// Why frames cannot be encoded in several segments.
package enum SegmentObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// To know which frames there are, the whole file would have to be decoded.
  case unknownFrames
  /// The source is cut off, or lacks samples that it lists.
  case damagedSource
  /// An average bit rate is spread over the whole file.
  case averageBitRate
  /// An encoder option needs the whole file, or makes the encoder's output differ from run to run.
  case encoderOption(String)
  /// One of the steps that come before encoding looks at neighboring frames.
  case shape(String)
  /// Two segments would be too short.
  case fewFrames
  /// Decoding can begin only far from the places where segments would begin.
  case fewSyncSamples

  /// What in the source or the settings is the obstacle, as text.
  package var description: String {
    switch self {
    case .unknownFrames: "the source does not state the times of its frames"
    case .damagedSource: "the source is damaged"
    case .averageBitRate: "an average bit rate needs the whole file"
    case .encoderOption(let name): "the encoder's option '\(name)' needs the whole file"
    case .shape(let key): "\(key) also needs the frames before and after a segment"
    case .fewFrames: "there are too few frames for two segments"
    case .fewSyncSamples: "decoding cannot begin near any place where the file would be cut"
    }
  }
}
