// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// A report on one track of a file.
package struct TrackReport: Sendable, Encodable {
  /// The track's number in the container.
  package let id: Int
  /// `video`, `audio`, `artwork` or `other`.
  package let kind: String
  /// FFmpeg's name for the codec.
  package let codec: String
  /// The name of the codec's profile.
  package let profile: String?
  /// The name of the codec's level.
  package let level: String?
  /// The four-character code of the sample entry.
  package let sampleEntry: String?
  /// The language code, as the container has it.
  package let language: String?
  /// The duration of the presentation in seconds, or `nil` if unknown.
  package let duration: Double?
  /// Ticks per second of the track's times.
  package let timescale: Int
  /// The number of samples, or `nil` if unknown.
  package let sampleCount: Int?
  /// The edit list, entry by entry.
  package let edits: [EditReport]
  /// Details of a video track.
  package let video: VideoReport?
  /// Details of an audio track.
  package let audio: AudioReport?

  package struct EditReport: Sendable, Encodable {
    /// The start in the media in seconds, or `nil` for an empty edit.
    package let mediaStart: Double?
    /// The duration in seconds, or `nil` if the edit reaches the end of the media.
    package let duration: Double?
  }

  /// Details of an audio track.
  package struct AudioReport: Sendable, Encodable {
    /// The number of samples per second.
    package let sampleRate: Int
    /// The number of channels.
    package let channels: Int
  }

  init(_ track: AssetTrack, times: Movie.Track?) {
    let demuxed = track.demuxed
    let samples = times.flatMap { SampleTimes($0) }
    id = demuxed.id
    kind = demuxed.kind.rawValue
    codec = demuxed.codec.codecName
    // FFmpeg's name serves only for codecs whose parameter sets are not read here.
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
    // `und` is how ISO 639-2 says that there is no language.
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
    // One edit from the beginning is what practically every file has, so do not mention it.
    if edits.count != 1 || edits.first?.mediaStart != 0 {
      lines.append("  edits      \(editsText)")
    }
    return lines
  }

  // A damaged file may have tens of thousands of edits.
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
