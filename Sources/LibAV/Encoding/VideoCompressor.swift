// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
internal import Glibc
package import MediaCore

/// Compresses frames with one of FFmpeg's video encoders. The frames arrive in presentation order.
@safe
package final class VideoCompressor {
  /// What an encoder needs to know before it is opened.
  package struct Settings {
    /// FFmpeg's name for the encoder, such as `libsvtav1`.
    package var encoderName: String
    /// The size in luma samples.
    package var size: VideoDimensions
    /// The depth and the subsampling.
    package var format: PixelFormat
    package var signal: SignalDescription
    /// The shape of a sample, or `nil` if undeclared.
    package var sampleAspectRatio: PixelAspectRatio?
    /// The timescale of the frames' times, in ticks per second.
    package var timescale: Int32
    package var frameRate: FrameRate
    /// The largest number of frames from one sync sample to the next, or `nil` for the encoder's
    /// default.
    package var maxKeyFrameInterval: Int?
    /// Whether to ask the encoder to make a key frame of each frame. SVT-AV1 does so only if its
    /// option `enable-force-key-frames` is set, too.
    package var forcesKeyFrames = false
    /// Bits per second, or `nil` if a rate factor is among the options.
    package var averageBitRate: Int?
    /// The encoder's own options.
    package var options: [(name: String, value: String)] = []

    package init(
      encoderName: String, size: VideoDimensions, format: PixelFormat, signal: SignalDescription,
      timescale: Int32, frameRate: FrameRate
    ) {
      (self.encoderName, self.size, self.format) = (encoderName, size, format)
      (self.signal, self.timescale, self.frameRate) = (signal, timescale, frameRate)
    }
  }

  /// The encoder's configuration, which samples may repeat.
  package let configuration: [UInt8]

  private let format: PixelFormat
  private let timescale: Int32
  private let forcesKeyFrames: Bool
  private let codec: CodecParameters
  private let ownedContext: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe ownedContext.pointer }
  private var frameCount = 0
  private var isEnded = false

  /// Opens an encoder.
  ///
  /// - Throws: ``LibAVError``; `unsupported` if FFmpeg was built without the encoder.
  package init(_ settings: Settings) throws(LibAVError) {
    _ = Self.isSilent
    let name = settings.encoderName
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw LibAVError(
        "avcodec_find_encoder_by_name", candela_averror_encoder_not_found(), .findingComponent,
        context: name)
    }
    (format, timescale) = (settings.format, settings.timescale)
    forcesKeyFrames = settings.forcesKeyFrames
    unsafe ownedContext = try unsafe .codecContext(encoder)
    let context = unsafe ownedContext.pointer
    unsafe settings.write(to: context)
    for (name, value) in settings.options {
      try unsafe check(
        av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN), "av_opt_set", context: name)
    }
    try unsafe check(avcodec_open2(context, encoder, nil), "avcodec_open2", context: name)
    codec = try unsafe CodecParameters(of: context)
    configuration = codec.extradata
  }

  /// Silences SVT-AV1, which prints its settings unless the environment variable `SVT_LOG` says
  /// otherwise.
  private static let isSilent: Bool =
    unsafe setenv("SVT_LOG", "0", 0) == 0 && FFmpeg.isSilent

  deinit {
    // SVT-AV1 1.4.1 hangs if it is closed before it has received a frame.
    if frameCount == 0 { try? sendBlankFrame() }
  }

  /// Returns whether FFmpeg was built with the encoder of that name.
  package static func isAvailable(_ encoderName: String) -> Bool {
    unsafe avcodec_find_encoder_by_name(encoderName) != nil
  }

  /// The version of SVT-AV1 that libavcodec uses, or `nil` if libavcodec does not use SVT-AV1.
  package static var svtAV1Version: String? {
    unsafe candela_svt_av1_version().map { unsafe String(cString: $0) }
  }

  /// Opens a decoder for the samples.
  package func makeDecoder() throws(LibAVError) -> VideoDecoder {
    try VideoDecoder(codec, AVRational(num: 1, den: timescale))
  }

  /// Takes a frame and returns the packets that have become ready.
  package func encode(_ frame: VideoFrame) throws(LibAVError) -> [Packet] {
    let owner = try makeFrame(at: frame.presentationTimeStamp.converted(to: timescale).value)
    let (copy, buffer) = unsafe (owner.frame, frame.pixelBuffer)
    let rows = unsafe [
      copy.pointee.linesize.0, copy.pointee.linesize.1, copy.pointee.linesize.2,
    ]
    for unsafe(target, (row, plane)) in unsafe zip(
      [copy.pointee.data.0, copy.pointee.data.1, copy.pointee.data.2], zip(rows, buffer.planes))
    {
      guard let target = unsafe target else { continue }
      unsafe plane.copy(into: target, bytesPerRow: Int(row))
    }
    try send(owner)
    return try receive()
  }

  private func sendBlankFrame() throws(LibAVError) { try send(makeFrame(at: 0)) }

  private func send(_ frame: FrameOwner) throws(LibAVError) {
    frameCount += 1
    try unsafe check(avcodec_send_frame(context, frame.frame), "avcodec_send_frame")
  }

  private func makeFrame(at ticks: Int64) throws(LibAVError) -> FrameOwner {
    let owner = try FrameOwner()
    let frame = unsafe owner.frame
    unsafe frame.pointee.format = format.ffmpegFormat(isRGB: false).rawValue
    unsafe frame.pointee.width = context.pointee.width
    unsafe frame.pointee.height = context.pointee.height
    unsafe frame.pointee.pts = ticks
    if forcesKeyFrames { unsafe frame.pointee.pict_type = AV_PICTURE_TYPE_I }
    try unsafe check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
    return owner
  }

  /// Returns the packets that the encoder still holds. After that, nothing can be encoded.
  package func finish() throws(LibAVError) -> [Packet] {
    guard !isEnded, frameCount > 0 else { return [] }
    isEnded = true
    try unsafe check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    return try receive()
  }

  private func receive() throws(LibAVError) -> [Packet] {
    var packets: [Packet] = []
    while true {
      let packet = try unsafe Owner.packet()
      let code = unsafe avcodec_receive_packet(context, packet.pointer)
      if code == candela_averror_eagain() || code == candela_averror_eof() { return packets }
      try check(code, "avcodec_receive_packet")
      packets.append(
        try unsafe Packet(
          moving: packet.pointer, timeBase: AVRational(num: 1, den: timescale)))
    }
  }
}

extension VideoCompressor.Settings {
  fileprivate func write(to context: UnsafeMutablePointer<AVCodecContext>) {
    unsafe context.pointee.pix_fmt = format.ffmpegFormat(isRGB: false)
    unsafe context.pointee.width = Int32(clamping: size.width)
    unsafe context.pointee.height = Int32(clamping: size.height)
    unsafe context.pointee.time_base = AVRational(num: 1, den: timescale)
    unsafe context.pointee.framerate = AVRational(
      num: Int32(clamping: frameRate.numerator), den: Int32(clamping: frameRate.denominator))
    if let ratio = sampleAspectRatio {
      unsafe context.pointee.sample_aspect_ratio = AVRational(ratio)
    }
    unsafe signal.write(to: context)
    if let interval = maxKeyFrameInterval {
      unsafe context.pointee.gop_size = Int32(clamping: interval)
    }
    if let rate = averageBitRate { unsafe context.pointee.bit_rate = Int64(rate) }
    unsafe context.pointee.flags |=
      AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
    // Without this flag, encoders ignore options that they do not know.
    unsafe context.pointee.err_recognition |= AV_EF_EXPLODE
  }
}

extension SignalDescription {
  /// Declares the signal of an encoder's frames.
  fileprivate func write(to context: UnsafeMutablePointer<AVCodecContext>) {
    unsafe color.write(to: context)
    if let isFull = videoFullRangeFlag {
      unsafe context.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
    if let location = chromaLocation {
      // FFmpeg counts chroma locations from 1, and H.273 counts them from 0.
      unsafe context.pointee.chroma_sample_location = AVChromaLocation(
        UInt32(location.rawValue) + 1)
    }
  }
}
