// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Compresses audio with one of FFmpeg's encoders.
@safe
package final class AudioEncoder {
  /// The codec with its configuration, for a muxer.
  package let codec: CodecParameters
  /// The number of silent samples that the encoder puts first. A player has to skip them.
  package let primingSampleCount: Int
  /// The number of samples of each channel in a packet.
  package let samplesPerPacket: Int
  package let format: AudioFormat

  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private let ownedPacket: Owner<UnsafeMutablePointer<AVPacket>>
  private let ownedQueue: Owner<OpaquePointer>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe ownedPacket.pointer }
  /// Samples that do not fill a packet yet.
  private var queue: OpaquePointer { unsafe ownedQueue.pointer }
  private var nextSample: Int64 = 0

  /// The number of samples in a packet if the codec leaves that number to us.
  private static let usualPacket = 4096

  /// Opens an encoder.
  ///
  /// - Throws: ``LibAVError``; `unsupported` if FFmpeg was built without the encoder.
  package init(_ settings: AudioEncoderSettings) throws(LibAVError) {
    _ = FFmpeg.isSilent
    let name = settings.codec.encoderName
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw LibAVError(
        "avcodec_find_encoder_by_name", candela_averror_encoder_not_found(), .findingComponent,
        context: name)
    }
    format = settings.codec.format(settings)
    unsafe ownedContext = try unsafe .codecContext(encoder)
    unsafe ownedPacket = try unsafe .packet()
    let context = unsafe ownedContext.pointer
    unsafe context.pointee.sample_fmt = format.samples
    unsafe context.pointee.sample_rate = Int32(clamping: format.sampleRate)
    unsafe context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: format.sampleRate))
    if let bitRate = settings.bitRate { unsafe context.pointee.bit_rate = Int64(bitRate) }
    if settings.codec.isLossless, format.isDeep {
      // The encoders take 32 bits a sample. Only the upper 24 of them are used.
      unsafe context.pointee.bits_per_raw_sample = 24
    }
    // A movie's sample entry needs the configuration, which would otherwise be in the packets.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    unsafe format.layout.write(to: &context.pointee.ch_layout)
    try unsafe check(avcodec_open2(context, encoder, nil), "avcodec_open2", context: name)
    codec = try unsafe CodecParameters(of: context)
    primingSampleCount = unsafe Int(context.pointee.initial_padding)
    let size = unsafe Int(context.pointee.frame_size)
    samplesPerPacket = size > 0 ? size : Self.usualPacket
    let queue = unsafe av_audio_fifo_alloc(
      format.samples, Int32(clamping: format.layout.channelCount), Int32(samplesPerPacket))
    guard let queue = unsafe queue else {
      throw LibAVError("av_audio_fifo_alloc", candela_averror_enomem())
    }
    unsafe ownedQueue = unsafe Owner(queue) { unsafe av_audio_fifo_free($0) }
  }

  /// Takes any number of samples in ``format`` and returns the packets that are ready. Times count
  /// from the first sample, so the times of priming are negative.
  package func append(_ buffer: AudioBuffer) throws(LibAVError) -> [EncodedSample] {
    let data = unsafe UnsafeMutableRawPointer(buffer.frame.pointee.extended_data)
    let planes = unsafe data?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    try unsafe check(
      av_audio_fifo_write(queue, planes, Int32(buffer.sampleCount)), "av_audio_fifo_write")
    var samples: [EncodedSample] = []
    while unsafe av_audio_fifo_size(queue) >= samplesPerPacket {
      samples += try encode(samplesPerPacket)
    }
    return samples
  }

  /// Returns the packets that were held back. After that, nothing can be encoded.
  package func finish() throws(LibAVError) -> [EncodedSample] {
    var samples: [EncodedSample] = []
    // The encoder's output is behind its input by the length of the priming. An encoder without
    // `AV_CODEC_CAP_DELAY` returns the last samples only after more input, so send silence.
    if unsafe context.pointee.codec.pointee.capabilities & AV_CODEC_CAP_DELAY == 0,
      primingSampleCount > 0
    {
      samples += try append(try .silence(format, count: primingSampleCount))
    }
    let rest = unsafe Int(av_audio_fifo_size(queue))
    if rest > 0 { samples += try encode(rest) }
    guard nextSample > 0 else { return samples }
    try unsafe check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    return samples + (try receive())
  }

  private func encode(_ count: Int) throws(LibAVError) -> [EncodedSample] {
    let buffer = try AudioBuffer(format, count: count)
    let data = unsafe UnsafeMutableRawPointer(buffer.frame.pointee.extended_data)
    let planes = unsafe data?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    try unsafe check(av_audio_fifo_read(queue, planes, Int32(count)), "av_audio_fifo_read")
    unsafe buffer.frame.pointee.pts = nextSample
    nextSample += Int64(count)
    try unsafe check(avcodec_send_frame(context, buffer.frame), "avcodec_send_frame")
    return try receive()
  }

  private func receive() throws(LibAVError) -> [EncodedSample] {
    var samples: [EncodedSample] = []
    let timescale = unsafe context.pointee.sample_rate
    while true {
      let code = unsafe avcodec_receive_packet(context, packet)
      if code == candela_averror_eagain() || code == candela_averror_eof() { return samples }
      try check(code, "avcodec_receive_packet")
      // FLAC ends with a packet without data, which carries its final header.
      guard unsafe packet.pointee.size > 0 else { continue }
      let bytes = unsafe Array(
        UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
      let time = unsafe MediaTime(value: packet.pointee.pts, timescale: timescale)
      samples.append(
        EncodedSample(
          bytes: bytes, presentationTimeStamp: time, decodeTimeStamp: time,
          duration: unsafe MediaTime(value: packet.pointee.duration, timescale: timescale),
          isSync: true))
      unsafe av_packet_unref(packet)
    }
  }
}
