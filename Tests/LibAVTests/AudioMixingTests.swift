// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

@testable import LibAV

/// Channels are mixed down as ITU-R BS.775 says, and their sums do not clip.
@Suite struct AudioMixingTests {
  private static let half = 0.5.squareRoot()

  private func isClose(_ found: [[Double]]?, _ wanted: [[Double]]) -> Bool {
    guard let found, found.map(\.count) == wanted.map(\.count) else { return false }
    return zip(found.joined(), wanted.joined()).allSatisfy { abs($0 - $1) < 1e-9 }
  }

  /// The coefficients are those of the recommendation's table 2. In 5.1, the fourth channel is LFE,
  /// the channel of low-frequency effects.
  @Test func coefficients() {
    let half = Self.half
    for layout in [ChannelLayout.surround51, ChannelLayout(mask: 0x60F)] {
      #expect(
        isClose(
          layout.mix(to: .stereo), [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]))
      #expect(isClose(layout.mix(to: .mono), [[half, half, 1, 0, 0.5, 0.5]]))
    }
    #expect(isClose(ChannelLayout.stereo.mix(to: .mono), [[half, half]]))
    #expect(isClose(ChannelLayout.mono.mix(to: .stereo), [[half], [half]]))
    #expect(
      isClose(
        ChannelLayout.surround40.mix(to: .stereo), [[1, 0, half, 0.5], [0, 1, half, 0.5]]))
    #expect(ChannelLayout(channelCount: 22).mix(to: .stereo) == nil)
  }

  /// The channel at the back goes to both surrounds, just as the center would go to left and right.
  @Test func fewerChannelsAround() {
    let half = Self.half
    #expect(AudioCodec.aac.largestLayout(within: .surround61) == .surround51)
    #expect(
      isClose(
        ChannelLayout.surround61.mix(to: .surround51),
        [
          [1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0],
          [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, half, 1, 0], [0, 0, 0, 0, half, 0, 1],
        ]))
    #expect(AudioCodec.aac.largestLayout(within: .surround71Wide) == .surround51)
    #expect(AudioCodec.opus.largestLayout(within: .surround50) == .quad)
    // AAC gets no layout of left, right, center and LFE. LFE is left out, and the center is kept.
    #expect(AudioCodec.aac.largestLayout(within: ChannelLayout(mask: 0xF)) == .surround30)
    #expect(AudioCodec.aac.largestLayout(within: ChannelLayout(channelCount: 22)) == nil)
  }

  @Test func surroundsAtTheSideAndAtTheBackAreTheSame() {
    let side = ChannelLayout(mask: 0x60F)
    #expect("\(side)" == "5.1(side)" && side.named(among: [.stereo, .surround51]) == .surround51)
    #expect(AudioCodec.aac.layout(for: side) == .surround51)
    #expect(AudioCodec.alac.layout(for: .surround71) == nil)
    #expect(AudioCodec.pcm16.layout(for: .surround71) == .surround71)
  }

  /// Every encoder accepts the layouts and sample rates that the table lists for it.
  @Test(arguments: AudioCodec.allCases) func encodersOpen(codec: AudioCodec) throws {
    let layouts = (1...8).map { ChannelLayout(channelCount: $0) }.compactMap(codec.layout)
    #expect(layouts.contains(.mono) && layouts.contains(.stereo) && layouts.contains(.surround51))
    for layout in layouts {
      for rate in codec.sampleRates.isEmpty ? [22050, 96000] : codec.sampleRates {
        let bitRate = codec.bitRate(channelCount: layout.channelCount, sampleRate: rate)
        let settings = AudioEncoderSettings(
          codec: codec, sampleRate: rate, layout: layout, bitRate: bitRate, isDeep: true)
        let encoder = try AudioEncoder(settings)
        #expect(encoder.codec.channelLayout == layout, "\(layout) \(rate)")
        #expect(encoder.codec.sampleRate == rate)
      }
    }
  }

  private func limited(_ channels: [[Float]], pieces: Int) -> [[Float]] {
    var limiter = PeakLimiter(sampleRate: 8000, channelCount: channels.count)
    var result = channels.map { _ in [Float]() }
    func add(_ part: [[Float]]) { for index in part.indices { result[index] += part[index] } }
    for start in stride(from: 0, to: channels[0].count, by: pieces) {
      add(limiter.limit(channels.map { Array($0[start..<min(start + pieces, $0.count)]) }))
    }
    add(limiter.finish())
    return result
  }

  /// Samples change only around peaks that would clip. They change smoothly, and by the same factor
  /// in all channels.
  @Test func peaksAreLimited() {
    let quiet = (0..<8000).map { Float(sin(Double($0) / 9)) * 0.5 }
    #expect(limited([quiet, quiet], pieces: 700) == [quiet, quiet])
    var loud = quiet
    for index in 3000..<3100 { loud[index] *= 4 }
    let result = limited([loud, quiet], pieces: 333)
    #expect(result[0].count == 8000 && result[1].count == 8000)
    #expect(result[0].allSatisfy { abs($0) <= 0.9886 })
    #expect((result[0].map { abs($0) }.max() ?? 0) > 0.97)
    #expect(Array(result[1][..<2950]) == Array(quiet[..<2950]))
    let gains = (2900..<5000).map { quiet[$0] == 0 ? 1 : result[1][$0] / quiet[$0] }
    #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 0.03 })
    #expect(limited([loud, quiet], pieces: 8000) == result)
  }
}
