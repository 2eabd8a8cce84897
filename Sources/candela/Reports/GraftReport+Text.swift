// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Grafting
internal import MediaCore

extension GraftReport {
  /// The report as text.
  var text: String {
    var lines = [
      "\(source) → \(encoded): \(frames.count) of \(sourceFrameCount.counted("frame")), paired by "
        + (way == "times" ? "their times" : "their order")
    ]
    lines.append("  gets       \(metadata.joined(separator: ", "))")
    if !replaced.isEmpty { lines.append("  replaced   \(replaced.joined(separator: ", "))") }
    if !left.isEmpty { lines.append("  left out   \(left.joined(separator: ", "))") }
    if let part {
      lines.append("  part       \(part.size) at \(part.x), \(part.y) of the source's frames")
    }
    lines += frames.map { "  \($0.text)" }
    return lines.joined(separator: "\n")
  }
}

extension GraftReport.Frame {
  fileprivate var text: String {
    "\(number) (\(time.text(decimals: 3)) s) ← \(sourceNumber) (\(sourceTime.text(decimals: 3)) s)"
      + (metadata.isEmpty ? "" : ": \(metadata.joined(separator: ", "))")
  }
}
