// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
package import MediaCore

/// Compresses a frame as a still image. Only AV1 gets color tags.
package enum ImageEncoder: Sendable {
  /// PNG with R'G'B' of 8 or 16 bits.
  case png
  /// JPEG with full-range Y'CbCr.
  case jpeg
  /// WebP with Y'CbCr, 4:2:0.
  case webp
  /// One AV1 frame of Y'CbCr, 4:4:4, with 8 or 10 bits. The result is open bitstream units, of
  /// which the first are a temporal delimiter and a sequence header.
  case av1

  private var codecName: String {
    switch self {
    case .png: "png"
    case .jpeg: "mjpeg"
    case .webp: "libwebp"
    case .av1: "libaom-av1"
    }
  }

  /// Returns the encoder's options, by FFmpeg's names.
  private func options(bitDepth: Int) -> [(name: String, value: String)] {
    switch self {
    // Encoding takes half as long as it would with a more thorough search, and files are hardly
    // larger.
    case .png: [("pred", "up"), ("compression_level", "4")]
    case .jpeg: [("huffman", "optimal")]
    case .webp: [("quality", "90"), ("compression_level", "4")]
    case .av1:
      [
        // For 10 bits, a `crf` of 3 keeps the errors of 99 % of the components within 6 code
        // values, even in HLG, which shows more of the errors than SDR does.
        ("crf", bitDepth > 8 ? "3" : "14"), ("cpu-used", "7"), ("usage", "allintra"),
        ("still-picture", "1"), ("row-mt", "1"),
      ]
    }
  }

  /// Returns FFmpeg's format of the samples that the encoder takes.
  private func format(_ picture: PixelBuffer) -> AVPixelFormat {
    switch self {
    case .png: picture.format.bitDepth > 8 ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGB24
    case .jpeg:
      picture.format.chromaSubsampling == .cs444 ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P
    case .webp: AV_PIX_FMT_YUV420P
    case .av1: picture.format.bitDepth > 8 ? AV_PIX_FMT_YUV444P10LE : AV_PIX_FMT_YUV444P
    }
  }

  /// Encodes a frame as a file. PNG takes planes of G', B' and R' with 8 or 16 bits. AV1 takes
  /// planes of Y', Cb and Cr with 8 or 10 bits. JPEG and WebP take planes of Y', Cb and Cr with 8
  /// bits.
  ///
  /// - Throws: ``LibAVError`` if encoding fails or the libraries lack the encoder.
  package func encode(_ picture: PixelBuffer) throws(LibAVError) -> [UInt8] {
    let format = format(picture)
    // Formats other than AV1 declare the color in the file, outside of the encoded samples.
    let signal = self == .av1 ? picture.attachments.signal : nil
    return try unsafe Self.encode(
      codecName, format, size: picture.size, options: options(bitDepth: picture.format.bitDepth),
      signal: signal
    ) { frame in
      for index in unsafe 0..<(self == .png ? 1 : picture.planes.count) {
        let target = unsafe [frame.data.0, frame.data.1, frame.data.2][index]
        let bytes = unsafe [frame.linesize.0, frame.linesize.1, frame.linesize.2][index]
        guard let target = unsafe target else { continue }
        if self == .png {
          unsafe picture.interleave(into: target, bytesPerRow: Int(bytes))
        } else {
          unsafe picture.planes[index].copy(into: target, bytesPerRow: Int(bytes))
        }
      }
    }
  }

  /// Returns an encoder's output for one frame.
  ///
  /// - Parameters:
  ///   - signal: the color that the encoded frame declares; `nil` if it declares none.
  ///   - fill: writes the samples.
  private static func encode(
    _ name: String, _ format: AVPixelFormat, size: VideoDimensions,
    options: [(name: String, value: String)], signal: SignalDescription? = nil,
    fill: (AVFrame) -> Void
  ) throws(LibAVError) -> [UInt8] {
    let owner = try unsafe openEncoder(name, format, size: size, options: options, signal: signal)
    let context = unsafe owner.pointer
    let frame = try FrameOwner()
    let pointer = unsafe frame.frame
    unsafe pointer.pointee.format = format.rawValue
    unsafe pointer.pointee.width = Int32(size.width)
    unsafe pointer.pointee.height = Int32(size.height)
    unsafe pointer.pointee.pts = 0
    unsafe pointer.pointee.quality = context.pointee.global_quality
    try unsafe check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
    unsafe fill(pointer.pointee)
    let packet = try unsafe Owner.packet()
    try unsafe check(avcodec_send_frame(context, pointer), "avcodec_send_frame")
    // Encoders that look ahead return their only packet once they know that no frame follows.
    try unsafe check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    try unsafe check(avcodec_receive_packet(context, packet.pointer), "avcodec_receive_packet")
    guard let data = unsafe packet.pointer.pointee.data else {
      throw LibAVError("avcodec_receive_packet", candela_averror_invaliddata())
    }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(packet.pointer.pointee.size)))
  }

  private static func openEncoder(
    _ name: String, _ format: AVPixelFormat, size: VideoDimensions,
    options: [(name: String, value: String)], signal: SignalDescription?
  ) throws(LibAVError) -> Owner<UnsafeMutablePointer<AVCodecContext>> {
    _ = FFmpeg.isSilent
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw LibAVError(
        "avcodec_find_encoder_by_name", candela_averror_encoder_not_found(), .findingComponent,
        context: name)
    }
    let owner = try unsafe Owner.codecContext(encoder)
    let context = unsafe owner.pointer
    unsafe context.pointee.pix_fmt = format
    unsafe context.pointee.width = Int32(size.width)
    unsafe context.pointee.height = Int32(size.height)
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    // Without a ratio, JPEG gets no JFIF header.
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    // Only JPEG's encoder needs this setting. It would override the quality options of other
    // encoders.
    if name == jpeg.codecName {
      unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      unsafe context.pointee.global_quality = jpegQuality
    }
    if let signal {
      unsafe signal.color.write(to: context)
      unsafe context.pointee.color_range =
        signal.videoFullRangeFlag == true ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
      // Only AV1 has a signal here, and the number of threads may change its result. With a fixed
      // number, a still is the same file on any machine.
      unsafe context.pointee.thread_count = 4
    }
    for (name, value) in options {
      try unsafe check(
        av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN), "av_opt_set", context: name)
    }
    try unsafe check(avcodec_open2(context, encoder, nil), "avcodec_open2", context: name)
    return unsafe owner
  }

  // At a scale of 2, nobody sees a difference from the source.
  /// The scale of JPEG's quantization. 1 is the finest, and larger numbers are coarser.
  private static var jpegQuality: Int32 { 2 * FF_QP2LAMBDA }
}

extension ImageEncoder {
  /// Encodes pixels as a PNG file.
  ///
  /// - Parameter pixels: R', G' and B' of 8 bits for each pixel, row by row: 3 × width × height.
  /// - Throws: ``LibAVError`` if encoding fails or the libraries lack the encoder.
  package static func png(
    _ pixels: [UInt8], width: Int, height: Int
  ) throws(LibAVError) -> [UInt8] {
    precondition(pixels.count == width * height * 3, "three bytes a pixel")
    let size = VideoDimensions(width: width, height: height)
    return try unsafe encode("png", AV_PIX_FMT_RGB24, size: size, options: []) { frame in
      guard let plane = unsafe frame.data.0 else { return }
      for row in 0..<height {
        let line = unsafe plane + row * Int(frame.linesize.0)
        for index in 0..<width * 3 { unsafe line[index] = pixels[row * width * 3 + index] }
      }
    }
  }
}

extension ColorDescription {
  /// Sets the code points for an encoder.
  func write(to context: UnsafeMutablePointer<AVCodecContext>) {
    let color = numbered
    unsafe context.pointee.color_primaries = AVColorPrimaries(UInt32(color.colorPrimaries.rawValue))
    unsafe context.pointee.color_trc = AVColorTransferCharacteristic(
      UInt32(color.transferCharacteristics.rawValue))
    unsafe context.pointee.colorspace = AVColorSpace(UInt32(color.matrixCoefficients.rawValue))
  }
}

extension PixelBuffer.Plane {
  /// Copies the rows to other memory.
  func copy(into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
    let count = unsafe min(abs(self.bytesPerRow), bytesPerRow)
    for row in unsafe 0..<height {
      unsafe UnsafeMutableRawPointer(target + row * bytesPerRow).copyMemory(
        from: baseAddress + row * self.bytesPerRow, byteCount: count)
    }
  }
}

extension PixelBuffer {
  /// Writes planes of G', B' and R' as pixels of R', G' and B'. Two-byte samples have the high byte
  /// first.
  func interleave(into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
    for row in 0..<height {
      let line = unsafe target + row * bytesPerRow
      for unsafe(place, plane) in unsafe [2, 0, 1].map({ unsafe planes[$0] }).enumerated() {
        let start = unsafe plane.baseAddress + row * plane.bytesPerRow
        if format.bytesPerSample == 1 {
          let samples = unsafe start.assumingMemoryBound(to: UInt8.self)
          for column in 0..<width { unsafe line[3 * column + place] = unsafe samples[column] }
        } else {
          let samples = unsafe start.assumingMemoryBound(to: UInt16.self)
          let words = unsafe UnsafeMutableRawPointer(line).assumingMemoryBound(to: UInt16.self)
          for column in 0..<width {
            unsafe words[3 * column + place] = unsafe samples[column].bigEndian
          }
        }
      }
    }
  }
}
