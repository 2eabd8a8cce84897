// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Corrects audio in AVI whose times run too fast.
extension Demuxer {
  /// Returns the factor by which a track's times are too large; 1 if they are correct.
  ///
  /// - Parameter stream: a track of an AVI file.
  static func tickFactor(of stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    // For some codecs (DTS, G.722, G.726) FFmpeg's own muxer writes a length, a rate and a scale of
    // whole packets, and beside them a size of samples, by which its demuxer counts bytes.
    guard unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { return 1 }
    let count = unsafe avformat_index_get_entries_count(stream)
    // The header's length then is the number of packets, and the index goes far beyond it.
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

  /// Brings a packet's times back to the ticks of its track.
  static func correctTicks(of packet: UnsafeMutablePointer<AVPacket>, by factor: Int64) {
    if unsafe packet.pointee.pts != candela_nopts() { unsafe packet.pointee.pts /= factor }
    if unsafe packet.pointee.dts != candela_nopts() { unsafe packet.pointee.dts /= factor }
  }
}
