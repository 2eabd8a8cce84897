// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Compresses pictures as PNG.
package enum PNGEncoder {
  /// A PNG file of a picture.
  ///
  /// - Parameter pixels: R', G' and B' of 8 bits for each pixel, row by row: 3 × width × height.
  /// - Throws: ``LibAVError`` where the libraries have no such encoder.
  package static func encode(
    _ pixels: [UInt8], width: Int, height: Int
  ) throws(LibAVError) -> [UInt8] {
    precondition(pixels.count == width * height * 3, "three bytes a pixel")
    _ = LibraryLog.isSilent
    guard let encoder = unsafe avcodec_find_encoder(AV_CODEC_ID_PNG) else {
      throw LibAVError("avcodec_find_encoder", candela_averror_encoder_not_found(), context: "png")
    }
    var context = unsafe Optional(
      try allocated(avcodec_alloc_context3(encoder), "avcodec_alloc_context3"))
    defer { unsafe avcodec_free_context(&context) }
    unsafe context?.pointee.pix_fmt = AV_PIX_FMT_RGB24
    unsafe context?.pointee.width = Int32(width)
    unsafe context?.pointee.height = Int32(height)
    unsafe context?.pointee.time_base = AVRational(num: 1, den: 1)
    try unsafe check(avcodec_open2(context, encoder, nil), "avcodec_open2", context: "png")
    var frame = unsafe Optional(try frame(pixels, width, height))
    defer { unsafe av_frame_free(&frame) }
    var packet = unsafe Optional(try allocated(av_packet_alloc(), "av_packet_alloc"))
    defer { unsafe av_packet_free(&packet) }
    try unsafe check(avcodec_send_frame(context, frame), "avcodec_send_frame")
    try unsafe check(avcodec_receive_packet(context, packet), "avcodec_receive_packet")
    guard let data = unsafe packet?.pointee.data, let size = unsafe packet?.pointee.size else {
      throw LibAVError("avcodec_receive_packet", candela_averror_invaliddata())
    }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(size)))
  }

  @unsafe
  private static func frame(
    _ pixels: [UInt8], _ width: Int, _ height: Int
  ) throws(LibAVError) -> UnsafeMutablePointer<AVFrame> {
    let frame = unsafe try allocated(av_frame_alloc(), "av_frame_alloc")
    unsafe frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
    unsafe frame.pointee.width = Int32(width)
    unsafe frame.pointee.height = Int32(height)
    let code = unsafe av_frame_get_buffer(frame, 0)
    guard code >= 0, let plane = unsafe frame.pointee.data.0 else {
      var unused: UnsafeMutablePointer<AVFrame>? = unsafe frame
      unsafe av_frame_free(&unused)
      throw LibAVError("av_frame_get_buffer", code)
    }
    for row in 0..<height {
      let line = unsafe plane + row * Int(frame.pointee.linesize.0)
      for index in 0..<width * 3 { unsafe line[index] = pixels[row * width * 3 + index] }
    }
    return unsafe frame
  }
}
