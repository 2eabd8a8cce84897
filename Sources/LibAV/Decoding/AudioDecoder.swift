// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Audio that came out of a decoder.
package struct DecodedAudio: Sendable {
  /// The samples.
  package let buffer: AudioBuffer
  /// Presentation time of the first of them, in the track's media timeline; nil if the file states
  /// none.
  package let presentationTimeStamp: MediaTime?
  /// Number of the first samples that are not to be heard: priming, as container or codec state it.
  package let leadingSkip: Int
  /// Number of the last samples that are not to be heard: padding, as the container states it.
  package let trailingSkip: Int
  /// True if the decoder says that the samples are damaged.
  package let isDamaged: Bool
}

/// Decodes one track of audio. All samples of all packets are given; the caller decides which are
/// presented.
@safe
package final class AudioDecoder {
  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private let timeBase: AVRational

  /// Opens the decoder that FFmpeg has for a track.
  ///
  /// - Throws: ``LibAVError``; `unsupported` where FFmpeg has no decoder for the codec.
  package init(track: DemuxedTrack) throws(LibAVError) {
    _ = FFmpeg.isSilent
    let parameters = unsafe track.codec.pointer
    let name = track.codec.codecName
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), context: "codec \(name)")
    }
    timeBase = track.timeBase
    unsafe ownedContext = try unsafe .codecContext(codec)
    let context = unsafe ownedContext.pointer
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
    unsafe context.pointee.pkt_timebase = timeBase
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // AC-3 states how its loud parts may be made quieter for a small room; the output is as loud as
    // the source is without. Other decoders leave the option alone.
    _ = unsafe av_dict_set(&options, "drc_scale", "0", 0)
    try unsafe check(
      avcodec_open2(context, codec, &options), "avcodec_open2", context: "codec \(name)")
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

  /// The next audio; nil when another packet is needed or, after the end was sent, when there is no
  /// more.
  ///
  /// - Throws: ``LibAVError`` for what cannot be decoded; the next can be received.
  package func receive() throws(LibAVError) -> DecodedAudio? {
    let owner = try unsafe Owner<UnsafeMutablePointer<AVFrame>>.frame()
    let frame = unsafe owner.pointer
    let code = unsafe avcodec_receive_frame(context, frame)
    if code == candela_averror_eagain() || code == candela_averror_eof() { return nil }
    try check(code, "avcodec_receive_frame")
    let time = unsafe MediaTime(frame.pointee.pts, timeBase: timeBase)
    let skips = unsafe SkippedSamples(UnsafePointer(frame))
    let flags = unsafe frame.pointee.flags & AV_FRAME_FLAG_CORRUPT
    return DecodedAudio(
      buffer: unsafe AudioBuffer(owner), presentationTimeStamp: time, leadingSkip: skips.leading,
      trailingSkip: skips.trailing,
      isDamaged: unsafe frame.pointee.decode_error_flags != 0 || flags != 0)
  }
}
