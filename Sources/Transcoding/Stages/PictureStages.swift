// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore

extension VideoPlan {
  /// Stages between decoder and encoder, in order, each on a thread of its own.
  func makeStages() throws -> [(name: String, run: PictureStage)] {
    var stages: [(name: String, run: PictureStage)] = []
    if let shapers = shape?.makeShapers() {
      let shapers = Exclusive(shapers)
      stages.append(("shape", { from, to in try shapers.use { try $0.run(from, to) } }))
    }
    if let composition {
      stages.append(("compose", CompositionStage(composition).run))
    }
    if let conversion = try encoding?.makeConversion() {
      let conversion = Exclusive(conversion)
      stages.append(("convert", { from, to in try conversion.use { try $0.run(from, to) } }))
    }
    return stages
  }
}

extension Pipeline {
  /// Starts these stages one behind the other.
  ///
  /// - Returns: the queue that the last one fills.
  func start(
    _ stages: [(name: String, run: PictureStage)], from decoded: FrameQueue
  ) -> FrameQueue {
    var frames = decoded
    for (name, stage) in stages {
      let (from, to) = (frames, queue(of: VideoFrame.self, capacity: 4))
      start(name) { try stage(from, to) }
      frames = to
    }
    return frames
  }
}
