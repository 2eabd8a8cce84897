// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX264
internal import CodePoints
package import MediaCore

/// Encodes H.264 with libx264 through that library's API.
@safe
package final class X264Encoder: EncoderLibrary {
  package static var version: String { "build \(candela_x264_build())" }

  /// The parameter sets with start codes.
  package let parameterSets: [UInt8]
  /// The requested parameters. The list of parameters in use is empty, because x264 does not report
  /// them all.
  package let parameterReport: EncoderParameterReport

  private let encoder: Owner<OpaquePointer>
  private let timescale: Int32
  private let colorSpace: Int32
  private var pending = PendingDurations()
  /// The pool for the frames that are returned with samples, or `nil` if samples are returned
  /// without frames.
  private let pool: PixelBufferPool?
  /// The parameters that the encoder was opened with.
  private let parameters: Owner<UnsafeMutablePointer<x264_param_t>>
  /// The same parameters, but with the quickest analysis.
  private let quickParameters: Owner<UnsafeMutablePointer<x264_param_t>>
  /// Whether the latest frame belongs before the segment.
  private var isAhead = false
  /// The time of the first frame whose sample is wanted, in ticks. `nil` if all samples are wanted.
  private var first: Int64?

  /// Checks settings for everything that x264 would refuse.
  ///
  /// - Throws: ``VideoEncoderError``, as opening an encoder does.
  package static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    guard bitDepths.contains(settings.format.bitDepth) else {
      throw .unsupportedFormat(encoder: "x264", format: settings.format)
    }
    // x264 refuses a width or a height beyond this limit.
    let longest = VideoDimensions.longestSide
    guard max(settings.size.width, settings.size.height) <= longest else {
      throw .unsupportedSize(
        encoder: "x264", size: settings.size,
        reason: "each side can have \(longest) samples at most",
        decidedBy: .size)
    }
    // Our own parameters are checked as they are set. Only the caller's options need a trial, in
    // which an encoder is open for a moment. That takes time and memory.
    if settings.options.isEmpty {
      let colorSpace = settings.format.x264ColorSpace
      _ = try X264Parameters(settings, colorSpace: colorSpace)
    } else {
      _ = try X264Encoder(settings)
    }
  }

  package static func needsBuffer(_ settings: VideoEncoderSettings) -> Bool {
    settings.buffer != nil && !settings.hasLooseBuffer
  }

  /// Asks for some frames from before the segment if the rate factor is constant and the segment is
  /// encoded without a buffer.
  package static func framesAhead(_ settings: VideoEncoderSettings, isStill: Bool) -> Int {
    // The previous segment determines how full a buffer is at the start. Encoding frames from
    // before the segment would change that.
    guard case .constantRateFactor = settings.rateControl, !needsBuffer(settings) else { return 0 }
    // x264 gives a key frame the mean quality of the frames before it. In this mean, each frame
    // counts 0.95 times as much as the next. In scenes that hardly move, the mean is far better
    // than the quality with which x264 begins a file. If a segment began like a file, its quality
    // would have to improve frame by frame, which costs more bits. The mean becomes that good only
    // after some frames, so still scenes get more frames before the segment.
    return isStill ? 32 : 8
  }

  /// Opens an encoder.
  ///
  /// - Throws: ``VideoEncoderError`` for what x264 lacks or refuses.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    timescale = settings.timescale
    colorSpace = settings.format.x264ColorSpace
    pool =
      settings.returnsDecodedFrames
      ? PixelBufferPool(
        settings.format, width: settings.size.width, height: settings.size.height) : nil
    let parameters = try X264Parameters(settings, colorSpace: colorSpace)
    guard let encoder = unsafe candela_x264_encoder_open(parameters.pointer) else {
      throw .openFailed(encoder: "x264")
    }
    unsafe self.encoder = unsafe Owner(encoder) { unsafe x264_encoder_close($0) }
    unsafe self.parameters = unsafe Self.parameters(of: encoder)
    unsafe quickParameters = unsafe Self.parameters(of: encoder)
    unsafe quickParameters.pointer.hurryAnalysis()
    parameterReport = EncoderParameterReport(
      encoder: "x264 \(Self.version)", requested: parameters.requested,
      effective: [])
    var units: UnsafeMutablePointer<x264_nal_t>? = nil
    var count: Int32 = 0
    let code = unsafe x264_encoder_headers(encoder, &units, &count)
    guard code >= 0 else { throw .encodingFailed(encoder: "x264", code: Int(code)) }
    // Leave out the SEI that names the encoder and its options.
    parameterSets = unsafe UnsafeBufferPointer(start: units, count: Int(count))
      .filter { unsafe [Int32(NAL_SPS.rawValue), Int32(NAL_PPS.rawValue)].contains($0.i_type) }
      .flatMap { unsafe UnsafeBufferPointer(start: $0.p_payload, count: Int($0.i_payload)) }
  }

  private static func parameters(
    of encoder: OpaquePointer
  ) -> Owner<UnsafeMutablePointer<x264_param_t>> {
    let parameters: UnsafeMutablePointer<x264_param_t>
    unsafe parameters = .allocate(capacity: 1)
    unsafe parameters.initialize(to: x264_param_t())
    unsafe x264_encoder_parameters(encoder, parameters)
    return unsafe Owner(parameters) { unsafe $0.deallocate() }
  }

  /// Takes a frame and returns the samples that have become ready.
  package func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    guard isAhead else { return try unsafe encode(frame, as: X264_TYPE_AUTO, with: nil) }
    isAhead = false
    first = frame.presentationTimeStamp.converted(to: timescale).value
    // The segment begins with this frame, so it must be a sync sample whatever came before.
    return try unsafe encode(frame, as: X264_TYPE_IDR, with: parameters.pointer)
  }

  /// Encodes a frame quickly, only to let rate control learn from it.
  package func follow(_ frame: VideoFrame) throws(VideoEncoderError) {
    _ = try unsafe encode(frame, as: X264_TYPE_AUTO, with: isAhead ? nil : quickParameters.pointer)
    isAhead = true
  }

  /// - Parameter parameters: the parameters from this frame on, or `nil` to keep those of the
  ///   previous frame.
  private func encode(
    _ frame: VideoFrame, as type: Int32, with parameters: UnsafeMutablePointer<x264_param_t>?
  ) throws(VideoEncoderError) -> [EncodedSample] {
    let buffer = frame.pixelBuffer
    var picture = unsafe x264_picture_t()
    unsafe x264_picture_init(&picture)
    unsafe picture.i_type = type
    unsafe picture.param = unsafe parameters
    unsafe picture.i_pts = pending.add(frame, timescale: timescale)
    unsafe picture.img.i_csp = colorSpace
    let planes = unsafe buffer.planes
    unsafe picture.img.i_plane = Int32(planes.count)
    // x264 takes mutable pointers but does not write through them.
    let pointers = unsafe planes.map {
      unsafe UnsafeMutablePointer(mutating: $0.baseAddress.assumingMemoryBound(to: UInt8.self))
    }
    unsafe picture.img.plane = (
      pointers[0], pointers.count > 1 ? pointers[1] : nil, pointers.count > 2 ? pointers[2] : nil,
      nil
    )
    let rows = unsafe planes.map { unsafe Int32($0.bytesPerRow) }
    unsafe picture.img.i_stride = (
      rows[0], rows.count > 1 ? rows[1] : 0, rows.count > 2 ? rows[2] : 0, 0
    )
    // x264 copies the pixels before the call returns. The buffer must live until then.
    return try withExtendedLifetime(buffer) { () throws(VideoEncoderError) in
      try unsafe submit(&picture)
    }
  }

  /// Returns the next sample that x264 still holds.
  package func drain() throws(VideoEncoderError) -> [EncodedSample] {
    // An empty result does not mean the end, because no sample is returned for frames before
    // `first`.
    while unsafe x264_encoder_delayed_frames(encoder.pointer) > 0 {
      let next = try unsafe submit(nil)
      if !next.isEmpty { return next }
    }
    return []
  }

  private func submit(
    _ input: UnsafeMutablePointer<x264_picture_t>?
  ) throws(VideoEncoderError) -> [EncodedSample] {
    var units: UnsafeMutablePointer<x264_nal_t>? = nil
    var count: Int32 = 0
    var output = unsafe x264_picture_t()
    let size = unsafe x264_encoder_encode(encoder.pointer, &units, &count, input, &output)
    guard size >= 0 else { throw .encodingFailed(encoder: "x264", code: Int(size)) }
    guard size > 0, let payload = unsafe units?.pointee.p_payload else { return [] }
    let duration = unsafe pending.take(output.i_pts)
    // Frames before the segment were encoded only for rate control.
    if let first, unsafe output.i_pts < first { return [] }
    var sample = EncodedSample(
      // The payloads of one call follow each other in memory.
      bytes: unsafe Array(UnsafeBufferPointer(start: payload, count: Int(size))),
      presentationTimeStamp: MediaTime(value: unsafe output.i_pts, timescale: timescale),
      decodeTimeStamp: MediaTime(value: unsafe output.i_dts, timescale: timescale),
      duration: duration, isSync: unsafe output.b_keyframe != 0)
    sample.picture = unsafe picture(of: output.img)
    return [sample]
  }

  private func picture(of image: x264_image_t) -> PixelBuffer? {
    // x264 reuses the memory in the next call, so the pixels have to be copied.
    guard let pool else { return nil }
    let wide = pool.format.bytesPerSample > 1
    let sources = unsafe [image.plane.0, image.plane.1, image.plane.2]
    let strides = [image.i_stride.0, image.i_stride.1, image.i_stride.2]
    // Cb and Cr alternate in x264's second plane, unless chroma has the size of luma.
    let alternates = image.i_plane == 2
    return unsafe pool.makeBuffer(attachments: Attachments()) { planes in
      for unsafe(index, plane) in unsafe planes.enumerated() {
        let isHalf = alternates && index > 0
        guard let start = unsafe sources[isHalf ? 1 : index] else { continue }
        for y in unsafe 0..<plane.height {
          let row = unsafe UnsafeRawPointer(start + y * Int(strides[isHalf ? 1 : index]))
          let target = unsafe plane.baseAddress + y * plane.bytesPerRow
          if !isHalf {
            unsafe target.copyMemory(
              from: row, byteCount: plane.width * pool.format.bytesPerSample)
          } else if wide {
            unsafe Self.copyHalf(of: row, to: target, plane.width, offset: index - 1, UInt16.self)
          } else {
            unsafe Self.copyHalf(of: row, to: target, plane.width, offset: index - 1, UInt8.self)
          }
        }
      }
    }
  }

  /// Copies every second sample of a row.
  private static func copyHalf<Sample>(
    of row: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int, offset: Int,
    _: Sample.Type
  ) {
    let from = unsafe row.assumingMemoryBound(to: Sample.self)
    let to = unsafe target.assumingMemoryBound(to: Sample.self)
    for x in 0..<count { unsafe to[x] = unsafe from[2 * x + offset] }
  }
}

extension UnsafeMutablePointer<x264_param_t> {
  /// Sets the quickest analysis of frames.
  fileprivate func hurryAnalysis() {
    // None of these parameters affects the lookahead, so rate control learns as much from the quick
    // analysis as from the full one. Frames before a segment have no other purpose.
    unsafe pointee.i_frame_reference = 1
    unsafe pointee.analyse.i_me_method = X264_ME_DIA
    unsafe pointee.analyse.i_subpel_refine = min(pointee.analyse.i_subpel_refine, 1)
    unsafe pointee.analyse.i_trellis = 0
    unsafe pointee.analyse.b_mixed_references = 0
    unsafe pointee.analyse.intra = 0
    unsafe pointee.analyse.inter = 0
  }
}

#endif
