// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX265
internal import CodePoints
package import MediaCore

/// Encodes HEVC with libx265 through that library's API.
@safe
package final class X265Encoder: EncoderLibrary {
  package static var version: String {
    let text = unsafe candela_x265_api_get(0)?.pointee.version_str
    return unsafe text.map { unsafe String(cString: $0) } ?? "?"
  }

  /// The parameter sets with start codes.
  package let parameterSets: [UInt8]
  /// The requested parameters, and the parameters that x265 uses.
  package let parameterReport: EncoderParameterReport

  private let api: x265_api
  private let parameters: X265Parameters
  private let encoder: Owner<OpaquePointer>
  private let picture: Owner<UnsafeMutablePointer<x265_picture>>
  private let timescale: Int32
  private var pending = PendingDurations()
  private var frameCount = 0
  /// The pool for the frames that are returned with samples, or `nil` if samples are returned
  /// without frames.
  private let pool: PixelBufferPool?

  /// Checks settings for everything that x265 would refuse.
  ///
  /// - Throws: ``VideoEncoderError``, as opening an encoder does.
  package static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    let depth = settings.format.bitDepth
    // Debian's library contains builds for 8, 10 and 12 bits. The libraries of other systems may
    // lack some of these.
    guard let api = unsafe candela_x265_api_get(Int32(depth))?.pointee else {
      throw .bitDepthUnavailable(encoder: "x265", bitDepth: depth)
    }
    let treeUnit = try X265TreeUnitLease.size(for: settings)
    try checkLevel(settings)
    // Our own parameters are checked as they are set. Only the caller's options need a trial, in
    // which an encoder is open for a moment. That takes time and memory.
    if settings.options.isEmpty {
      _ = try unsafe X265Parameters(api: api, settings: settings, treeUnit: treeUnit)
    } else {
      _ = try X265Encoder(settings)
    }
  }

  /// Opens an encoder.
  ///
  /// - Throws: ``VideoEncoderError`` for what x265 lacks, refuses or would crash on.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    let depth = settings.format.bitDepth
    guard let api = unsafe candela_x265_api_get(Int32(depth))?.pointee else {
      throw .bitDepthUnavailable(encoder: "x265", bitDepth: depth)
    }
    unsafe self.api = unsafe api
    timescale = settings.timescale
    pool =
      settings.returnsDecodedFrames
      ? PixelBufferPool(
        settings.format, width: settings.size.width, height: settings.size.height) : nil
    let size = try X265TreeUnitLease.size(for: settings)
    parameters = try unsafe X265Parameters(api: api, settings: settings, treeUnit: size)
    let treeUnit = try unsafe X265TreeUnitLease(size: size, cleanup: api.cleanup)
    guard let encoder = unsafe api.encoder_open(parameters.pointer) else {
      throw .openFailed(encoder: "x265")
    }
    unsafe self.encoder = unsafe Owner(encoder) {
      unsafe api.encoder_close($0)
      // The last lease frees global tables that open encoders use, so each lease must outlive its
      // encoder.
      withExtendedLifetime(treeUnit) {}
    }
    guard let picture = unsafe api.picture_alloc() else { throw .openFailed(encoder: "x265") }
    unsafe self.picture = unsafe Owner(picture) { unsafe api.picture_free($0) }
    parameterSets = try unsafe Self.headers(api, encoder)
    parameterReport = unsafe parameters.report(of: encoder)
    unsafe api.picture_init(parameters.pointer, picture)
  }

  private static func headers(
    _ api: x265_api, _ encoder: OpaquePointer
  ) throws(VideoEncoderError) -> [UInt8] {
    var units: UnsafeMutablePointer<x265_nal>? = nil
    var count: UInt32 = 0
    let code = unsafe api.encoder_headers(encoder, &units, &count)
    guard code >= 0 else { throw .encodingFailed(encoder: "x265", code: Int(code)) }
    return unsafe bytes(units, count)
  }

  private static func bytes(_ units: UnsafeMutablePointer<x265_nal>?, _ count: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    let list = unsafe UnsafeBufferPointer(start: units, count: Int(count))
    for index in list.indices {
      unsafe bytes += UnsafeBufferPointer(
        start: list[index].payload, count: Int(list[index].sizeBytes))
    }
    return bytes
  }

  /// Takes a frame and returns the samples that have become ready.
  package func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    let buffer = frame.pixelBuffer
    frameCount += 1
    unsafe picture.pointer.pointee.pts = pending.add(frame, timescale: timescale)
    unsafe picture.pointer.pointee.bitDepth = Int32(buffer.format.bitDepth)
    unsafe picture.pointer.pointee.colorSpace = buffer.format.x265ColorSpace
    let planes = unsafe buffer.planes
    for index in 0..<buffer.format.planeCount {
      unsafe candela_x265_set_plane(
        picture.pointer, Int32(index), planes[index].baseAddress, Int32(planes[index].bytesPerRow))
    }
    // x265 copies the pixels before the call returns. The buffer must live until then.
    return try withExtendedLifetime(buffer) { () throws(VideoEncoderError) in
      try unsafe submit(picture.pointer)
    }
  }

  /// Returns the next sample that x265 still holds.
  package func drain() throws(VideoEncoderError) -> [EncodedSample] {
    let next = try unsafe submit(nil)
    guard frameCount <= Self.reorderingDelay else { return next }
    // x265 uses the first frame after the reordering delay to compute by how much decode times must
    // precede presentation times. This track has no such frame, so x265 computes its decode times
    // from uninitialized memory. A track this short is never reordered, so its presentation times
    // are the right decode times.
    return next.map { sample in
      var sample = sample
      sample.decodeTimeStamp = sample.presentationTimeStamp
      return sample
    }
  }

  /// The maximum number of frames by which x265's decode times precede presentation times.
  private static let reorderingDelay = 2

  private func submit(
    _ input: UnsafeMutablePointer<x265_picture>?
  ) throws(VideoEncoderError) -> [EncodedSample] {
    var units: UnsafeMutablePointer<x265_nal>? = nil
    var count: UInt32 = 0
    var output = unsafe x265_picture()
    let code = unsafe api.encoder_encode(encoder.pointer, &units, &count, input, &output)
    guard code >= 0 else { throw .encodingFailed(encoder: "x265", code: Int(code)) }
    guard code > 0, count > 0 else { return [] }
    let types = unsafe UnsafeBufferPointer(start: units, count: Int(count)).map {
      unsafe $0.type
    }
    // Slices of these types belong to IRAP pictures, which are sync samples (H.265, table 7-1).
    let isSync = types.contains {
      (NAL_UNIT_CODED_SLICE_BLA_W_LP.rawValue...NAL_UNIT_CODED_SLICE_CRA.rawValue).contains($0)
    }
    var sample = EncodedSample(
      bytes: unsafe Self.bytes(units, count),
      presentationTimeStamp: MediaTime(value: unsafe output.pts, timescale: timescale),
      decodeTimeStamp: MediaTime(value: unsafe output.dts, timescale: timescale),
      duration: unsafe pending.take(output.pts), isSync: isSync)
    sample.picture = unsafe picture(of: &output)
    return [sample]
  }

  private func picture(of output: UnsafeMutablePointer<x265_picture>) -> PixelBuffer? {
    // In the next call, x265 reuses the memory that `output` points to, so the pixels have to be
    // copied.
    guard let pool else { return nil }
    let bytesPerSample = pool.format.bytesPerSample
    return unsafe pool.makeBuffer(attachments: Attachments()) { planes in
      for unsafe(index, plane) in unsafe planes.enumerated() {
        guard let start = unsafe candela_x265_plane(output, Int32(index)) else { continue }
        let stride = unsafe Int(candela_x265_stride(output, Int32(index)))
        for line in unsafe 0..<plane.height {
          unsafe (plane.baseAddress + line * plane.bytesPerRow).copyMemory(
            from: start + line * stride, byteCount: plane.width * bytesPerSample)
        }
      }
    }
  }
}

#endif
