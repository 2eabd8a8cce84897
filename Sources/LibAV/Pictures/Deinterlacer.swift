// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// Makes whole frames from the two fields of each frame, with libavfilter's `bwdif`. The pixel
/// format stays the same.
///
/// The filter looks at the frames before and after each frame, so it always holds one frame back.
@safe
package final class Deinterlacer {
  /// A frame that the filter made.
  package struct Result: Sendable {
    /// The number of the source frame: 0 for the first that was sent.
    package let index: Int
    /// Whether the result comes from the later field, if each source frame gives two results.
    package let isSecondField: Bool
    /// The samples, with the attachments of the source frame.
    package let pixelBuffer: PixelBuffer
  }

  private let library: candela_filter_functions
  private let graph: Owner<UnsafeMutablePointer<AVFilterGraph>>
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let pixels: AVPixelFormat
  private var sentCount = 0
  /// The number of the source frame of the last result.
  private var lastIndex: Int?
  /// The attachments of the frames inside the filter, by their numbers.
  private var attachments: [Int: Attachments] = [:]

  /// Makes a deinterlacer for frames of one format and size.
  ///
  /// - Parameters:
  ///   - isDoubling: whether each field becomes a frame, which doubles the frame rate.
  ///   - keepsProgressive: whether progressive frames go through unchanged.
  /// - Throws: ``LibAVError`` if the filter does not accept these frames unchanged, or if this
  ///   system has no libavfilter.
  package init(
    format: PixelFormat, size: VideoDimensions, isRGB: Bool, isDoubling: Bool,
    keepsProgressive: Bool
  ) throws(LibAVError) {
    pixels = format.ffmpegFormat(isRGB: isRGB)
    guard let library = FFmpeg.filters else {
      throw LibAVError(
        "dlopen", candela_averror_filter_not_found(), .findingComponent,
        context: unsafe String(cString: candela_filter_library()))
    }
    self.library = library
    guard let graph = library.avfilter_graph_alloc() else {
      throw LibAVError("avfilter_graph_alloc", candela_averror_enomem())
    }
    unsafe self.graph = unsafe Owner(graph) {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe $0
      unsafe library.avfilter_graph_free(&graph)
    }
    // A graph may silently insert a scaler that converts frames. This graph fails instead.
    unsafe library.avfilter_graph_set_auto_convert(
      graph, UInt32(truncatingIfNeeded: AVFILTER_AUTO_CONVERT_NONE))
    // The time of a frame is its number. `bwdif` doubles times, so the later field gets an odd
    // time.
    unsafe source = try unsafe Self.filter(
      "buffer",
      "video_size=\(size.width)x\(size.height):pix_fmt=\(pixels.rawValue):time_base=1/1", in: graph,
      library)
    let filter = try unsafe Self.filter(
      "bwdif",
      "mode=\(isDoubling ? "send_field" : "send_frame"):parity=auto:"
        + "deint=\(keepsProgressive ? "interlaced" : "all")", in: graph, library)
    unsafe sink = try unsafe Self.filter("buffersink", nil, in: graph, library)
    try unsafe check(library.avfilter_link(source, 0, filter, 0), "avfilter_link")
    try unsafe check(library.avfilter_link(filter, 0, sink, 0), "avfilter_link")
    try unsafe check(
      library.avfilter_graph_config(graph, nil), "avfilter_graph_config",
      context: "\(format), \(size)")
    guard unsafe library.av_buffersink_get_format(sink) == pixels.rawValue else {
      throw LibAVError("avfilter_graph_config", candela_averror_patchwelcome())
    }
  }

  private static func filter(
    _ name: String, _ arguments: String?, in graph: UnsafeMutablePointer<AVFilterGraph>,
    _ library: candela_filter_functions
  ) throws(LibAVError) -> UnsafeMutablePointer<AVFilterContext> {
    guard let kind = unsafe library.avfilter_get_by_name(name) else {
      throw LibAVError(
        "avfilter_get_by_name", candela_averror_filter_not_found(), .findingComponent,
        context: name)
    }
    var filter: UnsafeMutablePointer<AVFilterContext>? = nil
    try unsafe check(
      library.avfilter_graph_create_filter(&filter, kind, name, arguments, nil, graph),
      "avfilter_graph_create_filter", context: name)
    return unsafe try allocated(filter, "avfilter_graph_create_filter")
  }

  /// Sends a frame and returns those that are ready.
  package func send(
    _ buffer: PixelBuffer, fieldOrder: FieldOrder
  ) throws(LibAVError) -> [Result] {
    let owner = try FrameOwner(wrapping: buffer, as: pixels)
    unsafe owner.frame.pointee.pts = Int64(sentCount)
    unsafe candela_frame_set_fields(
      owner.frame, fieldOrder == .progressive ? 0 : 1, fieldOrder == .topFirst ? 1 : 0)
    attachments[sentCount] = buffer.attachments
    sentCount += 1
    try unsafe check(
      library.av_buffersrc_add_frame_flags(source, owner.frame, 0), "av_buffersrc_add_frame_flags")
    return try receive()
  }

  /// Returns the last frames. After that, nothing can be sent.
  package func finish() throws(LibAVError) -> [Result] {
    try unsafe check(
      library.av_buffersrc_add_frame_flags(source, nil, 0), "av_buffersrc_add_frame_flags")
    return try receive()
  }

  private func receive() throws(LibAVError) -> [Result] {
    var results: [Result] = []
    while true {
      let owner = try FrameOwner()
      let code = unsafe library.av_buffersink_get_frame(sink, owner.frame)
      if code == candela_averror_eagain() || code == candela_averror_eof() { return results }
      try check(code, "av_buffersink_get_frame")
      let time = unsafe Int(owner.frame.pointee.pts)
      let index = time >> 1
      // Frames leave in order, so earlier frames never come again.
      for done in attachments.keys where done < index { attachments[done] = nil }
      guard let stated = attachments[index],
        let buffer = PixelBuffer(owner, attachments: stated)
      else {
        throw LibAVError("av_buffersink_get_frame", candela_averror_invaliddata())
      }
      // A repeated index marks the later field. An odd time is no sure mark, because the filter
      // gives both results the same time if only one frame was sent.
      results.append(
        Result(index: index, isSecondField: index == lastIndex, pixelBuffer: buffer))
      lastIndex = index
    }
  }
}

extension FrameOwner {
  /// Makes an FFmpeg frame that uses the samples of a buffer. The buffer lives as long as the
  /// frame.
  fileprivate init(
    wrapping buffer: PixelBuffer, as pixels: AVPixelFormat
  ) throws(LibAVError) {
    try self.init()
    let frame = unsafe self.frame
    unsafe frame.pointee.format = pixels.rawValue
    unsafe frame.pointee.width = Int32(clamping: buffer.width)
    unsafe frame.pointee.height = Int32(clamping: buffer.height)
    // The filter's interface wants mutable samples. This filter does not write to what it gets.
    let planes = unsafe buffer.planes.map {
      unsafe (
        UnsafeMutablePointer(mutating: $0.baseAddress.assumingMemoryBound(to: UInt8.self)),
        Int32(clamping: $0.bytesPerRow)
      )
    }
    unsafe frame.pointee.data.0 = planes[0].0
    unsafe frame.pointee.linesize.0 = planes[0].1
    if unsafe planes.count == 3 {
      unsafe frame.pointee.data.1 = planes[1].0
      unsafe frame.pointee.linesize.1 = planes[1].1
      unsafe frame.pointee.data.2 = planes[2].0
      unsafe frame.pointee.linesize.2 = planes[2].1
    }
    let opaque = unsafe Unmanaged.passRetained(buffer).toOpaque()
    let reference = unsafe av_buffer_create(
      planes[0].0, 1,
      { opaque, _ in
        guard let opaque = unsafe opaque else { return }
        unsafe Unmanaged<PixelBuffer>.fromOpaque(opaque).release()
      }, opaque, AV_BUFFER_FLAG_READONLY)
    guard let reference = unsafe reference else {
      unsafe Unmanaged<PixelBuffer>.fromOpaque(opaque).release()
      throw LibAVError("av_buffer_create", candela_averror_enomem())
    }
    unsafe frame.pointee.buf.0 = unsafe reference
  }
}
