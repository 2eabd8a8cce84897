// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// The codecs that audio is encoded with, by FFmpeg's names.
package enum AudioCodec: String, Sendable, CaseIterable {
  case aac, alac, opus, flac
  case pcm16 = "pcm_s16le"
  case pcm24 = "pcm_s24le"
  case ac3

  /// Formats that an encoder takes, and its usual bit rates.
  private struct Facts {
    /// The name of libavcodec's encoder.
    var encoder: String
    /// The sample rates, in order; empty for any.
    var sampleRates: [Int] = []
    /// The channels; empty for any.
    var layouts: [ChannelLayout] = []
    /// The kind of samples, of up to 16 bits and of more.
    var samples: (shallow: AVSampleFormat, deep: AVSampleFormat)
    /// The usual bit rate for each number of channels, at 48 kHz; the last number is for each
    /// channel of more. Empty for codecs that lose nothing.
    var bitRates: [Int] = []
  }

  /// AAC has the channel configurations of ISO/IEC 14496-3, and two of its program config elements
  /// that all decoders read.
  private var facts: Facts {
    let floats = (AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLTP)
    return switch self {
    case .aac:
      Facts(
        encoder: "aac",
        sampleRates: [
          8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
        ],
        layouts: [
          .mono, .stereo, .surround21, .surround30, .surround40, .quad, .surround50, .surround51,
          .surround71,
        ], samples: floats, bitRates: [96_000, 192_000, 80_000])
    case .alac:
      Facts(
        encoder: "alac",
        layouts: [
          .mono, .stereo, .surround30, .surround40, .surround50, .surround51, .surround61Back,
          .surround71Wide,
        ], samples: (AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32P))
    case .opus:
      Facts(
        encoder: "libopus", sampleRates: [48000],
        // FFmpeg 5.1 gives 5.0 and 6.1 to libopus in an order of channels that is not Opus's.
        layouts: [.mono, .stereo, .surround30, .quad, .surround51, .surround71],
        samples: (AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLT), bitRates: [64_000, 128_000, 64_000])
    case .flac:
      Facts(
        encoder: "flac",
        layouts: [
          .mono, .stereo, .surround30, .quad, .surround50, .surround51, .surround61, .surround71,
        ], samples: (AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32))
    case .pcm16: Facts(encoder: rawValue, samples: (AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16))
    case .pcm24: Facts(encoder: rawValue, samples: (AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32))
    case .ac3:
      Facts(
        encoder: "ac3", sampleRates: [32000, 44100, 48000],
        layouts: [
          .mono, .stereo, .surround21, .surround30, .surround40, .quad, .surround50, .surround51,
        ], samples: floats, bitRates: [96_000, 192_000, 96_000])
    }
  }

  /// The name of libavcodec's encoder.
  var encoderName: String { facts.encoder }

  /// True if decoded samples are those that went into the encoder.
  package var isLossless: Bool { facts.bitRates.isEmpty }

  /// The sample rates that can be encoded, in order; empty for any.
  package var sampleRates: [Int] { facts.sampleRates }

  /// The lowest sample rate that can be encoded and loses nothing; the highest where none is as
  /// high.
  package func sampleRate(for rate: Int) -> Int {
    let rates = sampleRates
    return rates.isEmpty ? rate : rates.first { $0 >= rate } ?? rates[rates.count - 1]
  }

  /// The layout under which channels are encoded; nil where they cannot be.
  package func layout(for layout: ChannelLayout) -> ChannelLayout? {
    let layouts = facts.layouts
    if layouts.isEmpty { return (1...64).contains(layout.channelCount) ? layout : nil }
    return layout.named(among: layouts)
  }

  /// The layout that can be encoded and loses the fewest channels of another, whose other channels
  /// are mixed into it; nil where there is none. Low frequencies count less than other channels.
  package func largestLayout(within source: ChannelLayout) -> ChannelLayout? {
    func rank(_ layout: ChannelLayout) -> Int {
      2 * layout.channelCount - (layout.speakers.contains(.lowFrequency) ? 1 : 0)
    }
    return facts.layouts.filter { $0.isPart(of: source) }.max { rank($0) < rank($1) }
  }

  /// The usual bit rate, in bits a second of all channels; nil for codecs that lose nothing.
  package func bitRate(channelCount: Int, sampleRate: Int) -> Int? {
    let rates = facts.bitRates
    guard let each = rates.last else { return nil }
    let rate = channelCount <= 2 ? rates[max(channelCount, 1) - 1] : each * channelCount
    return sampleRate < 48000 ? rate / 48 * sampleRate / 1000 : rate
  }

  /// The bit rate that the encoder takes, nearest to one that is wanted.
  ///
  /// - Parameter rate: bits a second of all channels.
  package func bitRate(nearest rate: Int, channelCount: Int, sampleRate: Int) -> Int {
    let limits: ClosedRange<Int> =
      switch self {
      case .opus: 6_000...256_000 * channelCount
      // Frames of AC-3 have few sizes (ATSC A/52, table 5.18), and small ones no room for channels.
      case .ac3: 32_000 * channelCount...640_000
      // 6144 bits a channel and frame of 1024 samples (ISO/IEC 14496-3, 4.5.3.3).
      case .aac: 6_000...6 * sampleRate * channelCount
      case .alac, .flac, .pcm16, .pcm24: rate...rate
      }
    return min(max(rate, limits.lowerBound), limits.upperBound)
  }

  /// Format of samples for the encoder.
  func format(_ settings: AudioEncoderSettings) -> AudioFormat {
    AudioFormat(
      sampleRate: settings.sampleRate, layout: settings.layout,
      samples: settings.isDeep ? facts.samples.deep : facts.samples.shallow)
  }
}

/// Settings of an encoder of audio.
package struct AudioEncoderSettings: Hashable, Sendable {
  /// The codec.
  package var codec: AudioCodec
  /// Samples a second of each channel.
  package var sampleRate: Int
  /// The channels.
  package var layout: ChannelLayout
  /// Bits a second of all channels; nil for codecs that lose nothing.
  package var bitRate: Int?
  /// True if samples have more than 16 bits, in a codec that can hold them.
  package var isDeep: Bool

  /// Settings from their parts.
  package init(
    codec: AudioCodec, sampleRate: Int, layout: ChannelLayout, bitRate: Int?, isDeep: Bool
  ) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.layout = layout
    self.bitRate = bitRate
    self.isDeep = isDeep
  }
}
