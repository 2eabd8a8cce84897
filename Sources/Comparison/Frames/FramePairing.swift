// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore
internal import Synchronization
internal import Transcoding

/// Decodes two tracks side by side and finds the frames that are presented at the same time.
struct FramePairing: Sendable {
  let source: (asset: MediaAsset, track: AssetTrack)
  let output: (asset: MediaAsset, track: AssetTrack)
  /// Number of pairs of frames from one that is measured to the next, from 1.
  let interval: Int

  /// Compares the frames.
  ///
  /// - Throws: where a file cannot be read; `CancellationError` when the task was cancelled.
  func run() async throws -> FrameComparison {
    let pipeline = Pipeline()
    let queues = (
      pipeline.queue(of: TimedFrame.self, capacity: 6),
      pipeline.queue(of: TimedFrame.self, capacity: 6)
    )
    let result = Mutex(FrameComparison())
    pipeline.start("source") { try Self.read(source, into: queues.0) }
    pipeline.start("output") { try Self.read(output, into: queues.1) }
    pipeline.start("compare") {
      let found = try compare(queues.0, queues.1)
      result.withLock { $0 = found }
    }
    try await pipeline.finish()
    return result.withLock { $0 }
  }

  private typealias Queue = BoundedQueue<TimedFrame>

  private static func read(
    _ file: (asset: MediaAsset, track: AssetTrack), into queue: Queue
  ) throws {
    do {
      let output = try AssetReaderTrackOutput(track: file.track, decodes: true)
      let reader = try AssetReader(asset: file.asset, outputs: [output])
      while let (_, sample) = try reader.copyNextSample() {
        guard case .frame(let frame) = sample,
          let timed = TimedFrame(frame, file.track.timeline)
        else { continue }
        try queue.push(timed)
      }
      queue.finish()
    } catch {
      throw TranscodingError.meaning(of: error, input: file.asset.path)
    }
  }

  private func compare(_ source: Queue, _ output: Queue) throws -> FrameComparison {
    let meter = FrameMeter(self.source.track, self.output.track)
    var result = FrameComparison()
    var (one, other) = (try source.pop(), try output.pop())
    while let first = one {
      guard let second = other else {
        result.sourceCount += 1
        result.missingCount += 1
        one = try source.pop()
        continue
      }
      if first.corresponds(to: second) {
        result.times.add(source: first.start, output: second.start)
        if (result.times.count - 1) % interval == 0 {
          try meter.measure(first, second, number: result.sourceCount)
        }
        result.sourceCount += 1
        result.outputCount += 1
        (one, other) = (try source.pop(), try output.pop())
      } else if first.start < second.start {
        result.sourceCount += 1
        result.missingCount += 1
        one = try source.pop()
      } else {
        result.outputCount += 1
        result.addedCount += 1
        other = try output.pop()
      }
    }
    while other != nil {
      result.outputCount += 1
      result.addedCount += 1
      other = try output.pop()
    }
    meter.complete(&result)
    return result
  }
}
