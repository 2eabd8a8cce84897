// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What a file contains and what its colors mean, as data and as text.
///
/// Encoded with the properties' names as keys. Unknown values are left out.
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
  package let facts: FileFacts
  /// The tracks, in the order of the file.
  package let tracks: [TrackReport]
  /// The frames of the first video track, if they were requested.
  package let frames: [FrameReport]?

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
    facts = FileFacts(asset)
    tracks = asset.tracks.map { track in
      TrackReport(track, times: asset.movie?.track(id: UInt32(clamping: track.demuxed.id)))
    }
  }

  /// The report as text, several lines.
  public var text: String {
    var head = "\(path): \(majorBrand.map { "brand '\($0)'" } ?? format)"
    if let duration { head += ", \(Self.seconds(duration))" }
    return ([head] + facts.lines(duration) + statements).joined(separator: "\n")
  }

  /// The lines about what the file declares, without its size and summary.
  package var statements: [String] {
    var lines: [String] = []
    if let missingData { lines.append("  CUT OFF    \(missingData)") }
    for track in tracks { lines += track.lines }
    if let frames {
      lines.append("    frame        time  type, RPU level 1 (min avg max in PQ), SEI types")
      lines += frames.map(\.line)
    }
    return lines
  }

  static func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }
}
