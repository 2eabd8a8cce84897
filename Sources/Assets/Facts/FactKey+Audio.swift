// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore

/// Facts about audio.
extension FactKey {
  package static let sampleRate: FactKey = .init(
    "sampleRate", "samples a second", in: .audio, Int.self,
    reading: .track { track in
      guard track.mediaType == .audio else { return [] }
      return [Fact(sampleRate, track.demuxed.codec.sampleRate)]
    })

  package static let channelCount: FactKey = .init(
    "channelCount", "channels", in: .audio, Int.self,
    reading: .track { track in
      guard track.mediaType == .audio else { return [] }
      return [Fact(channelCount, track.demuxed.codec.channelCount)]
    })

  package static let audibleChannels: FactKey = .init(
    "audibleChannels", "channels that are not silent", in: .audio, Int.self)

  package static let audioContent: FactKey = .init(
    "audioContent", "what is heard: audio that contains more of the source than of anything else",
    in: .audio)
}
