// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
public import CodePoints
internal import ColorTagging
internal import LibAV
internal import MediaCore
package import Reading

/// A plan as data: what will be done to a file, and why.
///
/// The report is encoded with the properties' names as keys. Unknown and undeclared values are left
/// out.
public struct PlanReport: Sendable, Encodable {
  /// The path of the input.
  package let input: String
  /// The name of the preset.
  package let preset: String
  /// The container to write: `mov`, `mp4`, `mkv` or `webm`.
  package let container: String
  /// The part of the presentation to write, or `nil` for the whole.
  package let range: PresentedRange?
  /// What is planned for video, if there is any.
  package let video: VideoPlanReport?
  /// The audio tracks of the output.
  package let audio: [AudioReport]
  /// Other tracks of the output: timed metadata, time code, chapters, text.
  package let otherTracks: [OtherTrackReport]
  /// Whether dates, places and names are carried over.
  package let keepsMetadata: Bool
  /// Losses and assumptions.
  public let notices: [Notice]

  /// A track of the output that is listed neither as video nor as audio.
  package struct OtherTrackReport: Sendable, Encodable {
    /// The track's ID in the source, or `nil` if the track is new.
    package let track: UInt32?
    /// The type of the sample entry (`tmcd`), FFmpeg's name for the codec (`subrip`), or words
    /// (`chapters`, `subrip as tx3g`).
    package let kind: String
  }

  /// Makes a report on a plan.
  ///
  /// - Parameters:
  ///   - input: the path of the input.
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
      + plan.matroskaTracks.map { track in
        let own = track.demuxed.codec.codecName
        let isConverted = track.isTextToConvert(for: plan.container)
        return OtherTrackReport(
          track: UInt32(clamping: track.demuxed.id),
          kind: isConverted ? "\(own) as \(plan.container.textCodec)" : own)
      }
    keepsMetadata = plan.keepsMetadata
    notices = plan.notices
  }
}

extension PlanReport: JSONObject {
  package static let meaning = "What would be done with a file, and why."
  package static let fields: [JSONField<PlanReport>] = [
    .init("input", "The path of the file to read.") { $0.input },
    .init("preset", "The name of the preset.") { $0.preset },
    .init("container", "The container to write: mov, mp4, mkv or webm.") { $0.container },
    .init("range", "The part to write; absent for the whole.") { $0.range },
    .init("video", "What happens to video; absent if the output has none.") { $0.video },
    .init("audio", "What happens to each audio track of the output.") { $0.audio },
    .init(
      "otherTracks", "Other tracks of the output: timed metadata, time code, chapters, text."
    ) { $0.otherTracks },
    .init("keepsMetadata", "Whether dates, places and names are kept.") { $0.keepsMetadata },
    .init("notices", "Losses and assumptions.") { $0.notices },
  ]
}

extension PlanReport.OtherTrackReport: JSONObject {
  package static let fields: [JSONField<PlanReport.OtherTrackReport>] = [
    .init("track", "The track's ID in the source; absent if the track is new.") { $0.track },
    .init(
      "kind",
      "The sample entry, such as tmcd; the codec, such as subrip; or a word, such as chapters."
    ) { $0.kind },
  ]
}
