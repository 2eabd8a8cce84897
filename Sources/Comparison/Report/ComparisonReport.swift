// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import MediaCore
package import Reading

/// Comparison of an output with its source, as data and as text.
///
/// Encoded, the keys are the properties' names; what is unknown or not measured is left out.
package struct ComparisonReport: Sendable, Encodable {
  /// The source.
  package let source: String
  /// The output.
  package let output: String
  /// True if nothing is lost but what the plan has named.
  package let isComplete: Bool
  /// Findings about what the file states as a whole, key by key.
  package let findings: [Finding]
  /// The tracks: those of the source in its order, then those that are new.
  package let tracks: [TrackComparison]

  /// All that is lost, named or not.
  package var losses: [Finding] {
    (findings + tracks.flatMap(\.findings)).filter { $0.state == .lost }
  }

  /// Losses that no notice names, for people.
  package var unnamedLosses: [String] {
    let ofTracks = tracks.flatMap { track in
      track.findings.filter(\.isUnnamedLoss).map {
        "\($0.text) (track \(track.source ?? 0), \(track.kind))"
      }
    }
    return findings.filter(\.isUnnamedLoss).map(\.text) + ofTracks
  }

  /// Compares two files.
  ///
  /// - Parameters:
  ///   - range: the part of the source that the output was made of; nil for the whole.
  ///   - isWanted: true if a track may be the video whose frames and ticks the part counts.
  ///   - named: the losses that a plan has named.
  ///   - interval: the number of frames from one that is measured to the next, from 1.
  /// - Throws: ``TranscodingError``: `noInput` or `unusableInput` where a file cannot be read or
  ///   the source has no such part, `invalidSettings` for a part that is empty;
  ///   `CancellationError` when the task was cancelled.
  package static func make(
    source: String, output: String, range: TimeRange? = nil,
    where isWanted: @escaping @Sendable (AssetTrack) -> Bool = { _ in true },
    named: NamedLosses = NamedLosses(), interval: Int = 1
  ) async throws -> ComparisonReport {
    let assets = (
      try await MediaAsset.load(path: source, range: range, where: isWanted).asset,
      try await MediaAsset.load(path: output)
    )
    var comparison = try await Pipeline.onThread("compare") { checkpoint in
      try FileComparison(assets.0, assets.1, named, checkpoint: checkpoint)
    }
    try await comparison.compareFrames(interval: max(interval, 1))
    return ComparisonReport(comparison)
  }

  private init(_ comparison: FileComparison) {
    (source, output) = (comparison.source.path, comparison.output.path)
    (findings, tracks) = (comparison.findings, comparison.tracks)
    isComplete = !(findings + tracks.flatMap(\.findings)).contains(where: \.isUnnamedLoss)
  }

  /// The report for people to read.
  package var text: String {
    let lost = losses
    let unnamed = lost.filter(\.isUnnamedLoss).count
    let verdict =
      lost.isEmpty
      ? "nothing is lost"
      : unnamed == 0 ? "nothing is lost but what the plan has named" : "lost: \(unnamed)"
    return
      (["\(source) → \(output): \(verdict)"] + findings.lines + tracks.flatMap(\.lines))
      .joined(separator: "\n")
  }
}
