// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
package import MediaCore

/// A frame that a decoder returned.
package struct DecodedFrame: Sendable {
  /// The samples, wrapped without a copy, with the signal that the decoder reports.
  package var pixelBuffer: PixelBuffer
  /// The number of the packet that the frame came in (see ``VideoDecoder/packetCount``).
  package let packetNumber: Int
  /// When the frame is presented, in the track's media timeline. This is the time of its packet, or
  /// else a time that FFmpeg derives from decode times; `nil` if the file has neither.
  package var presentationTimeStamp: MediaTime?
  /// The duration of the frame's sample in the container; zero if unknown.
  package let duration: MediaTime
  /// The order of the two fields in time; `progressive` if the frame has no fields.
  package let fieldOrder: FieldOrder
  /// Whether a field of the frame is shown twice, as in the 2:3 pulldown of film.
  package let repeatsField: Bool
  /// Whether the frame has opacity, which ``pixelBuffer`` does not contain.
  package let hasAlpha: Bool
  /// Whether the frame carries captions (ATSC A/53).
  package let hasCaptions: Bool
  /// Whether parts of the frame were damaged and the decoder made them up.
  package let isDamaged: Bool
  /// The dynamic metadata of the frame. The code that reads the packet sets it.
  package var metadata = FrameMetadata()
  /// Whether the frame is damaged or depends on a damaged one. The code that reads its packets sets
  /// it.
  package var followsDamage = false
  /// The opacity of each pixel, row by row, and the number that means opaque; `nil` if the frame
  /// stores no opacity, or if the decoder was not asked for it.
  package var opacity: (values: [UInt16], maximum: UInt16)?
}

/// Decodes the frames of one track, on several threads.
@safe
package final class VideoDecoder {
  /// The largest number of frames that a decoder keeps for the prediction of other frames (H.264,
  /// A.3.1; H.265, A.4.2).
  package static let longestMemory = 16

  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private let timeBase: AVRational
  private let complaints = DecoderErrorCounter()
  /// Finds the units of a packet that are not decoded; `nil` if packets have none.
  private let unreadUnits: ((Span<UInt8>) -> [Range<Int>])?
  private var configuration: SentConfiguration
  private var unpacker: PlanarUnpacker?
  /// The number of packets sent so far. It is also the number of the last packet, because packets
  /// are counted from 1.
  package private(set) var packetCount = 0
  /// Whether frames come with their opacity.
  var readsOpacity = false

  /// Opens FFmpeg's decoder for a track.
  ///
  /// - Parameters:
  ///   - onePicture: whether only the first frame is wanted.
  ///   - threads: the number of threads to decode with; 0 for as many as there are cores.
  /// - Throws: ``LibAVError``; `unsupported` if FFmpeg has no decoder for the codec.
  package convenience init(
    track: DemuxedTrack, onePicture: Bool = false, threads: Int = 0
  ) throws(LibAVError) {
    try self.init(track.codec, track.timeBase, onePicture: onePicture, threads: threads)
  }

  /// Opens FFmpeg's decoder for packets with times of a given timescale.
  init(
    _ codecParameters: CodecParameters, _ timeBase: AVRational, onePicture: Bool = false,
    threads: Int = 0
  ) throws(LibAVError) {
    let (parameters, codecName) = unsafe (codecParameters.pointer, codecParameters.codecName)
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), .findingComponent,
        context: "codec \(codecName)")
    }
    self.timeBase = timeBase
    unreadUnits = codecParameters.unreadUnits
    configuration = SentConfiguration(codecParameters)
    unsafe ownedContext = try unsafe .codecContext(codec)
    let context = unsafe ownedContext.pointer
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
    // The track already has what the container says. Frames must carry only what the bitstream
    // says. Otherwise a conflict between container and bitstream would never be seen.
    unsafe candela_forget_decoder_side_data(context)
    unsafe context.pointee.chroma_sample_location = AVCHROMA_LOC_UNSPECIFIED
    unsafe context.pointee.pkt_timebase = timeBase
    // Decoders reorder frames, and times may be missing or appear twice. So each frame carries the
    // number of its packet.
    unsafe candela_carry_packet_numbers(context)
    unsafe complaints.listen(to: context)
    // One thread is enough for one frame. A file may have a hundred tracks, and each decoder would
    // otherwise get a thread for every core. A decoder with frame threads also decodes further
    // packets before it returns the first frame, which would be wasted work.
    unsafe context.pointee.thread_count = onePicture ? 1 : Int32(clamping: threads)
    unsafe context.pointee.thread_type =
      onePicture ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE
    try unsafe check(
      avcodec_open2(context, codec, nil), "avcodec_open2",
      context: "codec \(codecName)")
  }

  /// Sends a packet, or `nil` at the end of the track. Receive all frames before sending the next
  /// packet.
  ///
  /// - Throws: ``LibAVError`` if the packet cannot be decoded. Later packets can still be sent.
  package func send(_ packet: Packet?) throws(LibAVError) {
    var packet = packet
    if let whole = packet {
      packetCount += 1
      let unread = unreadUnits.map { whole.withBytes($0) } ?? []
      let plain = unread.isEmpty ? whole : try whole.removing(unread)
      // A packet that consisted only of unread units is now empty. The decoder would take it for an
      // error or for the end of the track.
      guard !plain.isEmpty || whole.isEmpty else { return }
      let stated = try configuration.stated(with: plain)
      unsafe candela_set_packet_number(context, stated.pointer, Int64(packetCount))
      packet = stated
    }
    let code = unsafe avcodec_send_packet(context, packet?.pointer)
    guard code != candela_averror_eof() else { return }
    try check(code, "avcodec_send_packet")
  }

  /// Returns whether the decoder has reported errors since the last call. With several threads, the
  /// decoder may report a frame's errors a few frames before it returns that frame or fails to
  /// decode it.
  package func takeComplaint() -> Bool { complaints.take() }

  /// The number of messages so far in which the decoder reported an error or concealed damage.
  package var complaintCount: Int { complaints.total }

  /// Waits until everything that was sent is decoded, and drops the results.
  package func flush() { unsafe avcodec_flush_buffers(context) }

  /// Returns the next frame in presentation order; `nil` if the decoder needs another packet or,
  /// after the end of the track, has no more frames.
  ///
  /// - Throws: ``LibAVError`` if a frame cannot be decoded. Later frames can still be received.
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
  /// Makes attachments from what the decoder reports about a frame.
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
  /// Makes the matrix fit the samples. R'G'B' gets "identity", and full range if no range is
  /// declared. Y'CbCr loses "identity".
  fileprivate mutating func match(isRGB: Bool) {
    // Tags that contradict the samples cannot be true, because R'G'B' is made without a matrix and
    // Y'CbCr is made with one.
    if isRGB {
      color.matrixCoefficients = .identity
      videoFullRangeFlag = videoFullRangeFlag ?? true
    } else if color.matrixCoefficients == .identity {
      color.matrixCoefficients = .unspecified
    }
  }
}
