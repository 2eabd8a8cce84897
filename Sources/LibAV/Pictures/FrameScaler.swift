// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// Scales frames without a change of format or color.
///
/// It uses libswscale's Lanczos filter and keeps the chroma location.
@safe
package final class FrameScaler {
  /// Which part of the source is used, and where it goes.
  package struct Geometry: Hashable, Sendable {
    /// The part of the source to use.
    package var source: PixelRectangle
    /// Where that part goes in the result. Everything around it is black.
    package var target: PixelRectangle
    package var size: VideoDimensions

    package init(source: PixelRectangle, target: PixelRectangle, size: VideoDimensions) {
      self.source = source
      self.target = target
      self.size = size
    }

    /// Whether rows are resampled, which would mix the two fields of a frame.
    package var changesRows: Bool { source.height != target.height }

    /// Returns whether both fields have the same number of whole rows, in luma and in chroma. Only
    /// then can each field be scaled separately.
    package func dividesFields(_ subsampling: ChromaSubsampling) -> Bool {
      [source.y, source.height, target.y, target.height, size.height].allSatisfy {
        $0 % (2 << subsampling.verticalShift) == 0
      }
    }
  }

  /// One context for the frame, or one for each of its fields.
  private let contexts: [OpaquePointer]
  private let geometry: Geometry
  private let pool: PixelBufferPool
  private let black: [UInt16]

  /// Makes a scaler for frames of one format.
  ///
  /// - Parameter byFields: whether to scale each field separately, if the geometry allows it.
  /// - Throws: ``LibAVError`` if libswscale does not support the format.
  package init(
    format: PixelFormat, signal: SignalDescription, geometry: Geometry, byFields: Bool = false
  ) throws(LibAVError) {
    let isRGB = signal.color.matrixCoefficients == .identity
    let pixels = format.ffmpegFormat(isRGB: isRGB)
    let fields: [Int?] =
      byFields && geometry.dividesFields(format.chromaSubsampling) ? [0, 1] : [nil]
    var contexts: [OpaquePointer] = unsafe []
    do {
      for field in fields {
        unsafe contexts.append(
          try Self.context(
            pixels, signal: signal, format: format, geometry: geometry, field: field))
      }
    } catch {
      unsafe contexts.forEach { unsafe sws_freeContext($0) }
      throw error
    }
    unsafe self.contexts = unsafe contexts
    self.geometry = geometry
    pool = PixelBufferPool(format, width: geometry.size.width, height: geometry.size.height)
    let one = UInt16(1) << UInt16(format.bitDepth - 8)
    let darkest = signal.videoFullRangeFlag == true || isRGB ? 0 : 16 * one
    black = isRGB ? [0, 0, 0] : [darkest, 128 * one, 128 * one]
  }

  deinit {
    unsafe contexts.forEach { unsafe sws_freeContext($0) }
  }

  /// - Parameter field: 0 for the upper field, 1 for the lower; `nil` for the whole frame.
  private static func context(
    _ pixels: AVPixelFormat, signal: SignalDescription, format: PixelFormat, geometry: Geometry,
    field: Int?
  ) throws(LibAVError) -> OpaquePointer {
    let unsupported = LibAVError("sws_init_context", candela_averror_patchwelcome())
    guard let context = unsafe sws_alloc_context() else { throw unsupported }
    let range: Int64 = signal.videoFullRangeFlag == true ? 1 : 0
    let parts = field == nil ? 1 : 2
    var options: [(String, Int64)] = [
      ("srcw", Int64(geometry.source.width)), ("srch", Int64(geometry.source.height / parts)),
      ("dstw", Int64(geometry.target.width)), ("dsth", Int64(geometry.target.height / parts)),
      ("src_format", Int64(pixels.rawValue)), ("dst_format", Int64(pixels.rawValue)),
      // Both ranges have to be equal. Otherwise libswscale would also convert the range.
      ("src_range", range), ("dst_range", range),
      ("sws_flags", Int64(SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT)),
    ]
    if format.chromaSubsampling.horizontalShift == 1 {
      // Positions are in 1/256 of a luma sample. If they were not set, libswscale would guess 0
      // across and 128 down.
      let location = signal.chromaLocation ?? .left
      let across: Int64 = location.isCositedHorizontally ? 0 : 128
      // The rows of a field are twice as far apart as those of the frame, and the lower field
      // begins one row further down than the upper field.
      let offset = location.verticalOffset
      let down = Int64((field.map { (offset + Double($0)) / 2 } ?? offset) * 256)
      options += [("src_h_chr_pos", across), ("dst_h_chr_pos", across)]
      if format.chromaSubsampling.verticalShift == 1 {
        options += [("src_v_chr_pos", down), ("dst_v_chr_pos", down)]
      }
    }
    for (name, value) in options {
      try unsafe check(
        av_opt_set_int(UnsafeMutableRawPointer(context), name, value, 0), "av_opt_set_int",
        context: name)
    }
    let code = unsafe sws_init_context(context, nil, nil)
    guard code >= 0 else {
      unsafe sws_freeContext(context)
      throw LibAVError("sws_init_context", code)
    }
    return unsafe context
  }

  /// Returns the frame in its new size, with the attachments of the source that propagate.
  package func scale(_ source: PixelBuffer) throws(LibAVError) -> PixelBuffer {
    try unsafe pool.makeBuffer(from: source) { planes throws(LibAVError) in
      if geometry.target.size != geometry.size {
        for unsafe(index, plane) in unsafe planes.enumerated() {
          unsafe fill(plane, with: black[index])
        }
      }
      try unsafe scale(source, into: planes)
    }
  }

  private func scale(
    _ source: PixelBuffer, into planes: [PixelBuffer.MutablePlane]
  ) throws(LibAVError) {
    for unsafe(index, context) in unsafe contexts.enumerated() {
      try unsafe scale(source, into: planes, by: context, field: index)
    }
  }

  private func scale(
    _ source: PixelBuffer, into planes: [PixelBuffer.MutablePlane], by context: OpaquePointer,
    field: Int
  ) throws(LibAVError) {
    let bytes = pool.format.bytesPerSample
    let step = unsafe contexts.count
    func offset(_ rectangle: PixelRectangle, _ plane: Int, _ bytesPerRow: Int) -> Int {
      let x = plane > 0 ? pool.format.chromaSubsampling.horizontalShift : 0
      let y = plane > 0 ? pool.format.chromaSubsampling.verticalShift : 0
      return ((rectangle.y >> y) + field) * bytesPerRow + (rectangle.x >> x) * bytes
    }
    var input: [UnsafePointer<UInt8>?] = unsafe []
    var inputRows: [Int32] = []
    for unsafe(index, plane) in unsafe source.planes.enumerated() {
      unsafe input.append(
        (plane.baseAddress + offset(geometry.source, index, plane.bytesPerRow))
          .assumingMemoryBound(to: UInt8.self))
      unsafe inputRows.append(Int32(plane.bytesPerRow * step))
    }
    var output: [UnsafeMutablePointer<UInt8>?] = unsafe []
    var outputRows: [Int32] = []
    for unsafe(index, plane) in unsafe planes.enumerated() {
      unsafe output.append(
        (plane.baseAddress + offset(geometry.target, index, plane.bytesPerRow))
          .assumingMemoryBound(to: UInt8.self))
      unsafe outputRows.append(Int32(plane.bytesPerRow * step))
    }
    unsafe input += [nil]
    unsafe output += [nil]
    inputRows += [0]
    outputRows += [0]
    let lines = unsafe sws_scale(
      context, input, inputRows, 0, Int32(geometry.source.height / step), output, outputRows)
    try check(lines, "sws_scale")
  }

  private func fill(_ plane: PixelBuffer.MutablePlane, with value: UInt16) {
    for row in unsafe 0..<plane.height {
      let start = unsafe plane.baseAddress + row * plane.bytesPerRow
      if pool.format.bytesPerSample == 1 {
        unsafe start.initializeMemory(
          as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: plane.width)
      } else {
        unsafe start.initializeMemory(as: UInt16.self, repeating: value, count: plane.width)
      }
    }
  }
}
