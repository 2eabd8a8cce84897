// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
package import MediaCore

/// A frame that came out of a decoder.
package struct DecodedFrame: Sendable {
  /// The samples, wrapped and not copied. Its signal is what the decoder states.
  package var pixelBuffer: PixelBuffer
  /// The number of the packet that the frame came in (``VideoDecoder/packetCount``).
  package let packetNumber: Int
  /// Presentation time of the frame, in the track's media timeline: the time of its packet, or else
  /// the one that FFmpeg makes from decode times; nil if the file states none.
  package var presentationTimeStamp: MediaTime?
  /// The duration that the container gives the frame's sample; zero if unknown.
  package let duration: MediaTime
  /// The order in time of the two fields, or that they are of the same time.
  package let fieldOrder: FieldOrder
  /// True if a field of the frame is shown twice, as in a pulldown of film.
  package let repeatsField: Bool
  /// True if the frame has an opacity, which is not among the samples.
  package let hasAlpha: Bool
  /// True if the frame's samples hold captions (ATSC A/53).
  package let hasCaptions: Bool
  /// True if parts of the frame were damaged and made up by the decoder.
  package let isDamaged: Bool
  /// The dynamic metadata of the frame, which whoever read the packet knows.
  package var metadata = FrameMetadata()
  /// True if the frame is damaged, or depends on one that is, as whoever read its packets knows.
  package var followsDamage = false
  /// The opacity of each pixel as ``StillImage`` has it, where the decoder was asked for it.
  var opacity: (values: [UInt16], maximum: UInt16)?
}

/// Decodes the frames of one track, on several threads.
@safe
package final class VideoDecoder {
  /// The most frames that a decoder remembers for others (H.264, A.3.1; H.265, A.4.2).
  package static let longestMemory = 16

  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private let timeBase: AVRational
  private let complaints = DecoderComplaints()
  private var unpacker: PlanarUnpacker?
  /// Number of packets that were sent, which is the number of the last one.
  package private(set) var packetCount = 0
  /// True if frames come with their opacity.
  var readsOpacity = false

  /// Opens the decoder that FFmpeg has for a track.
  ///
  /// - Parameters:
  ///   - onePicture: true if only the first picture is wanted: frame threads would take in further
  ///     packets, and decode them, before they give it.
  ///   - threads: number of threads that decode; 0 for as many as there are cores.
  /// - Throws: ``LibAVError``; `unsupported` where FFmpeg has no decoder for the codec.
  package init(
    track: DemuxedTrack, onePicture: Bool = false, threads: Int = 0
  ) throws(LibAVError) {
    let parameters = unsafe track.codec.pointer
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), .findingDecoder,
        context: "codec \(track.codec.codecName)")
    }
    timeBase = track.timeBase
    unsafe ownedContext = try unsafe .codecContext(codec)
    let context = unsafe ownedContext.pointer
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
    // What the container states is known from the track: pictures say what the bitstream says.
    unsafe candela_forget_decoder_side_data(context)
    unsafe context.pointee.chroma_sample_location = AVCHROMA_LOC_UNSPECIFIED
    unsafe context.pointee.pkt_timebase = timeBase
    unsafe candela_carry_packet_numbers(context)
    unsafe complaints.listen(to: context)
    // A file may have a hundred tracks; each would have a thread for each core.
    unsafe context.pointee.thread_count = onePicture ? 1 : Int32(clamping: threads)
    unsafe context.pointee.thread_type =
      onePicture ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE
    try unsafe check(
      avcodec_open2(context, codec, nil), "avcodec_open2",
      context: "codec \(track.codec.codecName)")
  }

  /// Hands over a packet, or nil at the end of the track. All frames must have been received
  /// before the next packet is sent.
  ///
  /// - Throws: ``LibAVError`` for a packet that cannot be decoded; the next ones can be sent.
  package func send(_ packet: Packet?) throws(LibAVError) {
    if let packet {
      packetCount += 1
      unsafe candela_set_packet_number(context, packet.pointer, Int64(packetCount))
    }
    let code = unsafe avcodec_send_packet(context, packet?.pointer)
    guard code != candela_averror_eof() else { return }
    try check(code, "avcodec_send_packet")
  }

  /// True if the decoder reported errors since the last question. Its threads may report those of a
  /// frame a few frames before they give it, or before they fail.
  package func takeComplaint() -> Bool { complaints.take() }

  /// The number of errors that the decoder reported so far.
  package var complaintCount: Int { complaints.total }

  /// Waits until all that was sent is decoded, and forgets it.
  package func flush() { unsafe avcodec_flush_buffers(context) }

  /// The next frame in the order of presentation; nil when another packet is needed or, after
  /// the end was sent, when there are no more.
  ///
  /// - Throws: ``LibAVError`` for a frame that cannot be decoded; the next ones can be received.
  package func receive() throws(LibAVError) -> DecodedFrame? {
    let owner = try FrameOwner()
    let code = unsafe avcodec_receive_frame(context, owner.frame)
    if code == candela_averror_eagain() || code == candela_averror_eof() { return nil }
    try check(code, "avcodec_receive_frame")
    let frame = unsafe owner.frame
    return DecodedFrame(
      pixelBuffer: try pixelBuffer(owner),
      packetNumber: unsafe Int(candela_packet_number(frame)),
      presentationTimeStamp: unsafe MediaTime(frame.pointee.pts, timeBase: timeBase)
        ?? MediaTime(frame.pointee.best_effort_timestamp, timeBase: timeBase),
      duration: unsafe MediaTime(candela_frame_duration(frame), timeBase: timeBase) ?? .zero,
      fieldOrder: unsafe FieldOrder(frame), repeatsField: unsafe frame.pointee.repeat_pict == 1,
      hasAlpha: owner.hasAlpha,
      hasCaptions: unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC) != nil,
      isDamaged: unsafe frame.pointee.decode_error_flags != 0
        || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0,
      opacity: readsOpacity ? owner.opacity : nil)
  }

  private func pixelBuffer(_ owner: FrameOwner) throws(LibAVError) -> PixelBuffer {
    var attachments = unsafe Attachments(owner.frame)
    attachments.signal.match(isRGB: owner.isRGB)
    if let buffer = PixelBuffer(owner, attachments: attachments) { return buffer }
    if unpacker == nil { unpacker = try PlanarUnpacker(owner) }
    guard let buffer = try unpacker?.unpack(owner, attachments: attachments) else {
      throw LibAVError("sws_getContext", candela_averror_patchwelcome())
    }
    return buffer
  }
}

extension FieldOrder {
  fileprivate init(_ frame: UnsafePointer<AVFrame>) {
    if unsafe candela_frame_is_interlaced(frame) == 0 {
      self = .progressive
    } else {
      self = unsafe candela_frame_top_field_first(frame) != 0 ? .topFirst : .bottomFirst
    }
  }
}

extension Attachments {
  /// Attachments that the decoder states for a frame.
  fileprivate init(_ frame: UnsafePointer<AVFrame>) {
    self = unsafe Attachments(
      signal: SignalDescription(
        primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc,
        space: frame.pointee.colorspace, range: frame.pointee.color_range,
        chromaLocation: frame.pointee.chroma_location),
      masteringDisplay: MasteringDisplayColorVolume(frame),
      contentLightLevel: ContentLightLevel(frame))
  }
}

extension MasteringDisplayColorVolume {
  fileprivate init?(_ frame: UnsafePointer<AVFrame>) {
    let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)
    guard let bytes = unsafe data?.pointee.data else { return nil }
    unsafe self.init(UnsafeRawPointer(bytes).load(as: AVMasteringDisplayMetadata.self))
  }
}

extension ContentLightLevel {
  fileprivate init?(_ frame: UnsafePointer<AVFrame>) {
    let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)
    guard let bytes = unsafe data?.pointee.data else { return nil }
    unsafe self.init(UnsafeRawPointer(bytes).load(as: AVContentLightMetadata.self))
  }
}

extension SignalDescription {
  /// Sets the matrix by the kind of samples: R'G'B' has the matrix "identity" and, where nothing is
  /// stated, full range; and Y'CbCr has any other.
  fileprivate mutating func match(isRGB: Bool) {
    if isRGB {
      color.matrixCoefficients = .identity
      videoFullRangeFlag = videoFullRangeFlag ?? true
    } else if color.matrixCoefficients == .identity {
      color.matrixCoefficients = .unspecified
    }
  }
}
