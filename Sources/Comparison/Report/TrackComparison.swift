// SPDX-License-Identifier: GPL-2.0-or-later

/// The comparison of one track with its source.
package struct TrackComparison: Sendable {
  /// The track's number in the source, or `nil` if the track is new.
  package let source: Int?
  /// The track's number in the output, or `nil` if the track is lost.
  package let output: Int?
  /// The kind of track: `video`, `audio` or `artwork`; otherwise the sample entry or codec.
  package let kind: String
  /// Findings about the track.
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
}

extension Finding {
  /// The finding as text: the fact, and what became of it.
  package var text: String {
    let what = name.map { "\(code) \($0)" } ?? code
    switch state {
    case .kept: return what
    case .changed: return "\(what): \(source?.text ?? "unstated") → \(output?.text ?? "unstated")"
    case .new: return "\(what): \(output?.text ?? "")"
    case .lost: return "\(what): \(source?.text ?? "")" + (output.map { " → \($0.text)" } ?? "")
    }
  }
}
