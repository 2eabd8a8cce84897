// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV

/// The plan for a track of audio.
package struct AudioReport: Sendable, Encodable {
  /// The track's number in the source.
  package let track: Int
  /// FFmpeg's name of its codec.
  package let codec: String
  /// Decision about the track: `copied` or `encoded`.
  package let action: String
  /// Reason, for people; left out where the track is copied as it should be.
  package let reason: String?
  /// Encoding of the output; left out where samples are copied.
  package let encoding: Encoding?

  /// Codec, rates and layout of audio that is encoded.
  package struct Encoding: Sendable, Encodable {
    /// FFmpeg's name of the codec.
    package let codec: String
    /// Samples a second of each channel.
    package let sampleRate: Int
    /// The channels of the source, by FFmpeg's name.
    package let sourceLayout: String
    /// The channels of the output, by FFmpeg's name.
    package let channelLayout: String
    /// Bits a second of all channels; left out for codecs that lose nothing.
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

  /// The plan in a line, for people.
  var text: String {
    let why = reason.map { ": \($0)" } ?? ""
    guard let encoding else { return "track \(track): \(codec), copied\(why)" }
    let rate = encoding.bitRate.map { ", \(($0 + 500) / 1000) kbit/s" } ?? ""
    return "track \(track): \(codec), \(encoding.sourceLayout) → \(encoding.codec), "
      + "\(encoding.channelLayout), \(encoding.sampleRate) Hz\(rate)\(why)"
  }
}
