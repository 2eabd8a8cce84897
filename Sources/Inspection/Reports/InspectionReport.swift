// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A report on what a file contains and what its colors mean.
///
/// In JSON, values that are `nil` are left out. `candela schema inspect` describes the keys.
public struct InspectionReport: Sendable, Encodable {
  /// The path of the file that was read.
  public let path: String
  /// FFmpeg's name for the container format.
  public let format: String
  /// The major brand of a movie file.
  package let majorBrand: String?
  /// The duration of the presentation in seconds, or `nil` if unknown.
  public let duration: Double?
  /// What a truncated file lacks, as text, or `nil` if it seems complete.
  public let missingData: String?
  /// The facts that people look for first.
  package let summary: FileSummary
  /// The facts about the file as a whole, without those about its tracks.
  package let facts: [Fact]
  /// The tracks, in the order of the file.
  package let tracks: [TrackReport]
  /// The frames of the first video track, if they were requested.
  package let frames: [FrameReport]?

  /// Opens a file and reports on it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - includingFrames: whether to list the frames, which requires reading the whole file.
  /// - Throws: ``TranscodingError``: `noInput` if the file does not exist or its permissions forbid
  ///   reading it, `unusableInput` if it is not a media file or is damaged beyond use.
  public static func make(
    path: String, includingFrames: Bool = false
  ) async throws -> InspectionReport {
    InspectionReport(
      try await MediaAsset.load(path: path),
      frames: includingFrames ? try await FrameReport.all(in: path) : nil)
  }

  /// Reports on an asset.
  ///
  /// - Parameter frames: the result of ``FrameReport/all(in:)``, if frames were requested.
  package init(_ asset: MediaAsset, frames: [FrameReport]? = nil) {
    self.frames = frames
    path = asset.path
    format = asset.formatName
    majorBrand = asset.movie?.majorBrand.map { "\($0)" }
    duration = asset.duration?.seconds
    missingData = asset.missingData
    facts = asset.facts
    tracks = asset.tracks.map { TrackReport($0) }
    summary = FileSummary(asset, tracks)
  }
}

extension InspectionReport: JSONDescribed {
  package static let schema = JSONSchema(
    .object(own.map(\.property) + FactKey.all.filter(\.isOfFiles).properties),
    "What a file contains and what its colors mean.")

  fileprivate static let own: [JSONField<InspectionReport>] = [
    .init("path", "The path of the file that was read.") { $0.path },
    .init("format", "FFmpeg's name for the container format.") { $0.format },
    .init("majorBrand", "The major brand of a movie.") { $0.majorBrand },
    .init("duration", "How long the presentation lasts, in seconds; absent if unknown.") {
      $0.duration
    },
    .init("missingData", "What a truncated file lacks, in words.") { $0.missingData },
    .init("summary", "The facts that people look for first.") { $0.summary },
    .init("tracks", "The tracks, in the order of the file.") { $0.tracks },
    .init("frames", "The frames of the first video track, if they were requested.") {
      $0.frames
    },
  ]
}

extension InspectionReport {
  /// Encodes the report's own keys and, beside them, the facts about the file.
  public func encode(to encoder: any Encoder) throws {
    try Self.own.encode(self, to: encoder)
    try facts.encodeAsObject(to: encoder)
  }
}
