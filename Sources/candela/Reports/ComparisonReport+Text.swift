// SPDX-License-Identifier: GPL-2.0-or-later
internal import Comparison

extension ComparisonReport {
  /// The report as text.
  var text: String {
    let lost = losses
    let unnamed = lost.filter(\.isUnnamedLoss).count
    let verdict =
      lost.isEmpty
      ? "nothing is lost"
      : unnamed == 0 ? "nothing is lost that the plan did not name" : "lost: \(unnamed)"
    return
      (["\(source) → \(output): \(verdict)"] + findings.lines + tracks.flatMap(\.lines))
      .joined(separator: "\n")
  }
}

extension TrackComparison {
  /// The report's lines about the track.
  fileprivate var lines: [String] {
    let name =
      switch (source, output) {
      case (let source?, let output?): "track \(source) → \(output)"
      case (let source?, nil): "track \(source)"
      default: "track \(output ?? 0) of the output"
      }
    var lines = ["\(name): \(kind)"] + findings.lines
    if let times, times.count > 0 { lines.append("  times      \(times.text)") }
    if let audio { lines.append("  audio      \(audio.text)") }
    return lines + (frames?.lines ?? [])
  }
}

extension [Finding] {
  /// The report's lines: one for all that was kept, and one for each other finding.
  fileprivate var lines: [String] {
    let kept = filter { $0.state == .kept }.map(\.code)
    var counts: [(code: String, count: Int)] = []
    for code in kept {
      if counts.last?.code == code {
        counts[counts.count - 1].count += 1
      } else {
        counts.append((code, 1))
      }
    }
    let names = counts.map { $0.count > 1 ? "\($0.code) (\($0.count))" : $0.code }
    return (names.isEmpty ? [] : ["  kept       \(names.joined(separator: ", "))"])
      + filter { $0.state != .kept }.map(\.line)
  }
}

extension Finding {
  private static let words: [State: String] = [
    .kept: "kept   ", .changed: "changed", .lost: "LOST   ", .new: "new    ",
  ]

  fileprivate var line: String {
    "  \(Self.words[state] ?? "")    \(text)" + (notice.map { " (named: \($0))" } ?? "")
  }
}

extension FrameComparison {
  fileprivate var lines: [String] {
    let space = { (name: String) in String(repeating: " ", count: max(11 - name.count, 1)) }
    let rows =
      [("frames", countText), ("times", times.text)] + metricTexts
      + reasons.map { ("LEFT OUT", $0) }
    return rows.map { name, text in "  \(name)\(space(name))\(text)" }
  }

  /// The counts as text.
  private var countText: String {
    var text = "\(comparedCount) of \(sourceCount) compared"
    if missingCount > 0 { text += ", \(missingCount) missing" }
    if addedCount > 0 { text += ", \(addedCount) added" }
    if sourceDamagedCount + outputDamagedCount > 0 {
      text += ", damaged: \(sourceDamagedCount) of the source, \(outputDamagedCount) of the output"
    }
    if isScaled { text += ", scaled to the source's size" }
    return isIdentical ? text + ", identical" : text
  }
}

extension TimeComparison {
  /// The comparison as text.
  fileprivate var text: String {
    guard let first, let last, let largest else { return "none" }
    return "differ by \(first.text) at the start, \(last.text) at the end, \(largest.text) at most"
  }
}

extension TimeComparison.Ticks {
  fileprivate var text: String { ticks == 0 ? "0" : "\(ticks)/\(timescale) s" }
}
