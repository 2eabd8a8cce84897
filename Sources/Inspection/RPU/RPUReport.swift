// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import MediaCore

/// A report on the Dolby Vision RPUs of a file, as data and as text.
///
/// Encoded with the properties' names as keys.
package struct RPUReport: Sendable, Encodable {
  /// The path of the file that was read.
  package let path: String
  /// The number of frames in the file.
  package let frameCount: Int
  /// The number of frames with an RPU.
  package let rpuCount: Int
  /// The requested frames, in presentation order.
  package let frames: [RPUFrameReport]

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
        .invalidSettings, "frame \(frame): \(path) has the frames 0 to \(units.count - 1)",
        code: .noSuchFrame,
        arguments: ["frame": "\(frame)", "last": "\(units.count - 1)", "path": path])
    }
    frameCount = units.count
    rpuCount = units.count { $0.rpu != nil }
    frames = (frame.map { $0..<$0 + 1 } ?? all).map { index in
      RPUFrameReport(frame: index, time: units[index].time?.seconds, units[index].rpu)
    }
  }

  private static func units(
    _ path: String, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [(time: MediaTime?, rpu: DolbyVisionRPU?)] {
    try TranscodingError.refuseUnusable(input: path)
    // A file of RPUs has no container, so libavformat would not know it.
    if try RPUFile.isOne(path) { return try RPUFile.read(path).map { (nil, $0) } }
    return try RPUFile.frames(of: path, checkpoint).map { ($0.time, $0.rpu) }
  }

  /// The report as text: one frame with all its blocks, or a line for each frame.
  package var text: String {
    var lines = ["\(path): \(frameCount.counted("frame")), \(rpuCount) with an RPU"]
    if frameCount != 1, frames.count == 1, let frame = frames.first {
      lines += Self.details(frame)
    } else {
      if let first = frames.first { lines += Self.details(first, showsBlocks: false) }
      lines.append("  frame      time      level 1 min   avg   max   in cd/m²")
      lines += frames.map(Self.line)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the lines about a whole frame.
  private static func details(_ frame: RPUFrameReport, showsBlocks: Bool = true) -> [String] {
    if let error = frame.error { return ["  frame \(frame.frame): \(error)"] }
    var head = "  frame \(frame.frame): profile \(frame.profile.map(String.init) ?? "unknown")"
    if let version = frame.contentMapping { head += ", \(version)" }
    if let source = frame.sourcePQ { head += ", source PQ \(source[0])…\(source[1])" }
    head += ", levels \(frame.levels.map(String.init).joined(separator: " "))"
    return [head] + (showsBlocks ? frame.blocks.map { "    \($0)" } : [])
      + frame.issues.map { "    NOT VALID  \($0)" }
  }

  private static func line(_ frame: RPUFrameReport) -> String {
    let time = frame.time.map { "\($0.text(decimals: 3, width: 10)) s" } ?? "           –"
    let head = column(frame.frame, 7) + time
    guard frame.error == nil else { return "\(head)  \(frame.error ?? "")" }
    guard let level = frame.level1 else { return "\(head)  no level 1" }
    let codes = column(level.minPQ, 16) + column(level.avgPQ, 6) + column(level.maxPQ, 6)
    let light =
      "   \(level.minLuminance.text(decimals: 4)) \(level.avgLuminance.text(decimals: 2)) "
      + level.maxLuminance.text(decimals: 1)
    return head + codes + light + (frame.isSceneRefresh == true ? "  scene" : "")
  }

  private static func column(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: " ", count: max(width - text.count, 0)) + text
  }
}
