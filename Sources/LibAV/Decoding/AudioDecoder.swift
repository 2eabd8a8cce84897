// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Audio that came out of a decoder.
package struct DecodedAudio: Sendable {
  /// The samples of each channel, −1…1; channels have as many each.
  package let channels: [[Float]]
  /// Samples a second.
  package let sampleRate: Int
  /// When the first sample is heard, in the track's media timeline; nil if the file does not say.
  package let presentationTime: MediaTime?
}

/// Decodes the audio of one track into floating point. Nothing is left out: what encoders put in
/// front and behind is for the caller to cut off, by the edits.
@safe
package final class AudioDecoder {
  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private let ownedFrame: Owner<UnsafeMutablePointer<AVFrame>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private var frame: UnsafeMutablePointer<AVFrame> { unsafe ownedFrame.pointer }
  private let timeBase: AVRational

  /// Opens the decoder that FFmpeg has for a track.
  ///
  /// - Throws: ``LibAVError``; `unsupported` where FFmpeg has no decoder for the codec.
  package init(track: DemuxedTrack) throws(LibAVError) {
    _ = LibraryLog.isSilent
    let parameters = unsafe track.codec.pointer
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(),
        context: "codec \(track.codec.codecName)")
    }
    timeBase = track.timeBase
    unsafe ownedContext = try unsafe .codecContext(codec)
    unsafe ownedFrame = try unsafe .frame()
    let context = unsafe ownedContext.pointer
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
    unsafe context.pointee.pkt_timebase = timeBase
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    try unsafe check(
      avcodec_open2(context, codec, nil), "avcodec_open2",
      context: "codec \(track.codec.codecName)")
  }

  /// Hands over a packet, or nil at the end of the track. All audio must have been received before
  /// the next packet is sent.
  ///
  /// - Throws: ``LibAVError`` for a packet that cannot be decoded; the next ones can be sent.
  package func send(_ packet: Packet?) throws(LibAVError) {
    let code = unsafe avcodec_send_packet(context, packet?.pointer)
    guard code != candela_averror_eof() else { return }
    try check(code, "avcodec_send_packet")
  }

  /// The next audio; nil when another packet is needed or, after the end was sent, when there is
  /// no more.
  ///
  /// - Throws: ``LibAVError`` for audio that cannot be decoded; the next can be received.
  package func receive() throws(LibAVError) -> DecodedAudio? {
    let code = unsafe avcodec_receive_frame(context, frame)
    if code == candela_averror_eagain() || code == candela_averror_eof() { return nil }
    try check(code, "avcodec_receive_frame")
    defer { unsafe av_frame_unref(frame) }
    let format = unsafe AVSampleFormat(frame.pointee.format)
    let count = unsafe Int(frame.pointee.nb_samples)
    let channelCount = unsafe Int(context.pointee.ch_layout.nb_channels)
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
    return DecodedAudio(
      channels: channels, sampleRate: unsafe Int(frame.pointee.sample_rate),
      presentationTime: unsafe MediaTime(frame.pointee.pts, timeBase: timeBase)
        ?? MediaTime(frame.pointee.best_effort_timestamp, timeBase: timeBase))
  }

  /// How a sample is read, by FFmpeg's format of samples that lie side by side.
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
