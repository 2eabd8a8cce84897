// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Inspection
internal import MediaCore

extension RPUReport {
  /// The report as text: one frame with all its blocks, or a line for each frame.
  var text: String {
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
    return [head] + (showsBlocks ? frame.blocks.map { "    \($0.text)" } : [])
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
