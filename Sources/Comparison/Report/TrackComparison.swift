// SPDX-License-Identifier: GPL-2.0-or-later

/// Comparison of a track with its source.
package struct TrackComparison: Sendable, Encodable {
  /// The track's number in the source; nil for a track that is new.
  package let source: Int?
  /// The track's number in the output; nil for a track that is lost.
  package let output: Int?
  /// Kind of the track: `video`, `audio`, `artwork`, or the sample entry or codec of another.
  package let kind: String
  /// Findings about what the track states and has, key by key.
  package internal(set) var findings: [Finding]
  /// Differences of presentation times of samples that have the same bytes; nil for others, and for
  /// video, whose frames have it.
  package internal(set) var times: TimeComparison?
  /// The audio; nil for other tracks.
  package internal(set) var audio: AudioComparison?
  /// The frames of the first video track; nil for other tracks.
  package internal(set) var frames: FrameComparison?

  /// A track that one of the files lacks.
  init(source: Int?, output: Int?, kind: String, findings: [Finding]) {
    (self.source, self.output, self.kind, self.findings) = (source, output, kind, findings)
  }

  /// Lines about the track, for people.
  var lines: [String] {
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
  /// Lines about the findings, for people: one for all that was kept, and one for each other.
  var lines: [String] {
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
  /// Text of the finding, for people: the thing, and its state in the output.
  var text: String {
    let what = name.map { "\(code) \($0)" } ?? code
    switch state {
    case .kept: return what
    case .changed: return "\(what): \(source ?? "unstated") → \(output ?? "unstated")"
    case .new: return "\(what): \(output ?? "")"
    case .lost: return "\(what): \(source ?? "")" + (output.map { " → \($0)" } ?? "")
    }
  }

  private static let words: [State: String] = [
    .kept: "kept   ", .changed: "changed", .lost: "LOST   ", .new: "new    ",
  ]

  fileprivate var line: String {
    "  \(Self.words[state] ?? "")    \(text)" + (notice.map { " (named: \($0))" } ?? "")
  }
}
