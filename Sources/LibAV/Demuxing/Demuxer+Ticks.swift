// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Corrects AVI audio whose times are too large by a factor.
extension Demuxer {
  /// Returns the factor by which a track's times are too large; 1 if they are correct.
  ///
  /// - Parameter stream: a track of an AVI file.
  static func tickFactor(of stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    // For some codecs (DTS, G.722, G.726), FFmpeg's own muxer writes the length, rate and scale in
    // whole packets. It also writes a sample size, which makes FFmpeg's demuxer count bytes.
    guard unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { return 1 }
    let count = unsafe avformat_index_get_entries_count(stream)
    // In such a file, the header's length is the number of packets, but the times in the index rise
    // by the same step of more than 1 from packet to packet. This step is the factor.
    guard count > 1, unsafe stream.pointee.duration == Int64(count),
      let second = unsafe avformat_index_get_entry(stream, 1),
      let last = unsafe avformat_index_get_entry(stream, count - 1)
    else { return 1 }
    let step = unsafe second.pointee.timestamp
    let end = step.multipliedReportingOverflow(by: Int64(count - 1))
    guard step > 1, !end.overflow, unsafe last.pointee.timestamp == end.partialValue else {
      return 1
    }
    return step
  }

  /// Converts a packet's times to the ticks of its track.
  static func correctTicks(of packet: UnsafeMutablePointer<AVPacket>, by factor: Int64) {
    if unsafe packet.pointee.pts != candela_nopts() { unsafe packet.pointee.pts /= factor }
    if unsafe packet.pointee.dts != candela_nopts() { unsafe packet.pointee.dts /= factor }
  }
}
