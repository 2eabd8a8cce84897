// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A file's content and the meaning of its colors, as data and as text.
///
/// Encoded, the keys are the properties' names; what is unknown or unstated is left out.
public struct InspectionReport: Sendable, Encodable {
  /// The path of the file.
  public let path: String
  /// FFmpeg's name of the container format.
  public let format: String
  /// The major brand of a movie file.
  package let majorBrand: String?
  /// The duration of the presentation, in seconds; nil if unknown.
  public let duration: Double?
  /// The missing part of a file that is cut off, for people; nil if nothing is known to be missing.
  public let missingData: String?
  /// Facts that people look for first.
  package let facts: FileFacts
  /// The tracks.
  package let tracks: [TrackReport]
  /// The frames of the first video track, where they were asked for.
  package let frames: [FrameReport]?

  /// Looks at an asset.
  ///
  /// - Parameter frames: the result of ``FrameReport/all(in:)``; nil where it was not asked for.
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

  /// The report for people to read.
  public var text: String {
    var head = "\(path): \(majorBrand.map { "brand '\($0)'" } ?? format)"
    if let duration { head += ", \(Self.seconds(duration))" }
    return ([head] + facts.lines(duration) + statements).joined(separator: "\n")
  }

  /// Lines about what the file states, without its size and what is told of it in short.
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
