// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import LibAV

extension AudioPlan: JSONObject {
  package static let fields: [JSONField<AudioPlan>] = [
    .init("track", "The track's ID in the source.") { $0.track.demuxed.id },
    .init("codec", "FFmpeg's name for the source's codec.") { $0.track.demuxed.codec.codecName },
    .init(
      "action", "Whether samples are copied or encoded.",
      JSONSchema(.words(["copied", "encoded"]))
    ) { $0.encoding == nil ? "copied" : "encoded" },
    .init("reason", "Why samples are copied or encoded; absent for a usual copy.") { $0.reason },
    .init("encoding", "How audio is encoded; absent if samples are copied.") { plan in
      plan.encoding.map { Encoding(source: plan.track.demuxed.codec, settings: $0) }
    },
  ]

  /// The codec, rates and channels of encoded audio.
  private struct Encoding: JSONObject {
    let source: CodecParameters
    let settings: AudioEncoderSettings

    static let fields: [JSONField<Encoding>] = [
      .init("codec", "FFmpeg's name for the codec.") { $0.settings.codec.rawValue },
      .init("sampleRate", "Samples per second in each channel, in Hz.", .count) {
        $0.settings.sampleRate
      },
      .init("sourceLayout", "The source's channels, by FFmpeg's name: stereo, 5.1.") {
        "\($0.source.channelLayout)"
      },
      .init("channelLayout", "The output's channels, by FFmpeg's name.") {
        "\($0.settings.layout)"
      },
      .init(
        "bitRate", "Bits per second for all channels together; absent for lossless codecs.", .count
      ) { $0.settings.bitRate },
    ]
  }

  /// The plan in one line of text.
  package var text: String {
    let (codec, why) = (track.demuxed.codec, reason.map { ": \($0)" } ?? "")
    let name = "track \(track.demuxed.id): \(codec.codecName)"
    guard let encoding else { return "\(name), copied\(why)" }
    let rate = encoding.bitRate.map { ", \(($0 + 500) / 1000) kbit/s" } ?? ""
    return "\(name), \(codec.channelLayout) → \(encoding.codec.rawValue), "
      + "\(encoding.layout), \(encoding.sampleRate) Hz\(rate)\(why)"
  }
}
