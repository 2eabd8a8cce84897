// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import Host
internal import MediaCore

/// A report on the Dolby Vision RPUs of a file.
///
/// In JSON, the keys are the properties' names.
package struct RPUReport: Sendable {
  /// The path of the file that was read.
  package let path: String
  /// The number of frames in the file.
  package let frameCount: Int
  /// The number of frames with an RPU.
  package let rpuCount: Int
  /// The requested frames, in presentation order.
  package let frames: JSONList<RPUFrameReport>

  /// Reads a video file or a file of RPUs.
  ///
  /// - Parameter frame: the one frame to report, counted from 0, or `nil` for all.
  /// - Throws: ``TranscodingError``: `invalidSettings` if there is no such frame, `unusableInput`
  ///   if there are no RPUs; `CancellationError` when the task was cancelled.
  package static func load(path: String, frame: Int? = nil) async throws -> RPUReport {
    try await Pipeline.onThread("rpu") { checkpoint in
      try RPUReport(path: path, frame: frame, checkpoint)
    }
  }

  init(path: String, frame: Int? = nil, _ checkpoint: @escaping Pipeline.Checkpoint) throws {
    self.path = path
    let units = try Self.units(path, checkpoint)
    let all = units.indices
    if let frame, !all.contains(frame) {
      throw TranscodingError(
        .invalidSettings, "frame \(frame): \(path) has frames 0 to \(units.count - 1)",
        code: .noSuchFrame,
        arguments: ["frame": "\(frame)", "last": "\(units.count - 1)", "path": path])
    }
    frameCount = units.count
    rpuCount = units.count { $0.metadata.has(DolbyVisionRPU.self) }
    frames = JSONList(frame.map { $0..<$0 + 1 } ?? all) { index in
      let (time, metadata) = units[index]
      return RPUFrameReport(
        frame: index, time: time?.seconds, metadata[DolbyVisionRPU.self])
    }
  }

  private static func units(
    _ path: String, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [(time: MediaTime?, metadata: FrameMetadata)] {
    try TranscodingError.refuseUnusable(input: path)
    // A file of RPUs has no container, so libavformat would not recognize it.
    if try RPUFile.isOne(path) {
      return try RPUFile.read(path).map { payload in
        var metadata = FrameMetadata()
        metadata.set(payload, nil, for: DolbyVisionRPU.key)
        return (nil, metadata)
      }
    }
    return try RPUFile.frames(of: path, completed: false, checkpoint).map {
      ($0.time, $0.metadata)
    }
  }
}
