// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CFFmpeg
internal import CodePoints
internal import Glibc
internal import MediaCore

/// A file that libavformat has open, with its format.
@safe
struct OpenedFormat {
  // libavformat's context does not keep the reason why a file could not be read, but the open file
  // keeps the system's error.
  /// The file, which is opened here and not by libavformat.
  let file: Owner<UnsafeMutablePointer<AVIOContext>>

  private let owned: Owner<UnsafeMutablePointer<AVFormatContext>>
  /// libavformat's context, filled in from the file's header.
  var context: UnsafeMutablePointer<AVFormatContext> { unsafe owned.pointer }

  /// Opens a file and detects its format.
  ///
  /// - Parameters:
  ///   - address: `file:` and the path, with a zero at the end.
  ///   - formats: FFmpeg's names of the formats that are accepted.
  /// - Throws: ``LibAVError``; `invalidData` if the file has no known format.
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
      guard error.kind == .invalidData, let hidden = unsafe HiddenBoxes("clap", in: file)
      else { throw error }
      let visible = try unsafe hidden.context()
      unsafe owned = try unsafe Self.open(address, in: visible.pointer, visible, formats)
    }
    nameCodecs()
  }

  /// Names the codec of tracks whose sample entry libavformat does not know, though it knows the
  /// codec.
  private func nameCodecs() {
    for unsafe(_, stream) in unsafe streams.enumerated() {
      guard let parameters = unsafe stream.pointee.codecpar,
        unsafe parameters.pointee.codec_id == AV_CODEC_ID_NONE,
        unsafe parameters.pointee.codec_tag == FourCC.dav1.tag
      else { continue }
      unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
      unsafe parameters.pointee.codec_id = AV_CODEC_ID_AV1
    }
  }

  /// Opens a file that is positioned at its start.
  ///
  /// - Parameters:
  ///   - owner: the owner of the open file. It is kept alive until the format is closed.
  ///   - withoutChapters: whether to keep libavformat from taking any track of a movie for
  ///     chapters.
  private static func open(
    _ address: [CChar], in file: UnsafeMutablePointer<AVIOContext>, _ owner: AnyObject,
    _ formats: [String], withoutChapters: Bool = false
  ) throws(LibAVError) -> Owner<UnsafeMutablePointer<AVFormatContext>> {
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // Only the movie demuxer knows `ignore_editlist` and `ignore_chapters`. Other demuxers leave
    // them in the dictionary. If an edit begins in the middle of a frame, libavformat drops that
    // frame. So Candela applies edit lists itself.
    _ = unsafe av_dict_set(&options, "ignore_editlist", "1", 0)
    if withoutChapters { _ = unsafe av_dict_set(&options, "ignore_chapters", "1", 0) }
    _ = unsafe av_dict_set(&options, "format_whitelist", formats.joined(separator: ","), 0)
    // A file must not make libavformat open anything else, such as an address in a playlist.
    _ = unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
    var opened = unsafe avformat_alloc_context()
    unsafe opened?.pointee.pb = unsafe file
    // On failure libavformat frees the context itself.
    let code = unsafe avformat_open_input(&opened, address, nil, &options)
    try unsafe check(
      meaning(of: code, reading: file), "avformat_open_input", .openingInput,
      // libavformat calls a format outside of the whitelist an invalid argument. The message then
      // names the format.
      context: code == -EINVAL ? formatName(of: file) : nil)
    return unsafe Owner(try allocated(opened, "avformat_open_input")) {
      var context: UnsafeMutablePointer<AVFormatContext>? = unsafe $0
      withExtendedLifetime(owner) { unsafe avformat_close_input(&context) }
    }
  }

  /// Returns FFmpeg's full name of a file's format, even if that format is not accepted.
  private static func formatName(of file: UnsafeMutablePointer<AVIOContext>) -> String? {
    var format: UnsafePointer<AVInputFormat>? = nil
    guard unsafe avio_seek(file, 0, SEEK_SET) == 0,
      unsafe av_probe_input_buffer2(file, &format, nil, nil, 0, 0) >= 0
    else { return nil }
    return unsafe format?.pointee.long_name.map { unsafe String(cString: $0) }
  }

  /// Returns what an error code means for a file.
  static func meaning(
    of code: Int32, reading file: UnsafeMutablePointer<AVIOContext>?
  ) -> Int32 {
    // Demuxers also report meaningless data as "input/output error", and an impossible size as
    // "cannot allocate memory". In these cases neither the disk nor the memory is at fault.
    let isDamage =
      switch LibAVError("av_read_frame", code).kind {
      // If the system really failed to read, the open file has the same error.
      case .system(errno: EIO): unsafe file?.pointee.error != code
      case .system(errno: ENOMEM): hasMemory
      default: false
      }
    return isDamage ? candela_averror_invaliddata() : code
  }

  /// Whether there is more memory than any packet needs. The largest packet is an uncompressed
  /// frame of 16384×4096.
  private static var hasMemory: Bool {
    let memory = unsafe av_malloc(256 << 20)
    defer { unsafe av_free(memory) }
    return unsafe memory != nil
  }

  /// FFmpeg's short name of the format.
  var name: String { unsafe String(cString: context.pointee.iformat.pointee.name) }

  /// Whether this is a movie file, whose header lists all tracks with what decoders need.
  var isMovie: Bool { name.hasPrefix("mov,") }

  var streams: [UnsafeMutablePointer<AVStream>] {
    unsafe UnsafeBufferPointer(
      start: context.pointee.streams, count: Int(context.pointee.nb_streams)
    ).compactMap { unsafe $0 }
  }
}
