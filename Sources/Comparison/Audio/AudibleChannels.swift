// SPDX-License-Identifier: GPL-2.0-or-later
internal import LibAV

/// Channels of a source that are heard, and those of them that an output is silent in.
package struct AudibleChannels: Sendable, Encodable {
  /// The number of the source's channels that are heard.
  package let sourceCount: Int
  /// Numbers of those that the output is silent in, from 1.
  package let silent: [Int]

  /// A channel is heard where a piece of it is louder than -60 dB of full scale.
  private static let heard = 1e-6
  /// It is silent where no piece is louder than -40 dB of the source's loudest one.
  private static let silence = 1e-4

  /// Compares signals that were decoded to their end. Channels are compared one by one where both
  /// files have the same; where they were mixed, all are silent or none is.
  init(_ one: AudioSignal, _ other: AudioSignal) {
    let heard = one.loudest.indices.filter { one.loudest[$0] > Self.heard }
    sourceCount = heard.count
    if Self.areSame(one.layout, other.layout) {
      silent = heard.filter { index in
        // Codecs with loss keep nothing above 120 Hz of low frequency effects.
        (!one.layout.isLow(index) || other.isLossless)
          && other.loudest[index] < one.loudest[index] * Self.silence
      }.map { $0 + 1 }
    } else {
      let level = heard.map { one.loudest[$0] }.min() ?? 0
      silent =
        (other.loudest.max() ?? 0) < level * Self.silence ? heard.map { $0 + 1 } : []
    }
  }

  /// True if channels of the same numbers are at the same places, as far as both state them.
  private static func areSame(_ one: ChannelLayout, _ other: ChannelLayout) -> Bool {
    one.channelCount == other.channelCount
      && (one.speakers.isEmpty || other.speakers.isEmpty || one.named(among: [other]) != nil)
  }
}

extension ChannelLayout {
  /// True for a channel of low frequency effects.
  fileprivate func isLow(_ index: Int) -> Bool {
    speakers.indices.contains(index)
      && [.lowFrequency, .lowFrequency2].contains(speakers[index])
  }
}
