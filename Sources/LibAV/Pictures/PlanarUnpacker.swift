// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import MediaCore

/// Unpacks interleaved, packed, palette and alpha formats into planes. The samples stay the same,
/// and so do color and range. Depth and subsampling change only if a ``PixelFormat`` cannot have
/// them.
@safe
final class PlanarUnpacker {
  private let context: OpaquePointer
  private let pool: PixelBufferPool
  private let format: AVPixelFormat

  /// Makes an unpacker for frames like the given one.
  ///
  /// - Throws: ``LibAVError`` if samples are floating point or in a device's memory, or if
  ///   libswscale cannot read the format.
  init(_ owner: FrameOwner) throws(LibAVError) {
    let frame = unsafe owner.frame
    format = unsafe AVPixelFormat(frame.pointee.format)
    let name = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) } ?? "unknown"
    let unsupported = LibAVError(
      "sws_getContext", candela_averror_patchwelcome(), context: "pixel format \(name)")
    guard let target = PlanarUnpacker.planar(format) else { throw unsupported }
    let width = unsafe frame.pointee.width
    let height = unsafe frame.pointee.height
    let context = unsafe sws_getContext(
      width, height, format, width, height, target.format.ffmpegFormat(isRGB: target.isRGB),
      // Here, the nearest source sample is always the wanted sample itself. Any other filter could
      // change values.
      SWS_POINT | SWS_ACCURATE_RND, nil, nil, nil)
    guard let context = unsafe context else { throw unsupported }
    unsafe self.context = unsafe context
    pool = PixelBufferPool(target.format, width: Int(width), height: Int(height))
  }

  deinit {
    unsafe sws_freeContext(context)
  }

  private static func planar(_ format: AVPixelFormat) -> (format: PixelFormat, isRGB: Bool)? {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee else { return nil }
    guard unsafe descriptor.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT) == 0
    else {
      return nil
    }
    let isRGB =
      unsafe descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    let depth = unsafe min(max(Int(descriptor.comp.0.depth), 8), 16)
    // 4:1:1, 4:1:0 and 4:4:0 become 4:4:4, which has room for all of their samples.
    let subsampling = isRGB ? .cs444 : unsafe ChromaSubsampling(descriptor) ?? .cs444
    return (PixelFormat(bitDepth: depth, chromaSubsampling: subsampling), isRGB)
  }

  func unpack(_ owner: FrameOwner, attachments: Attachments) throws(LibAVError) -> PixelBuffer {
    let frame = unsafe owner.frame
    guard unsafe AVPixelFormat(frame.pointee.format) == format,
      unsafe Int(frame.pointee.width) == pool.width,
      unsafe Int(frame.pointee.height) == pool.height
    else {
      throw LibAVError(
        "sws_scale", candela_averror_patchwelcome(),
        context: "the frame size or format changes midway")
    }
    return unsafe try pool.makeBuffer(attachments: attachments) { planes throws(LibAVError) in
      var data = unsafe planes.map {
        unsafe Optional($0.baseAddress.assumingMemoryBound(to: UInt8.self))
      }
      var rows = unsafe planes.map { unsafe Int32($0.bytesPerRow) }
      let lines = unsafe candela_sws_scale_frame(context, frame, &data, &rows, Int32(planes.count))
      try check(lines, "sws_scale")
    }
  }
}
