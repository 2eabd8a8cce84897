// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import LibAV

/// What is planned for an audio track.
package struct AudioReport: Sendable, Encodable {
  /// The track's ID in the source.
  package let track: Int
  /// FFmpeg's name for the track's codec.
  package let codec: String
  /// `copied` or `encoded`.
  package let action: String
  /// Why samples are copied or encoded, as text. Left out for an ordinary copy.
  package let reason: String?
  /// How the track is encoded. Left out if samples are copied.
  package let encoding: Encoding?

  /// The codec, rates and channels of encoded audio.
  package struct Encoding: Sendable, Encodable {
    /// FFmpeg's name for the codec.
    package let codec: String
    /// Samples per second in each channel.
    package let sampleRate: Int
    /// The source's channels, by FFmpeg's name.
    package let sourceLayout: String
    /// The output's channels, by FFmpeg's name.
    package let channelLayout: String
    /// Bits per second for all channels together. Left out for lossless codecs.
    package let bitRate: Int?
  }

  init(_ plan: AudioPlan) {
    track = plan.track.demuxed.id
    codec = plan.track.demuxed.codec.codecName
    action = plan.encoding == nil ? "copied" : "encoded"
    reason = plan.reason
    encoding = plan.encoding.map { settings in
      Encoding(
        codec: settings.codec.rawValue, sampleRate: settings.sampleRate,
        sourceLayout: "\(plan.track.demuxed.codec.channelLayout)",
        channelLayout: "\(settings.layout)", bitRate: settings.bitRate)
    }
  }

  /// The plan in one line of text.
  package var text: String {
    let why = reason.map { ": \($0)" } ?? ""
    guard let encoding else { return "track \(track): \(codec), copied\(why)" }
    let rate = encoding.bitRate.map { ", \(($0 + 500) / 1000) kbit/s" } ?? ""
    return "track \(track): \(codec), \(encoding.sourceLayout) → \(encoding.codec), "
      + "\(encoding.channelLayout), \(encoding.sampleRate) Hz\(rate)\(why)"
  }
}

extension AudioReport: JSONObject {
  package static let fields: [JSONField<AudioReport>] = [
    .init("track", "The track's ID in the source.") { $0.track },
    .init("codec", "FFmpeg's name for the source's codec.") { $0.codec },
    .init(
      "action", "Whether samples are copied or encoded.",
      JSONSchema(.words(["copied", "encoded"]))
    ) { $0.action },
    .init("reason", "Why samples are copied or encoded; absent for a usual copy.") { $0.reason },
    .init("encoding", "How audio is encoded; absent if samples are copied.") { $0.encoding },
  ]
}

extension AudioReport.Encoding: JSONObject {
  package static let fields: [JSONField<AudioReport.Encoding>] = [
    .init("codec", "FFmpeg's name for the codec.") { $0.codec },
    .init("sampleRate", "Samples per second in each channel, in Hz.", .count) { $0.sampleRate },
    .init("sourceLayout", "The source's channels, by FFmpeg's name: stereo, 5.1.") {
      $0.sourceLayout
    },
    .init("channelLayout", "The output's channels, by FFmpeg's name.") { $0.channelLayout },
    .init(
      "bitRate", "Bits per second for all channels together; absent for lossless codecs.", .count
    ) { $0.bitRate },
  ]
}
