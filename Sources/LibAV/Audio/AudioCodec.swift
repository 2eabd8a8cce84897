// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// The codecs that audio can be encoded with, by FFmpeg's names.
public enum AudioCodec: String, Sendable, CaseIterable {
  /// Advanced Audio Coding, which practically every player knows.
  case aac
  /// Apple Lossless: smaller than PCM, and nothing is lost.
  case alac
  /// Opus, at 48 kHz.
  case opus
  /// Free Lossless Audio Codec.
  case flac
  /// PCM: samples of 16 bits, not compressed.
  case pcm16 = "pcm_s16le"
  /// PCM: samples of 24 bits, not compressed.
  case pcm24 = "pcm_s24le"
  /// Dolby Digital, with up to 5.1 channels.
  case ac3

  /// What an encoder takes, and its usual bit rates.
  private struct Facts {
    /// The name of libavcodec's encoder.
    var encoder: String
    /// The sample rates in rising order; empty if the encoder takes all rates.
    var sampleRates: [Int] = []
    /// The layouts of channels; empty if the encoder takes all layouts.
    var layouts: [ChannelLayout] = []
    /// The sample type for audio of up to 16 bits, and the sample type for audio of more than 16
    /// bits.
    var samples: (shallow: AVSampleFormat, deep: AVSampleFormat)
    /// The usual bit rates at 48 kHz, in bits a second: for one channel, for two channels, and for
    /// each channel if there are more. Empty if the codec is lossless.
    var bitRates: [Int] = []
  }

  private var facts: Facts {
    let floats = (AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLTP)
    return switch self {
    case .aac:
      Facts(
        // AAC has a channel configuration (ISO/IEC 14496-3) for each of these layouts except 2.1
        // and quad. A program config element describes those two, in a form that all decoders read.
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
        // FFmpeg 5.1 passes 5.0 and 6.1 to libopus with the channels in the wrong order, so both
        // layouts are missing here.
        layouts: [.mono, .stereo, .surround30, .quad, .surround51, .surround71],
        samples: (AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLT), bitRates: [64_000, 128_000, 64_000])
    case .flac:
      Facts(
        encoder: "flac",
        layouts: [
          .mono, .stereo, .surround30, .quad, .surround50, .surround51, .surround61, .surround71,
        ], samples: (AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32))
    case .pcm16: Facts(encoder: rawValue, samples: (AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16))
    // libavcodec's encoder takes 32 bits a sample and writes the upper 24.
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

  /// Whether decoding gives back exactly the samples that were encoded.
  package var isLossless: Bool { facts.bitRates.isEmpty }

  /// The sample rates that can be encoded, in rising order; empty if all rates can be encoded.
  package var sampleRates: [Int] { facts.sampleRates }

  /// Returns the lowest sample rate that can be encoded and is not below the given rate. If all are
  /// below it, returns the highest.
  package func sampleRate(for rate: Int) -> Int {
    let rates = sampleRates
    return rates.isEmpty ? rate : rates.first { $0 >= rate } ?? rates[rates.count - 1]
  }

  /// Returns the codec's layout that has the same channels as the given one; `nil` if the codec
  /// cannot encode these channels.
  package func layout(for layout: ChannelLayout) -> ChannelLayout? {
    let layouts = facts.layouts
    if layouts.isEmpty { return (1...64).contains(layout.channelCount) ? layout : nil }
    return layout.named(among: layouts)
  }

  /// Returns the layout to mix the source's channels down to: of the codec's layouts, the one that
  /// loses the fewest channels. Returns `nil` if no layout of the codec is part of the source's
  /// layout.
  package func largestLayout(within source: ChannelLayout) -> ChannelLayout? {
    func rank(_ layout: ChannelLayout) -> Int {
      // A channel of low frequencies counts as half a channel, because losing any other channel is
      // worse.
      2 * layout.channelCount - (layout.speakers.contains(.lowFrequency) ? 1 : 0)
    }
    return facts.layouts.filter { $0.isPart(of: source) }.max { rank($0) < rank($1) }
  }

  /// Returns the usual bit rate in bits a second, for all channels together; `nil` if the codec is
  /// lossless.
  package func bitRate(channelCount: Int, sampleRate: Int) -> Int? {
    let rates = facts.bitRates
    guard let each = rates.last else { return nil }
    let rate = channelCount <= 2 ? rates[max(channelCount, 1) - 1] : each * channelCount
    // The table is for 48 kHz. At lower sample rates, a second has fewer samples that need bits.
    return sampleRate < 48000 ? rate / 48 * sampleRate / 1000 : rate
  }

  /// Returns the requested bit rate, or the nearest bit rate that the encoder takes.
  ///
  /// - Parameter rate: bits a second for all channels together.
  package func bitRate(nearest rate: Int, channelCount: Int, sampleRate: Int) -> Int {
    let limits: ClosedRange<Int> =
      switch self {
      // libopus refuses more than 256 kbit/s a channel. RFC 6716, 2.1.1, allows no less than 6
      // kbit/s.
      case .opus: 6_000...256_000 * channelCount
      // AC-3 has few sizes of frames (ATSC A/52, table 5.18), and small frames have no room for
      // many channels.
      case .ac3: 32_000 * channelCount...640_000
      // A frame of 1024 samples has at most 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.3).
      case .aac: 6_000...6 * sampleRate * channelCount
      case .alac, .flac, .pcm16, .pcm24: rate...rate
      }
    return min(max(rate, limits.lowerBound), limits.upperBound)
  }

  /// Returns the format of samples that the encoder takes.
  func format(_ settings: AudioEncoderSettings) -> AudioFormat {
    AudioFormat(
      sampleRate: settings.sampleRate, layout: settings.layout,
      samples: settings.isDeep ? facts.samples.deep : facts.samples.shallow)
  }
}

/// What an audio encoder has to produce.
package struct AudioEncoderSettings: Hashable, Sendable {
  package var codec: AudioCodec
  /// The sample rate in Hz.
  package var sampleRate: Int
  package var layout: ChannelLayout
  /// Bits a second for all channels together; `nil` if the codec is lossless.
  package var bitRate: Int?
  /// Whether to encode more than 16 bits a sample, if the codec can.
  package var isDeep: Bool

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
