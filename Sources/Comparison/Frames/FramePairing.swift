// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import ISOBMFF
internal import MediaCore
internal import Reading
internal import Synchronization

/// Decodes two tracks side by side and pairs the frames that are presented at the same time.
struct FramePairing: Sendable {
  let source: (asset: MediaAsset, track: AssetTrack)
  let output: (asset: MediaAsset, track: AssetTrack)
  /// How many pairs there are from one measured pair to the next, 1 or more.
  let interval: Int
  /// Whether the first frames form a pair even if one file begins up to 0.1 s later than the other.
  /// If the source is a fragmented movie, the difference may be larger.
  let alignsStarts: Bool

  /// The comparison of the frames. It is empty before ``compared()``.
  private(set) var comparison = FrameComparison()
  /// When the last frame of each file begins, or `nil` if the track has no frames.
  private(set) var lastSource: MediaTime?
  private(set) var lastOutput: MediaTime?
  /// How much later the output begins than the source. The time is negative if the output begins
  /// earlier.
  private(set) var shift = MediaTime.zero
  /// When the source's last frame ends.
  private var sourceEnd = MediaTime.zero

  init(
    source: (asset: MediaAsset, track: AssetTrack), output: (asset: MediaAsset, track: AssetTrack),
    interval: Int, alignsStarts: Bool
  ) {
    (self.source, self.output) = (source, output)
    (self.interval, self.alignsStarts) = (interval, alignsStarts)
  }

  /// Pairs all frames, and measures one of every ``interval`` pairs.
  ///
  /// - Returns: the pairing with the results.
  /// - Throws: an error if a file cannot be read; `CancellationError` when the task was cancelled.
  func compared() async throws -> FramePairing {
    let pipeline = Pipeline()
    let queues = (
      // Frames are large. A few in each queue keep both decoders busy.
      pipeline.queue(of: TimedFrame.self, capacity: 6),
      pipeline.queue(of: TimedFrame.self, capacity: 6)
    )
    let result = Mutex(self)
    let damage = Mutex((source: 0, output: 0))
    pipeline.start("source") {
      let count = try Self.read(source, into: queues.0)
      damage.withLock { $0.source = count }
    }
    pipeline.start("output") {
      let count = try Self.read(output, into: queues.1)
      damage.withLock { $0.output = count }
    }
    pipeline.start("compare") {
      var pairing = self
      try pairing.compare(queues.0, queues.1)
      result.withLock { [pairing] in $0 = pairing }
    }
    try await pipeline.finish()
    let counts = damage.withLock { $0 }
    return result.withLock { result in
      result.comparison.sourceDamagedCount = counts.source
      result.comparison.outputDamagedCount = counts.output
      return result
    }
  }

  private typealias Queue = BoundedQueue<TimedFrame>

  /// - Returns: how many places are damaged.
  private static func read(
    _ file: (asset: MediaAsset, track: AssetTrack), into queue: Queue
  ) throws -> Int {
    do {
      try file.track.refuseUndecodable()
      let output = try TrackReading(track: file.track, decodes: true)
      let reader = try AssetReading(file.asset, for: [output])
      while let (_, sample) = try reader.next() {
        guard case .frame(let frame) = sample,
          let timed = TimedFrame(frame, file.track.timeline)
        else { continue }
        try queue.push(timed)
      }
      // Only a complete reading ends the queue. After an error, the pipeline cancels it instead.
      queue.finish()
      return output.tally.damagedCount
    } catch {
      throw TranscodingError.meaning(of: error, input: file.asset.path)
    }
  }

  /// Returns how much later the output begins than the source. The time is negative if the output
  /// begins earlier.
  private func delay(_ one: TimedFrame?, _ other: TimedFrame?) -> MediaTime {
    guard let one, let other else { return .zero }
    let shift = other.start - one.start
    // A fragmented movie may begin at any time. Matroska has no edit list to keep that time, so any
    // shift is allowed.
    if source.asset.movie?.isFragmented == true { return shift }
    // Matroska starts all tracks later to make room for the priming of audio, which is shorter than
    // 0.1 s. A larger shift means that frames are missing.
    let limit = MediaTime(value: 1, timescale: 10)
    return shift <= limit && .zero - limit <= shift ? shift : .zero
  }

  private mutating func compare(_ source: Queue, _ output: Queue) throws {
    let meter = FrameMeter(self.source.track, self.output.track)
    var (one, other) = (try source.pop(), try output.pop())
    shift = alignsStarts ? delay(one, other) : .zero
    while one != nil || other != nil {
      let isPair = one.flatMap { one in other.map { one.corresponds(to: $0, shift) } } ?? false
      if isPair, let one, let other {
        comparison.times.add(source: one.start, output: other.start)
        if (comparison.times.count - 1) % interval == 0 {
          try meter.measure(one, other, number: comparison.sourceCount)
        }
      }
      let isSource = one.map { one in other.map { one.start < $0.start - shift } ?? true } ?? false
      let (first, second) = (isPair || isSource ? one : nil, isPair || !isSource ? other : nil)
      count(first, second, isAtEnd: one == nil)
      if first != nil { one = try source.pop() }
      if second != nil { other = try output.pop() }
    }
    meter.complete(&comparison)
  }

  /// Counts a pair, or a frame without a partner.
  ///
  /// - Parameter isAtEnd: whether the source has no more frames.
  private mutating func count(
    _ source: TimedFrame?, _ output: TimedFrame?, isAtEnd: Bool
  ) {
    if let source {
      comparison.sourceCount += 1
      if output == nil { comparison.missingCount += 1 }
      lastSource = source.start
      sourceEnd = source.start + source.frame.duration
    }
    if let output {
      comparison.outputCount += 1
      if source == nil { comparison.addedCount += 1 }
      if isAtEnd, output.start >= sourceEnd { comparison.addedAtEndCount += 1 }
      lastOutput = output.start
    }
  }
}
