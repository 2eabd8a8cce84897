// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
public import CodePoints
internal import ColorTagging
internal import LibAV
internal import MediaCore
package import Reading

/// A plan as data and as text: the work on a file, and the reasons.
///
/// Encoded, the keys are the properties' names; what is unknown or unstated is left out.
public struct PlanReport: Sendable, Encodable {
  /// The file to read.
  package let input: String
  /// The preset's name.
  package let preset: String
  /// The container to write: `mov` or `mp4`.
  package let container: String
  /// The part of the presentation that the output has; nil for the whole.
  package let range: PresentedRange?
  /// The plan for video; nil if there is none.
  package let video: VideoPlanReport?
  /// The audio tracks that the output has.
  package let audio: [AudioReport]
  /// The other tracks that are copied: timed metadata, time code, chapters, text.
  package let otherTracks: [OtherTrackReport]
  /// True if dates, places and names are carried over.
  package let keepsMetadata: Bool
  /// Losses and assumptions.
  public let notices: [Notice]

  /// A track that is copied and is neither the video nor audio that is known.
  package struct OtherTrackReport: Sendable, Encodable {
    /// The track's number in the source; nil for one that is made anew.
    package let track: UInt32?
    /// The kind, as the sample entry calls it.
    package let kind: String
  }

  /// A report on a plan.
  ///
  /// - Parameters:
  ///   - input: the path of the file to read.
  ///   - preset: the preset's name.
  public init(_ plan: TranscodePlan, input: String, preset: String) {
    self.input = input
    self.preset = preset
    container = plan.container.rawValue
    range = plan.range
    video = plan.video.map { VideoPlanReport($0, container: plan.container) }
    audio = plan.audio.map(AudioReport.init)
    otherTracks =
      plan.carried.tracks.map { OtherTrackReport(track: $0.sourceID, kind: $0.kind) }
      + plan.subtitles.map {
        OtherTrackReport(
          track: UInt32(clamping: $0.demuxed.id), kind: "\($0.demuxed.codec.codecName) as tx3g")
      }
      + plan.matroskaTracks.map {
        OtherTrackReport(track: UInt32(clamping: $0.demuxed.id), kind: $0.demuxed.codec.codecName)
      }
    keepsMetadata = plan.keepsMetadata
    notices = plan.notices
  }

  /// The report for people to read.
  public var text: String { text(of: \.text) }

  /// Fate of the file in one line, for somebody in a hurry.
  private var sentence: String {
    var parts: [String] = []
    if let encoding = video?.encoding {
      let (old, new) = (encoding.sourceDynamicRange, encoding.dynamicRange)
      let change = old == new ? "stays \(new)" : "\(old) becomes \(new)"
      parts.append("\(change), \(encoding.width)×\(encoding.height) in \(encoding.codec)")
      if let chroma = encoding.chromaSentence { parts.append(chroma) }
    } else {
      parts.append(video == nil ? "no video" : "video is copied")
    }
    let encoded = audio.count { $0.encoding != nil }
    if audio.isEmpty {
      parts.append("no audio")
    } else {
      parts.append(encoded == 0 ? "audio is copied" : "audio is encoded")
    }
    let losses = notices.count { $0.severity == .warning }
    if losses > 0 { parts.append("\(losses.counted("warning")), below") }
    return parts.joined(separator: "; ")
  }

  /// The report for people to read, with a program's own words for notices.
  package func text(of words: (Notice) -> String) -> String {
    var lines = ["\(input) → .\(container), preset '\(preset)'", "  in short   \(sentence)"]
    if let range { lines.append("  range      \(range.text)") }
    lines += video?.lines ?? ["  video      none"]
    lines += audio.map { "  audio      \($0.text)" }
    for track in otherTracks {
      let work =
        track.track.map { "track \($0): \(track.kind), copied" }
        ?? (track.kind == CarriedTrack.timeCodeKind
          ? "time code, as a track of its own" : "\(track.kind), as a track of text")
      lines.append("  other      \(work)")
    }
    lines.append("  metadata   \(keepsMetadata ? "dates, places and names are kept" : "left out")")
    lines += notices.map { "  NOTE       \(words($0))" }
    return lines.joined(separator: "\n")
  }
}

extension VideoPlanReport.Encoding {
  /// The fate of chroma in a few words; nil for 4:2:0 that stays, and for gray.
  fileprivate var chromaSentence: String? {
    let (usual, none) = (ChromaSubsampling.cs420.rawValue, ChromaSubsampling.cs400.rawValue)
    if sourceChroma == none || [sourceChroma, chroma] == [usual, usual] { return nil }
    return sourceChroma == chroma
      ? "chroma stays \(chroma)" : "chroma of \(sourceChroma) becomes \(chroma)"
  }
}
