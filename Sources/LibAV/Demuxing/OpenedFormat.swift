// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import MediaCore

/// A file that libavformat has open, with the format that it has.
@safe
struct OpenedFormat {
  /// The file, opened apart from the format, which forgets why it could not be read.
  let file: Owner<UnsafeMutablePointer<AVIOContext>>

  private let owned: Owner<UnsafeMutablePointer<AVFormatContext>>
  /// The format, with what the file's header says.
  var context: UnsafeMutablePointer<AVFormatContext> { unsafe owned.pointer }

  /// Opens a file and finds out its format.
  ///
  /// - Parameters:
  ///   - address: the path behind `file:`, with a zero at the end.
  ///   - formats: FFmpeg's names of the formats that the file may have.
  /// - Throws: ``LibAVError``; `invalidData` where the file is of no known format.
  init(_ address: [CChar], formats: [String]) throws(LibAVError) {
    unsafe file = try unsafe .file(address)
    do throws(LibAVError) {
      let opened = try unsafe Self.open(address, in: file.pointer, file, formats)
      if unsafe Self.misreadsChapters(opened.pointer),
        unsafe avio_seek(file.pointer, 0, SEEK_SET) == 0
      {
        unsafe owned = try unsafe Self.open(
          address, in: file.pointer, file, formats, withoutChapters: true)
      } else {
        unsafe owned = unsafe opened
      }
    } catch {
      guard error.kind == .invalidData, let hidden = try unsafe HiddenBoxes("clap", in: file)
      else { throw error }
      unsafe owned = try unsafe Self.open(address, in: hidden.pointer, hidden, formats)
    }
  }

  /// Finds out the format of a file.
  ///
  /// - Parameters:
  ///   - owner: the owner of the open file, which stays as long as what reads it.
  ///   - withoutChapters: true if no track of a movie is to be taken for chapters.
  private static func open(
    _ address: [CChar], in file: UnsafeMutablePointer<AVIOContext>, _ owner: AnyObject,
    _ formats: [String], withoutChapters: Bool = false
  ) throws(LibAVError) -> Owner<UnsafeMutablePointer<AVFormatContext>> {
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // Only the movie demuxer knows these options; others leave them in the dictionary.
    _ = unsafe av_dict_set(&options, "ignore_editlist", "1", 0)
    if withoutChapters { _ = unsafe av_dict_set(&options, "ignore_chapters", "1", 0) }
    _ = unsafe av_dict_set(&options, "format_whitelist", formats.joined(separator: ","), 0)
    _ = unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
    var opened = unsafe avformat_alloc_context()
    unsafe opened?.pointee.pb = unsafe file
    // The context is freed where the file cannot be opened.
    let code = unsafe avformat_open_input(&opened, address, nil, &options)
    try unsafe check(
      meaning(of: code, reading: file), "avformat_open_input", .openingInput,
      context: code == -EINVAL ? formatName(of: file) : nil)
    return unsafe Owner(try allocated(opened, "avformat_open_input")) {
      var context: UnsafeMutablePointer<AVFormatContext>? = unsafe $0
      withExtendedLifetime(owner) { unsafe avformat_close_input(&context) }
    }
  }

  /// FFmpeg's full name of the format that a file has, also where that format is not read.
  private static func formatName(of file: UnsafeMutablePointer<AVIOContext>) -> String? {
    var format: UnsafePointer<AVInputFormat>? = nil
    guard unsafe avio_seek(file, 0, SEEK_SET) == 0,
      unsafe av_probe_input_buffer2(file, &format, nil, nil, 0, 0) >= 0
    else { return nil }
    return unsafe format?.pointee.long_name.map { unsafe String(cString: $0) }
  }

  /// Demuxers also say "input/output error" of data that makes no sense, and "cannot allocate
  /// memory" of sizes that no packet has.
  static func meaning(
    of code: Int32, reading file: UnsafeMutablePointer<AVIOContext>?
  ) -> Int32 {
    let isDamage =
      switch LibAVError("av_read_frame", code).kind {
      // The system's error is kept with the file.
      case .system(errno: EIO): unsafe file?.pointee.error != code
      case .system(errno: ENOMEM): hasMemory
      default: false
      }
    return isDamage ? candela_averror_invaliddata() : code
  }

  /// True if there is memory for more than a packet has: a frame of 16384×4096 without
  /// compression.
  private static var hasMemory: Bool {
    let memory = unsafe av_malloc(256 << 20)
    defer { unsafe av_free(memory) }
    return unsafe memory != nil
  }

  /// FFmpeg's name of the format.
  var name: String { unsafe String(cString: context.pointee.iformat.pointee.name) }

  /// True for movie files, whose header lists all tracks with what decoders have to know.
  var isMovie: Bool { name.hasPrefix("mov,") }

  /// The tracks as libavformat has them.
  var streams: [UnsafeMutablePointer<AVStream>] {
    unsafe UnsafeBufferPointer(
      start: context.pointee.streams, count: Int(context.pointee.nb_streams)
    ).compactMap { unsafe $0 }
  }
}
