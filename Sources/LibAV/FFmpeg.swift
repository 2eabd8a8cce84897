// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CFFmpeg
internal import Synchronization

/// FFmpeg's libraries as a whole: their versions, their log and their memory.
package enum FFmpeg {
  /// FFmpeg's version as FFmpeg spells it: `5.1.6-0+deb12u1`.
  package static var release: String { unsafe String(cString: av_version_info()) }

  /// The versions of the libraries that read, decode and scale, by the library's name, such as
  /// `61.19.101` for `libavcodec`.
  package static let libraries = versions([
    "libavcodec": avcodec_version(), "libavformat": avformat_version(),
    "libswscale": swscale_version(),
  ])

  /// The version of libavfilter, by its name; empty if this system has no libavfilter.
  package static var filterLibrary: [String: String] {
    versions(filters.map { ["libavfilter": $0.avfilter_version()] } ?? [:])
  }

  private static func versions(_ numbers: [String: UInt32]) -> [String: String] {
    numbers.mapValues { "\($0 >> 16).\($0 >> 8 & 0xFF).\($0 & 0xFF)" }
  }

  /// Returns the CRC-32 that EBML uses (RFC 8794, 11.3.1) of some bytes.
  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { bytes in
      let data = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      return unsafe ~av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), .max, data, bytes.count)
    }
  }

  // Debian's libavfilter brings some 30 libraries with it, and loading these takes about as long as
  // loading all others. Most runs deinterlace nothing.
  /// libavfilter's functions; `nil` if this system has no libavfilter. The library is loaded when
  /// this is first used.
  static let filters: candela_filter_functions? = {
    var functions = candela_filter_functions()
    return unsafe candela_find_filter_functions(&functions) == 0 ? nil : functions
  }()

  // Thrown errors already say what went wrong, and only the command line may print to standard
  // error.
  /// Silences the libraries, once for the process, and counts decoders' complaints.
  static let isSilent: Bool = {
    av_log_set_level(AV_LOG_QUIET)
    unsafe av_log_set_callback { object, level, format, _ in
      // A C callback cannot capture anything, so it finds the counter through the decoder itself.
      let isError = level <= AV_LOG_ERROR
      guard unsafe isError || level == AV_LOG_INFO && DecoderErrorCounter.areConcealed(format),
        let object = unsafe object
      else { return }
      unsafe DecoderErrorCounter.of(object)?.add(isError: isError)
    }
    return true
  }()
}

/// Counts the errors that a decoder reports in the log.
@safe
final class DecoderErrorCounter: Sendable {
  // Some damage shows only in the log, because the decoder returns the frame although parts of it
  // make no sense. The decoder's threads log at the same time, so the numbers are atomic.
  private let count = Atomic(0)
  private let sum = Atomic(0)

  // FFmpeg also marks damaged frames with a flag, but with several threads, the flag is set too
  // late.
  /// The number of messages so far that report an error or say that damaged parts of a frame are
  /// concealed.
  var total: Int { sum.load(ordering: .relaxed) }

  /// Counts the errors of a decoder, and of the copies of it that its threads use.
  func listen(to decoder: UnsafeMutablePointer<AVCodecContext>) {
    // The pointer need not retain the counter, because the owner of the decoder also owns the
    // counter and keeps the counter as long as the decoder.
    unsafe decoder.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Returns the counter for the object that a message is about; `nil` unless it is a decoder whose
  /// errors are counted.
  fileprivate static func of(_ object: UnsafeMutableRawPointer) -> DecoderErrorCounter? {
    // Every object that logs begins with a pointer to its class.
    let kind = unsafe object.load(as: UnsafePointer<AVClass>?.self)
    guard let kind = unsafe kind, unsafe kind == avcodec_get_class() else { return nil }
    let decoder = unsafe object.assumingMemoryBound(to: AVCodecContext.self)
    return unsafe decoder.pointee.opaque.map {
      unsafe Unmanaged<DecoderErrorCounter>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Returns whether a message says that damaged parts of a frame are concealed.
  fileprivate static func areConcealed(_ format: UnsafePointer<CChar>?) -> Bool {
    guard let format = unsafe format else { return false }
    // FFmpeg logs this as information, not as an error: "concealing 12 DC, 12 AC, 12 MV errors".
    return "concealing".utf8.enumerated().allSatisfy { place, byte in
      unsafe format[place] == CChar(bitPattern: byte)
    }
  }

  fileprivate func add(isError: Bool) {
    if isError { count.wrappingAdd(1, ordering: .relaxed) }
    sum.wrappingAdd(1, ordering: .relaxed)
  }

  /// Returns whether there were errors since the last call.
  func take() -> Bool { count.exchange(0, ordering: .relaxed) > 0 }
}

extension FourCC {
  /// The four characters as libavformat stores them, the first in the lowest byte.
  var tag: UInt32 { rawValue.byteSwapped }
}
