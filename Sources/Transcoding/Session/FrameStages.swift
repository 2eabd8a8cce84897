// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Host
internal import MediaCore
package import Planning

/// The stages between decoder and encoder, in order, each on its own thread.
package struct FrameStages: Sendable {
  private var stages: [(name: String, run: FrameStage)] = []
  private var shapers: Exclusive<[any FrameShaper]>?

  /// Makes no stages, so that frames reach the encoder unchanged.
  init() {}

  /// Makes the stages that carry out a plan.
  package init(_ plan: VideoPlan) throws {
    if let shapers = plan.shape?.makeShapers(), !shapers.isEmpty {
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

  /// Starts the stages, each reading what the one before it writes.
  ///
  /// - Returns: the queue that the last stage fills.
  package func start(in pipeline: Pipeline, from decoded: FrameQueue) -> FrameQueue {
    var frames = decoded
    for (name, stage) in stages {
      let (from, to) = (frames, pipeline.queue(of: VideoFrame.self, capacity: 4))
      pipeline.start(name) { try stage(from, to) }
      frames = to
    }
    return frames
  }

  /// What the stages noticed about the frames; complete once the stages have ended.
  var notices: [Notice] { shapers?.use { $0.notices } ?? [] }
}
