// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import LibAV
internal import MediaCore
internal import Settings

/// Plan for a track of audio that the output has: its samples are copied or encoded.
package struct AudioPlan: Sendable {
  /// The track of the source.
  package let track: AssetTrack
  /// Settings of the encoder; nil where samples are copied as they are.
  package var encoding: AudioEncoderSettings?
  /// Reason for encoding, for people; nil where there is nothing to say.
  var reason: String?

  /// Samples a second of audio whose times are counted in samples; nil where they are the source's.
  var sampleRate: Int32? {
    if let encoding { return Int32(clamping: encoding.sampleRate) }
    return track.box == nil ? CopiedAudioClock(track.demuxed)?.timescale : nil
  }
}

/// Reasons for which audio cannot be encoded.
enum AudioObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// FFmpeg cannot decode it.
  case decoder
  /// The container has no place for the codec that is asked for.
  case container(FileType, AudioCodec)
  /// The codec that is asked for has no place for the channels.
  case channels(AudioCodec, ChannelLayout)

  var description: String {
    switch self {
    case .decoder: "FFmpeg cannot decode it"
    case .container(let container, let codec):
      ".\(container.rawValue) and its players do not know \(codec.rawValue)"
    case .channels(let codec, let layout): "\(codec.rawValue) has no place for \(layout)"
    }
  }
}

extension AudioPlan {
  /// Returns the encoding that a rule asks for, for a track and a codec.
  ///
  /// - Parameters:
  ///   - containers: the kinds of files that have to have a place for it.
  ///   - channels: the channels of the output, in place of the rule's.
  static func encoding(
    of track: AssetTrack, as codec: AudioCodec, by rule: AudioRule, in containers: [FileType],
    channels: ChannelLayout? = nil
  ) throws(AudioObstacle) -> AudioEncoderSettings {
    let source = track.demuxed.codec
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
  /// The channels that the rule asks for, of audio with some layout.
  fileprivate func layout(for source: ChannelLayout) -> ChannelLayout {
    switch channels {
    case .source: source
    case .stereo: .stereo
    case .mono: .mono
    }
  }
}
