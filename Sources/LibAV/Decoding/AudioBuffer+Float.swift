// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

extension AudioBuffer {
  /// Returns the samples of each channel as numbers from −1 to 1, for every type of sample that
  /// decoders commonly return.
  ///
  /// - Throws: ``LibAVError``; `unsupported` if this function does not know the type of samples.
  package func floatChannels() throws(LibAVError) -> [[Float]] {
    let format = unsafe AVSampleFormat(frame.pointee.format)
    let count = unsafe Int(max(frame.pointee.nb_samples, 0))
    let channelCount = unsafe Int(max(frame.pointee.ch_layout.nb_channels, 0))
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let size = Int(av_get_bytes_per_sample(format))
    let sample = try unsafe Self.sample(av_get_packed_sample_fmt(format))
    var channels: [[Float]] = []
    for channel in 0..<channelCount {
      guard let plane = unsafe frame.pointee.extended_data[isPlanar ? channel : 0] else {
        throw LibAVError("avcodec_receive_frame", candela_averror_invaliddata())
      }
      let first = unsafe UnsafeRawPointer(plane) + (isPlanar ? 0 : channel * size)
      let step = isPlanar ? size : channelCount * size
      channels.append((0..<count).map { unsafe sample(first + $0 * step) })
    }
    return channels
  }

  /// Returns a function that reads one sample of an interleaved format.
  private static func sample(
    _ format: AVSampleFormat
  ) throws(LibAVError) -> (UnsafeRawPointer) -> Float {
    switch format {
    case AV_SAMPLE_FMT_U8: return { (unsafe Float($0.load(as: UInt8.self)) - 128) / 128 }
    case AV_SAMPLE_FMT_S16: return { unsafe Float($0.load(as: Int16.self)) / 32768 }
    case AV_SAMPLE_FMT_S32: return { unsafe Float($0.load(as: Int32.self)) / 2_147_483_648 }
    case AV_SAMPLE_FMT_FLT: return { unsafe $0.load(as: Float.self) }
    case AV_SAMPLE_FMT_DBL: return { unsafe Float($0.load(as: Double.self)) }
    default: throw LibAVError("avcodec_receive_frame", candela_averror_patchwelcome())
    }
  }
}
