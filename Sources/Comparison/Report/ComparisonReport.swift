// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
public import CodePoints
internal import Host
internal import MediaCore
package import Reading

/// The comparison of an output with its source.
///
/// Encoded with the properties' names as keys. Unknown and unmeasured values are left out;
/// `candela schema compare` describes the keys.
public struct ComparisonReport: Sendable, Encodable {
  /// The path of the source.
  public let source: String
  /// The path of the output.
  public let output: String
  /// Whether a plan announced every loss. Also `true` if nothing is lost.
  public let isComplete: Bool
  /// Findings about the file as a whole.
  package let findings: [Finding]
  /// The tracks: first the source's tracks in their order, then new tracks.
  package let tracks: [TrackComparison]

  /// All losses, announced or not.
  package var losses: [Finding] {
    (findings + tracks.flatMap(\.findings)).filter { $0.state == .lost }
  }

  /// The losses that no plan announced, as text.
  public var unnamedLosses: [String] {
    let ofTracks = tracks.flatMap { track in
      track.findings.filter(\.isUnnamedLoss).map {
        "\($0.text) (track \(track.source ?? 0), \(track.kind))"
      }
    }
    return findings.filter(\.isUnnamedLoss).map(\.text) + ofTracks
  }

  /// Compares an output with its source: what both files state, the times of all samples, the
  /// frames, and every audio sample.
  ///
  /// - Parameters:
  ///   - source: the path of the source.
  ///   - output: the path of the output.
  ///   - notices: the notices of the plan, which announce losses.
  ///   - interval: the step from one measured pair of frames to the next, 1 or more.
  /// - Throws: ``TranscodingError`` of kind `noInput` or `unusableInput` if a file cannot be read;
  ///   `CancellationError` when the task was cancelled.
  public static func make(
    source: String, output: String, notices: [Notice] = [], interval: Int = 1
  ) async throws -> ComparisonReport {
    try await make(
      source: source, output: output, range: nil, named: NamedLosses(notices), interval: interval)
  }

  /// Compares two files.
  ///
  /// - Parameters:
  ///   - range: the part of the source that the output was made from, or `nil` for all of it.
  ///   - isWanted: returns whether a range in frames or ticks may refer to a given track.
  ///   - named: the losses that a plan announced.
  ///   - interval: the step from one measured pair of frames to the next, 1 or more.
  /// - Throws: ``TranscodingError``: `noInput` or `unusableInput` if a file cannot be read or the
  ///   source has no such part, `invalidSettings` if the part is empty; `CancellationError` when
  ///   the task was cancelled.
  package static func make(
    source: String, output: String, range: TimeRange?,
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
}
