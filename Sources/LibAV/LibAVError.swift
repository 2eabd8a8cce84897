// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// A failure that FFmpeg's libraries reported.
package struct LibAVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a failure means to the caller.
  package enum Kind: Hashable, Sendable {
    /// The data breaks its format's rules, or has no known format.
    case invalidData
    /// The libraries lack a decoder, a muxer or another feature that this kind of data needs.
    case unsupported
    /// The operating system failed to read or write, with this `errno`.
    case system(errno: Int32)
    /// Anything else. The code and the function say more.
    case other
  }

  /// The operation that failed, if the meaning of the failure depends on it.
  package enum Operation: Hashable, Sendable {
    /// Opening a file to read it.
    case openingInput
    case creatingOutput
    /// Writing a file's header, which declares its tracks.
    case writingHeader
    /// Finding a decoder, an encoder or a filter, which other builds of the libraries may have.
    case findingComponent
    /// Anything else. The code and the function say more.
    case other
  }

  /// The name of the function that failed.
  package let function: String
  /// The function's return value, an `AVERROR`.
  package let code: Int32
  package let operation: Operation
  /// What the failure is about, such as a codec or a track, as text for people; `nil` if the
  /// function's name says enough.
  package let context: String?

  init(
    _ function: String, _ code: Int32, _ operation: Operation = .other, context: String? = nil
  ) {
    self.function = function
    self.code = code
    self.operation = operation
    self.context = context
    // Reporting the failure takes memory, and Swift ends the process if it gets none.
    if isOutOfMemory { FFmpeg.releaseSpareMemory() }
  }

  /// What the failure means to the caller.
  package var kind: Kind {
    switch code {
    case candela_averror_invaliddata(), candela_averror_eof(): .invalidData
    case candela_averror_decoder_not_found(), candela_averror_encoder_not_found(),
      candela_averror_filter_not_found(), candela_averror_muxer_not_found(),
      candela_averror_option_not_found(), candela_averror_patchwelcome():
      .unsupported
    // Numbers of system errors are in this range, and FFmpeg's own codes are far below it.
    case -4095..<0: .system(errno: -code)
    default: .other
    }
  }

  /// Whether memory ran out, which says nothing about the data.
  package var isOutOfMemory: Bool { code == candela_averror_enomem() }

  /// The failure in FFmpeg's words, with the function's name.
  package var description: String {
    var text = [CChar](repeating: 0, count: 256)
    _ = unsafe av_strerror(code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let reason = "\(String(decoding: bytes, as: UTF8.self)) (\(function))"
    return context.map { "\($0): \(reason)" } ?? reason
  }
}

/// Throws if one of FFmpeg's functions returned a negative value. Otherwise, returns the value.
@discardableResult
func check(
  _ code: Int32, _ function: String, _ operation: LibAVError.Operation = .other,
  context: @autoclosure () -> String? = nil
) throws(LibAVError) -> Int32 {
  guard code >= 0 else { throw LibAVError(function, code, operation, context: context()) }
  return code
}

/// Throws if one of FFmpeg's functions could not allocate memory. Otherwise, returns the pointer.
@unsafe
func allocated<Pointee>(
  _ pointer: UnsafeMutablePointer<Pointee>?, _ function: String
) throws(LibAVError) -> UnsafeMutablePointer<Pointee> {
  guard let pointer = unsafe pointer else {
    throw LibAVError(function, candela_averror_enomem())
  }
  return unsafe pointer
}
