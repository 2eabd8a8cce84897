// SPDX-License-Identifier: GPL-2.0-or-later
internal import LibAV

/// The source's audible channels, and which of them are silent in the output.
package struct AudibleChannels: Sendable {
  /// How many of the source's channels are audible.
  package let sourceCount: Int
  /// The numbers, from 1, of the audible channels that are silent in the output.
  package let silent: [Int]

  // A channel is audible if a piece of it is louder than −60 dB relative to full scale.
  private static let heard = 1e-6
  // A channel of the output is silent if no piece of it is louder than −40 dB relative to the
  // loudest piece of the same channel in the source.
  private static let silence = 1e-4

  /// Compares the signals of a source and its output, both decoded to their end.
  init(_ one: AudioSignal, _ other: AudioSignal) {
    let heard = one.loudest.indices.filter { one.loudest[$0] > Self.heard }
    sourceCount = heard.count
    // Channels can be compared one by one only if both files have the same channels. If the
    // channels differ, only the output as a whole is examined: if it is silent, all of the source's
    // audible channels count as silent; if it is not, none does.
    if Self.areSame(one.layout, other.layout) {
      silent = heard.filter { index in
        // Lossy codecs drop everything above 120 Hz from the channel of low frequency effects. In
        // some files, that channel has only sounds above 120 Hz, so its silence in a lossy output
        // says nothing.
        (!one.layout.isLow(index) || other.isLossless)
          && other.loudest[index] < one.loudest[index] * Self.silence
      }.map { $0 + 1 }
    } else {
      let level = heard.map { one.loudest[$0] }.min() ?? 0
      silent =
        (other.loudest.max() ?? 0) < level * Self.silence ? heard.map { $0 + 1 } : []
    }
  }

  /// Whether both files have equally many channels, at the same positions. If a file states no
  /// positions, only the counts matter.
  private static func areSame(_ one: ChannelLayout, _ other: ChannelLayout) -> Bool {
    one.channelCount == other.channelCount
      && (one.speakers.isEmpty || other.speakers.isEmpty || one.named(among: [other]) != nil)
  }
}

extension ChannelLayout {
  /// Whether a channel carries low frequency effects.
  fileprivate func isLow(_ index: Int) -> Bool {
    speakers.indices.contains(index)
      && [.lowFrequency, .lowFrequency2].contains(speakers[index])
  }
}
