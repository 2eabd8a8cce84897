// SPDX-License-Identifier: GPL-2.0-or-later

/// The comparison of one track with its source.
package struct TrackComparison: Sendable, Encodable {
  /// The track's number in the source, or `nil` if it is new.
  package let source: Int?
  /// The track's number in the output, or `nil` if it is lost.
  package let output: Int?
  /// The kind of track: `video`, `audio`, `artwork`, or the sample entry or codec.
  package let kind: String
  /// Findings about the track, key by key.
  package internal(set) var findings: [Finding]
  /// Differences in presentation times of samples with the same bytes. For video, see ``frames``.
  package internal(set) var times: TimeComparison?
  /// The comparison of the audio, if it is an audio track.
  package internal(set) var audio: AudioComparison?
  /// The comparison of the frames, for the first video track.
  package internal(set) var frames: FrameComparison?

  /// Creates a comparison without samples.
  init(source: Int?, output: Int?, kind: String, findings: [Finding]) {
    (self.source, self.output, self.kind, self.findings) = (source, output, kind, findings)
  }

  /// The report's lines about the track.
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
  /// The report's lines: one for all that was kept, and one for each other finding.
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
  /// The finding as text: the thing, and what became of it.
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
