// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Synchronization

/// FFmpeg's libraries as a whole.
package enum FFmpeg {
  /// The version of FFmpeg, as its maker calls it: `5.1.6-0+deb12u1`.
  package static var release: String { unsafe String(cString: av_version_info()) }

  /// The versions of the libraries that decode and change frames, by their names: `libavcodec`,
  /// `61.19.101`.
  package static let libraries: [String: String] = [
    "libavcodec": avcodec_version(), "libavfilter": avfilter_version(),
    "libavformat": avformat_version(), "libswscale": swscale_version(),
  ].mapValues { "\($0 >> 16).\($0 >> 8 & 0xFF).\($0 & 0xFF)" }

  /// Turns the libraries' printing to standard error off, once for the process: what went wrong is
  /// in the errors that are thrown, and nothing is printed below the command line. Messages of
  /// decoders about damage are counted.
  static let isSilent: Bool = {
    av_log_set_level(AV_LOG_QUIET)
    unsafe av_log_set_callback { object, level, format, _ in
      let isError = level <= AV_LOG_ERROR
      guard unsafe isError || level == AV_LOG_INFO && DecoderComplaints.areConcealed(format),
        let object = unsafe object
      else { return }
      unsafe DecoderComplaints.of(object)?.add(isError: isError)
    }
    return true
  }()
}

/// Counts the errors that a decoder reports in the log only: of frames that it gives although
/// parts of them make no sense.
@safe
final class DecoderComplaints: Sendable {
  private let count = Atomic(0)
  private let sum = Atomic(0)

  /// The number of errors since the beginning, with frames of which parts were made up: the flag
  /// that says so comes too late where several threads decode.
  var total: Int { sum.load(ordering: .relaxed) }

  /// Counts the errors of a decoder, and of the copies that its threads make of it. The decoder
  /// does not own the counter.
  func listen(to decoder: UnsafeMutablePointer<AVCodecContext>) {
    unsafe decoder.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Counter of errors for the object that a message is about; nil for all objects but decoders
  /// whose errors are counted.
  fileprivate static func of(_ object: UnsafeMutableRawPointer) -> DecoderComplaints? {
    // Each object that logs begins with the pointer to its class.
    let kind = unsafe object.load(as: UnsafePointer<AVClass>?.self)
    guard let kind = unsafe kind, unsafe kind == avcodec_get_class() else { return nil }
    let decoder = unsafe object.assumingMemoryBound(to: AVCodecContext.self)
    return unsafe decoder.pointee.opaque.map {
      unsafe Unmanaged<DecoderComplaints>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// True if a message says that parts of a frame are made up, which is no error to FFmpeg.
  fileprivate static func areConcealed(_ format: UnsafePointer<CChar>?) -> Bool {
    guard let format = unsafe format else { return false }
    return "concealing".utf8.enumerated().allSatisfy { place, byte in
      unsafe format[place] == CChar(bitPattern: byte)
    }
  }

  fileprivate func add(isError: Bool) {
    if isError { count.wrappingAdd(1, ordering: .relaxed) }
    sum.wrappingAdd(1, ordering: .relaxed)
  }

  /// True if there were errors since the last question.
  func take() -> Bool { count.exchange(0, ordering: .relaxed) > 0 }
}
