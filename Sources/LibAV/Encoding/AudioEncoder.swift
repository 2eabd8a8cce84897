// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Compresses audio as AAC.
@safe
package final class AudioEncoder {
  /// The codec, for a muxer.
  package let codec: CodecParameters
  /// Samples of silence that the encoder puts in front; a player has to skip them.
  package let primingSampleCount: Int
  /// Samples a channel in each packet.
  package let samplesPerPacket: Int

  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private let ownedFrame: Owner<UnsafeMutablePointer<AVFrame>>
  private let ownedPacket: Owner<UnsafeMutablePointer<AVPacket>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private var frame: UnsafeMutablePointer<AVFrame> { unsafe ownedFrame.pointer }
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe ownedPacket.pointer }
  private var nextSample: Int64 = 0

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - sampleRate: samples a second of each channel.
  ///   - channelCount: 1 or 2.
  ///   - bitRate: bits a second of all channels together.
  package init(sampleRate: Int, channelCount: Int, bitRate: Int) throws(LibAVError) {
    _ = LibraryLog.isSilent
    guard let encoder = unsafe avcodec_find_encoder(AV_CODEC_ID_AAC) else {
      throw LibAVError("avcodec_find_encoder", candela_averror_encoder_not_found(), context: "aac")
    }
    unsafe ownedContext = try unsafe .codecContext(encoder)
    unsafe ownedFrame = try unsafe .frame()
    unsafe ownedPacket = try unsafe .packet()
    let context = unsafe ownedContext.pointer
    unsafe context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    unsafe context.pointee.sample_rate = Int32(sampleRate)
    unsafe context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
    unsafe context.pointee.bit_rate = Int64(bitRate)
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    unsafe av_channel_layout_default(&context.pointee.ch_layout, Int32(channelCount))
    try unsafe check(avcodec_open2(context, encoder, nil), "avcodec_open2", context: "aac")
    codec = try unsafe CodecParameters(of: context)
    primingSampleCount = unsafe Int(context.pointee.initial_padding)
    samplesPerPacket = unsafe Int(context.pointee.frame_size)
  }

  /// Takes the samples of one packet, from −1 to 1, one array for each channel; gives the packets
  /// that have become ready.
  ///
  /// - Parameter channels: arrays of ``samplesPerPacket`` samples; the last may be shorter.
  package func encode(_ channels: [[Float]]) throws(LibAVError) -> [EncodedSample] {
    let count = channels.map(\.count).min() ?? 0
    unsafe frame.pointee.nb_samples = Int32(count)
    unsafe frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    unsafe frame.pointee.sample_rate = context.pointee.sample_rate
    unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
    unsafe frame.pointee.pts = nextSample
    nextSample += Int64(count)
    try unsafe check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
    defer { unsafe av_frame_unref(frame) }
    for (index, samples) in channels.enumerated() {
      guard let plane = unsafe frame.pointee.extended_data[index] else { continue }
      unsafe samples.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: plane, count: count * 4)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count * 4)))
      }
    }
    try unsafe check(avcodec_send_frame(context, frame), "avcodec_send_frame")
    return try receive()
  }

  /// Gives the packets that were held back. Nothing can be encoded afterwards.
  package func finish() throws(LibAVError) -> [EncodedSample] {
    try unsafe check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    return try receive()
  }

  private func receive() throws(LibAVError) -> [EncodedSample] {
    var samples: [EncodedSample] = []
    let timescale = unsafe context.pointee.sample_rate
    while true {
      let code = unsafe avcodec_receive_packet(context, packet)
      if code == candela_averror_eagain() || code == candela_averror_eof() { return samples }
      try check(code, "avcodec_receive_packet")
      let bytes = unsafe Array(
        UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
      let time = unsafe MediaTime(value: packet.pointee.pts, timescale: timescale)
      samples.append(
        EncodedSample(
          bytes: bytes, presentationTime: time, decodeTime: time,
          duration: unsafe MediaTime(value: packet.pointee.duration, timescale: timescale),
          isSync: true))
      unsafe av_packet_unref(packet)
    }
  }
}
