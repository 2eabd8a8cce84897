// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Host
internal import MediaCore
package import Planning

/// Stages between decoder and encoder, in order, each on a thread of its own.
package struct PictureStages: Sendable {
  private var stages: [(name: String, run: PictureStage)] = []
  private var shapers: Exclusive<FrameShapers>?

  /// No stages: frames go on as they are.
  init() {}

  /// Stages that carry a plan out.
  package init(_ plan: VideoPlan) throws {
    if let shapers = plan.shape?.makeShapers() {
      let shapers = Exclusive(shapers)
      self.shapers = shapers
      stages.append(("shape", { from, to in try shapers.use { try $0.run(from, to) } }))
    }
    if let composition = plan.composition {
      stages.append(("compose", CompositionStage(composition).run))
    }
    if let conversion = try plan.encoding?.makeConversion() {
      let conversion = Exclusive(conversion)
      stages.append(("convert", { from, to in try conversion.use { try $0.run(from, to) } }))
    }
  }

  /// Starts the stages one behind the other.
  ///
  /// - Returns: the queue that the last one fills.
  package func start(in pipeline: Pipeline, from decoded: FrameQueue) -> FrameQueue {
    var frames = decoded
    for (name, stage) in stages {
      let (from, to) = (frames, pipeline.queue(of: VideoFrame.self, capacity: 4))
      pipeline.start(name) { try stage(from, to) }
      frames = to
    }
    return frames
  }

  /// Notices about what came up with the frames, once the stages have ended.
  var notices: [Notice] { shapers?.use { $0.notices } ?? [] }
}
