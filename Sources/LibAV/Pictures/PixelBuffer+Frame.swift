// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import MediaCore

/// Keeps one of FFmpeg's frames for as long as somebody reads its samples.
@safe
struct FrameOwner: Sendable {
  fileprivate let shared: SharedObject<AVFrame>
  var frame: UnsafeMutablePointer<AVFrame> { unsafe shared.pointer }

  init() throws(LibAVError) { unsafe shared = SharedObject(try .frame()) }

  private var flags: UInt64 {
    unsafe av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format))?.pointee.flags ?? 0
  }

  /// Whether samples are R'G'B', which includes palettes.
  var isRGB: Bool { flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0 }

  /// Whether the format has opacity, which does not become part of a `PixelBuffer`.
  var hasAlpha: Bool { flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 }
}

extension PixelFormat {
  /// Makes a format from FFmpeg's format; `nil` unless FFmpeg's format is planar, has no opacity,
  /// has 8 to 16 bits and is in native byte order.
  init?(_ format: AVPixelFormat) {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee else { return nil }
    // `PlanarUnpacker` unpacks or refuses formats with one of these flags, because the kernels read
    // only plain planes.
    let unsuitable =
      UInt64(AV_PIX_FMT_FLAG_PAL) | UInt64(AV_PIX_FMT_FLAG_BITSTREAM)
      | UInt64(AV_PIX_FMT_FLAG_HWACCEL) | UInt64(AV_PIX_FMT_FLAG_FLOAT)
      | UInt64(AV_PIX_FMT_FLAG_BAYER) | UInt64(AV_PIX_FMT_FLAG_ALPHA)
      | UInt64(AV_PIX_FMT_FLAG_BE)
    let isGray = unsafe descriptor.nb_components == 1
    let isPlanar = unsafe descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
    guard unsafe descriptor.flags & unsuitable == 0, isGray || isPlanar else { return nil }
    let components = unsafe [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2]
      .prefix(Int(descriptor.nb_components))
    let depth = unsafe descriptor.comp.0.depth
    let bytes: Int32 = depth > 8 ? 2 : 1
    // Each plane has one component, in the low bits of its words.
    guard (8...16).contains(depth), unsafe isGray || descriptor.nb_components == 3,
      components.allSatisfy({ $0.depth == depth && $0.shift == 0 && $0.step == bytes }),
      isGray || Set(components.map(\.plane)).count == 3,
      let subsampling = unsafe ChromaSubsampling(descriptor)
    else { return nil }
    self.init(bitDepth: Int(depth), chromaSubsampling: subsampling)
  }

  /// Returns FFmpeg's format with these samples.
  func ffmpegFormat(isRGB: Bool) -> AVPixelFormat {
    // FFmpeg names planar R'G'B' by the order of its planes: G', B', R'.
    let letter = isRGB ? "gbrp" : chromaSubsampling.ffmpegName
    let depth = bitDepth > 8 ? "\(bitDepth)\(candela_is_big_endian() != 0 ? "be" : "le")" : ""
    return unsafe av_get_pix_fmt(letter + depth)
  }
}

extension ChromaSubsampling {
  /// Makes a subsampling from FFmpeg's pixel format; `nil` for 4:1:1, 4:1:0 and 4:4:0.
  init?(_ descriptor: AVPixFmtDescriptor) {
    let isGray = unsafe descriptor.nb_components < 3
    let shifts = unsafe (descriptor.log2_chroma_w, descriptor.log2_chroma_h)
    switch shifts {
    case _ where isGray: self = .cs400
    case (1, 1): self = .cs420
    case (1, 0): self = .cs422
    case (0, 0): self = .cs444
    default: return nil
    }
  }

  fileprivate var ffmpegName: String {
    switch self {
    case .cs400: "gray"
    case .cs420: "yuv420p"
    case .cs422: "yuv422p"
    case .cs444: "yuv444p"
    }
  }
}

extension PixelBuffer {
  /// Wraps the samples of a frame without a copy; `nil` unless their format is also a
  /// ``PixelFormat``.
  convenience init?(_ owner: FrameOwner, attachments: Attachments) {
    let frame = unsafe owner.frame
    guard let format = unsafe PixelFormat(AVPixelFormat(frame.pointee.format)) else { return nil }
    let width = unsafe Int(frame.pointee.width)
    let height = unsafe Int(frame.pointee.height)
    let data = unsafe [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
    let rows = unsafe [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
    ]
    var planes: [Plane] = unsafe []
    for index in 0..<format.planeCount {
      guard let base = unsafe data[index] else { return nil }
      let size = format.planeSize(index, width: width, height: height)
      unsafe planes.append(
        Plane(
          baseAddress: base, bytesPerRow: Int(rows[index]), width: size.width, height: size.height))
    }
    unsafe self.init(
      format, width: width, height: height, attachments: attachments, planes: planes,
      owner: owner.shared)
  }
}
