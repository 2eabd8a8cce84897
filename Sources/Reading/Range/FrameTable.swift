// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV

/// The frames that a track presents, and the samples that decoding them needs, as its tables list
/// them or its packets state them: nothing is decoded.
package struct FrameTable: Sendable {
  /// Start times of the frames that are presented, in the order of presentation, in ticks of the
  /// track's media.
  package let starts: [Int64]
  private let index: SampleIndex
  /// All samples that give a frame, in the order of presentation.
  private let order: [Int]
  /// The places in it of the frames that are presented.
  private let places: [Int]
  /// The samples at which decoding can start by what the file says.
  private let syncSamples: [Int]

  /// - Throws: ``SegmentObstacle`` where the frames that a decoder will give are not certain;
  ///   ``TranscodingError`` where the file cannot be read.
  package init(of track: AssetTrack, checkpoint: Pipeline.Checkpoint) throws {
    guard PicturePackets(track.demuxed) != nil,
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
    // Frames before a sync sample in the order of decoding are also presented before it.
    guard rise(order), rise(syncSamples) else { throw SegmentObstacle.unknownFrames }
    (self.index, self.order, self.syncSamples) = (index, order, syncSamples)
    places = index.places(in: order, presentedBy: track.timeline)
    starts = places.map { index.times[order[$0]] }
  }

  /// The samples up to the second sync sample that give no frame, because they refer to what is
  /// before the beginning.
  private static func undecodable(in track: AssetTrack, of index: SampleIndex) throws -> Set<Int> {
    guard var pictures = PicturePackets(track.demuxed) else { return [] }
    var samples = try DemuxedPackets(
      path: track.path, of: [track.demuxed.index], probing: track.box == nil)
    var hidden: Set<Int> = []
    var number = 0
    while let packet = try samples.next(), number == 0 || !packet.isSync {
      guard !packet.isEmpty, index.times.indices.contains(number) else { continue }
      let isShown = pictures.holdPicture(packet, number: number + 1, isFirst: number == 0)
      if !isShown || index.undecodable.contains(number) { hidden.insert(number) }
      number += 1
    }
    return hidden
  }

  /// The samples that some frames need, and the frame behind them, which tells how long the last
  /// lasts. There are several answers, since not every sync sample may be what the file says: that
  /// with the fewest samples comes first.
  ///
  /// - Parameter most: largest number of samples that may be decoded before the first frame.
  package func spans(ofFrames frames: Range<Int>, most: Int) -> [SampleSpan] {
    let needed = places[frames].map { order[$0] }
    guard let first = needed.first, let last = places[frames].last else { return [] }
    let following = [last + 1, frames.upperBound < places.count ? places[frames.upperBound] : nil]
    let next = following.compactMap { $0 }.filter { $0 < order.count }.map { order[$0] }.max()
    var sync = syncSamples
    var spans: [SampleSpan] = []
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

/// Reasons that frames cannot be encoded in several segments.
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
