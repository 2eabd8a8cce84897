// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// A failure that FFmpeg's libraries reported.
package struct LibAVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Meaning of a failure for the caller.
  package enum Kind: Hashable, Sendable {
    /// The data is not what its format demands, or not of a known format.
    case invalidData
    /// The libraries lack a decoder, a muxer or a tag for this kind of data.
    case unsupported
    /// Reading or writing failed in the operating system, with its `errno`.
    case system(errno: Int32)
    /// Anything else.
    case other
  }

  /// Operation that failed, as far as the meaning of the failure depends on it.
  package enum Operation: Hashable, Sendable {
    /// A file is opened for reading.
    case openingInput
    /// A file is created.
    case creatingOutput
    /// The header of a file is written, which says what its tracks are.
    case writingHeader
    /// A decoder is looked for.
    case findingDecoder
    /// Anything else.
    case other
  }

  /// The function that failed.
  package let function: String
  /// Return value of the function, an `AVERROR`.
  package let code: Int32
  /// Operation that failed.
  package let operation: Operation
  /// Operation that failed, for people; nil where it is plain from the function.
  package let context: String?

  init(
    _ function: String, _ code: Int32, _ operation: Operation = .other, context: String? = nil
  ) {
    self.function = function
    self.code = code
    self.operation = operation
    self.context = context
    if isOutOfMemory { SpareMemory.release() }
  }

  /// Meaning of the failure.
  package var kind: Kind {
    switch code {
    case candela_averror_invaliddata(), candela_averror_eof(): .invalidData
    case candela_averror_decoder_not_found(), candela_averror_muxer_not_found(),
      candela_averror_patchwelcome(), candela_averror_option_not_found():
      .unsupported
    case -4095..<0: .system(errno: -code)
    default: .other
    }
  }

  /// True if memory is short, for which no data can be blamed.
  package var isOutOfMemory: Bool { code == candela_averror_enomem() }

  /// The failure in FFmpeg's words, with the function that failed.
  package var description: String {
    var text = [CChar](repeating: 0, count: 256)
    _ = unsafe av_strerror(code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let reason = "\(String(decoding: bytes, as: UTF8.self)) (\(function))"
    return context.map { "\($0): \(reason)" } ?? reason
  }
}

/// Throws for a negative return value of one of FFmpeg's functions; returns it otherwise.
@discardableResult
func check(
  _ code: Int32, _ function: String, _ operation: LibAVError.Operation = .other,
  context: @autoclosure () -> String? = nil
) throws(LibAVError) -> Int32 {
  guard code >= 0 else { throw LibAVError(function, code, operation, context: context()) }
  return code
}

/// Throws where one of FFmpeg's functions could not allocate.
@unsafe
func allocated<Pointee>(
  _ pointer: UnsafeMutablePointer<Pointee>?, _ function: String
) throws(LibAVError) -> UnsafeMutablePointer<Pointee> {
  guard let pointer = unsafe pointer else {
    throw LibAVError(function, candela_averror_enomem())
  }
  return unsafe pointer
}
