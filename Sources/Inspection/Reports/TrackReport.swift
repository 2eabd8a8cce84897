// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// A report on one track.
package struct TrackReport: Sendable, Encodable {
  /// The track's number in the container.
  package let id: Int
  /// `video`, `audio`, `artwork` or `other`.
  package let kind: String
  /// FFmpeg's name of the codec.
  package let codec: String
  /// The profile.
  package let profile: String?
  /// The level.
  package let level: String?
  /// The four characters of the sample entry.
  package let sampleEntry: String?
  /// The language.
  package let language: String?
  /// The duration of the presentation, in seconds; nil if unknown.
  package let duration: Double?
  /// Ticks a second of its timeline.
  package let timescale: Int
  /// The number of samples; nil if unknown.
  package let sampleCount: Int?
  /// The entries of the edit list.
  package let edits: [EditReport]
  /// The report on video; nil for other tracks.
  package let video: VideoReport?
  /// The report on audio; nil for other tracks.
  package let audio: AudioReport?

  /// One entry of an edit list.
  package struct EditReport: Sendable, Encodable {
    /// The start in the media, in seconds; nil for an empty edit.
    package let mediaStart: Double?
    /// The duration, in seconds; nil for "to the end".
    package let duration: Double?
  }

  /// A report on audio.
  package struct AudioReport: Sendable, Encodable {
    /// Samples a second.
    package let sampleRate: Int
    /// Channels.
    package let channels: Int
  }

  init(_ track: AssetTrack, times: Movie.Track?) {
    let demuxed = track.demuxed
    let samples = times.flatMap { SampleTimes($0) }
    id = demuxed.id
    kind = demuxed.kind.rawValue
    codec = demuxed.codec.codecName
    profile = track.video?.bitstream?.profileName ?? demuxed.codec.profileName
    level = track.video?.bitstream?.levelName
    sampleEntry = track.sampleEntry
    language = demuxed.language
    duration = track.presentedDuration?.seconds
    timescale = Int(demuxed.timescale)
    let count = samples?.compositionTimes.count ?? demuxed.sampleCount
    sampleCount = count > 0 ? count : nil
    edits = track.timeline.edits.map {
      EditReport(mediaStart: $0.mediaStart?.seconds, duration: $0.duration?.seconds)
    }
    video = demuxed.kind == .video ? VideoReport(track, samples: samples) : nil
    audio =
      demuxed.kind == .audio
      ? AudioReport(sampleRate: demuxed.codec.sampleRate, channels: demuxed.codec.channelCount)
      : nil
  }

  var lines: [String] {
    var head = "track \(id): \(kind), \(codec)"
    if let profile { head += " \(profile)" }
    if let level { head += " level \(level)" }
    if let sampleEntry { head += ", '\(sampleEntry)'" }
    if let language, language != "und" { head += ", \(language)" }
    var lines = [head]
    if let audio {
      lines.append("  audio      \(audio.sampleRate) Hz, \(audio.channels.counted("channel"))")
    }
    if let video { lines += video.lines }
    var time = duration.map { InspectionReport.seconds($0) } ?? "unknown duration"
    if let sampleCount { time += ", \(sampleCount.counted("sample"))" }
    if let count = video?.presentedFrameCount { time += ", \(count) presented" }
    if let rate = video?.rateText { time += ", \(rate)" }
    lines.append("  time       \(time)")
    if edits.count != 1 || edits.first?.mediaStart != 0 {
      lines.append("  edits      \(editsText)")
    }
    return lines
  }

  /// Edits that are told to people; damaged files may state ten thousands.
  private static let mostEdits = 20

  private var editsText: String {
    let told = edits.prefix(Self.mostEdits).map(\.text).joined(separator: "; ")
    let more = edits.count - Self.mostEdits
    return more > 0 ? "\(told); … and \(more) more" : told
  }
}

extension TrackReport.EditReport {
  fileprivate var text: String {
    let length = duration.map { "for \(InspectionReport.seconds($0))" } ?? "to the end"
    guard let mediaStart else { return "nothing \(length)" }
    return "media from \(InspectionReport.seconds(mediaStart)) \(length)"
  }
}
