// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import LibAV
internal import MediaCore
internal import Settings

/// What happens to an audio track: its samples are copied or encoded.
package struct AudioPlan: Sendable {
  package let track: AssetTrack
  /// Settings of the encoder, or `nil` if samples are copied.
  package var encoding: AudioEncoderSettings?
  /// Why samples are copied or encoded, as text, or `nil` for an ordinary copy.
  var reason: String?

  /// The sample rate if the output's times are counted in samples, or `nil` if the output keeps the
  /// source's times.
  var sampleRate: Int32? {
    if let encoding { return Int32(clamping: encoding.sampleRate) }
    // A movie's times are exact already. Only copies from containers that round times need
    // ``CopiedAudioClock``.
    return track.box == nil ? CopiedAudioClock(track.demuxed)?.timescale : nil
  }
}

/// Why audio cannot be encoded.
enum AudioObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  case decoder
  /// The container cannot store the requested codec.
  case container(FileType, AudioCodec)
  /// The requested codec does not support the channels.
  case channels(AudioCodec, ChannelLayout)

  var description: String {
    switch self {
    case .decoder: "FFmpeg cannot decode it"
    case .container(let container, let codec):
      ".\(container.rawValue) and its players do not support \(codec.rawValue)"
    case .channels(let codec, let layout): "\(codec.rawValue) does not support \(layout)"
    }
  }
}

extension AudioPlan {
  /// Returns the encoder settings that a rule asks for.
  ///
  /// - Parameters:
  ///   - containers: the kinds of files that must be able to store the result.
  ///   - channels: the channels of the output if they differ from the rule's.
  static func encoding(
    of track: AssetTrack, as codec: AudioCodec, by rule: AudioRule, in containers: [FileType],
    channels: ChannelLayout? = nil
  ) throws(AudioObstacle) -> AudioEncoderSettings {
    let source = track.demuxed.codec
    // The header may name a codec that this build of FFmpeg cannot decode, so try to open a
    // decoder.
    guard source.isKnown, source.sampleRate > 0, source.channelCount > 0,
      (try? AudioDecoder(track: track.demuxed)) != nil
    else { throw .decoder }
    if let container = containers.first(where: { !$0.knowsAudio(codec.rawValue) }) {
      throw .container(container, codec)
    }
    let wanted = channels ?? rule.layout(for: source.channelLayout)
    guard let layout = codec.layout(for: wanted),
      wanted == source.channelLayout || source.channelLayout.mix(to: layout) != nil
    else { throw .channels(codec, wanted) }
    // The rule's bit rate is meant for the rule's codec. A fallback codec gets its own usual bit
    // rate.
    let isRules = codec == rule.codec
    let rate = codec.sampleRate(for: rule.sampleRate ?? source.sampleRate)
    let usual = codec.bitRate(channelCount: layout.channelCount, sampleRate: rate)
    let wantedRate = rule.bitRate.map {
      codec.bitRate(nearest: $0, channelCount: layout.channelCount, sampleRate: rate)
    }
    return AudioEncoderSettings(
      codec: codec, sampleRate: rate, layout: layout,
      bitRate: isRules ? wantedRate ?? usual : usual, isDeep: source.isDeepAudio)
  }
}

extension AudioRule {
  /// The channels that the rule asks for.
  fileprivate func layout(for source: ChannelLayout) -> ChannelLayout {
    switch channels {
    case .source: source
    case .stereo: .stereo
    case .mono: .mono
    }
  }
}
