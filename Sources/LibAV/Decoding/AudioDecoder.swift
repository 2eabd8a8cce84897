// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Audio that a decoder returned.
package struct DecodedAudio: Sendable {
  /// The decoded samples of all channels.
  package let buffer: AudioBuffer
  /// When the first sample is presented, in the track's media timeline; `nil` if the file does not
  /// say.
  package let presentationTimeStamp: MediaTime?
  /// How many samples to drop from the beginning: the priming that the container or the codec
  /// declares.
  package let leadingSkip: Int
  /// How many samples to drop from the end: the padding that the container declares.
  package let trailingSkip: Int
  /// Whether the decoder calls the samples damaged.
  package let isDamaged: Bool
}

/// Decodes one audio track. It returns all samples of all packets, and the caller decides which are
/// presented.
@safe
package final class AudioDecoder {
  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private let timeBase: AVRational
  private var configuration: SentConfiguration

  /// Opens FFmpeg's decoder for a track.
  ///
  /// - Throws: ``LibAVError``; `unsupported` if FFmpeg has no decoder for the codec.
  package init(track: DemuxedTrack) throws(LibAVError) {
    _ = FFmpeg.isSilent
    let parameters = unsafe track.codec.pointer
    let name = track.codec.codecName
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), .findingComponent,
        context: "codec \(name)")
    }
    timeBase = track.timeBase
    configuration = SentConfiguration(track.codec)
    unsafe ownedContext = try unsafe .codecContext(codec)
    let context = unsafe ownedContext.pointer
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
    unsafe context.pointee.pkt_timebase = timeBase
    // A file may have a hundred tracks, and audio decoders gain little from threads.
    unsafe context.pointee.thread_count = 1
    // Without this flag libavcodec cuts priming and padding itself, and the caller never learns how
    // much.
    unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // AC-3 carries gains that compress the dynamic range for small rooms. Turn them off, because
    // the output has to keep the source's dynamics. Other decoders ignore the option.
    _ = unsafe av_dict_set(&options, "drc_scale", "0", 0)
    try unsafe check(
      avcodec_open2(context, codec, &options), "avcodec_open2", context: "codec \(name)")
  }

  /// Sends a packet, or `nil` at the end of the track. Receive all audio before sending the next
  /// packet.
  ///
  /// - Throws: ``LibAVError`` if the packet cannot be decoded. Later packets can still be sent.
  package func send(_ packet: Packet?) throws(LibAVError) {
    var packet = packet
    if let plain = packet { packet = try configuration.stated(with: plain) }
    let code = unsafe avcodec_send_packet(context, packet?.pointer)
    // A decoder returns this code if it was already told that the track ends. That is not an error.
    guard code != candela_averror_eof() else { return }
    try check(code, "avcodec_send_packet")
  }

  /// Returns the next audio; `nil` if the decoder needs another packet or, after the end of the
  /// track, has no more audio.
  ///
  /// - Throws: ``LibAVError`` if the audio cannot be decoded. Later audio can still be received.
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

  /// Returns the same codec with the sample rate and the channels of the audio that was decoded
  /// last.
  func described(_ codec: CodecParameters) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: codec.pointer)
    let found = try unsafe CodecParameters(of: context)
    unsafe copy.pointer.pointee.sample_rate = found.pointer.pointee.sample_rate
    unsafe copy.pointer.pointee.frame_size = found.pointer.pointee.frame_size
    unsafe copy.pointer.pointee.profile = found.pointer.pointee.profile
    try unsafe check(
      av_channel_layout_copy(&copy.pointer.pointee.ch_layout, &found.pointer.pointee.ch_layout),
      "av_channel_layout_copy")
    return copy
  }
}
