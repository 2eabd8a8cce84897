// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import DolbyVision
internal import Glibc
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// An error that this module does not know and that explains itself.
package protocol ExplainedError: Error {
  /// Returns the error in terms of the work that failed.
  ///
  /// - Parameter path: the file that was read or written.
  func explained(at path: String) -> TranscodingError
}

extension TranscodingError {
  /// Returns the error to show for a failure while reading a file. If the work was cancelled,
  /// returns a `CancellationError`.
  package static func meaning(of cause: any Error, input path: String) -> any Error {
    cancellation(cause) ?? TranscodingError(cause, input: path).naming(path)
  }

  /// Returns the error to show for a failure in a part of a file. If the work was cancelled,
  /// returns a `CancellationError`.
  ///
  /// - Parameter place: the name of the part, such as a track.
  package static func meaning(of cause: any Error, at place: String) -> any Error {
    cancellation(cause) ?? TranscodingError(cause, input: place)
  }

  /// Returns the error to show for a failure while writing a file. If the work was cancelled,
  /// returns a `CancellationError`.
  package static func meaning(of cause: any Error, output path: String) -> any Error {
    cancellation(cause) ?? TranscodingError(cause, output: path)
  }

  /// Returns a `CancellationError` if the work was cancelled, otherwise `nil`. Work on boxes throws
  /// an error of another type when it is cancelled.
  private static func cancellation(_ cause: any Error) -> CancellationError? {
    cause as? ISOBMFFError == .interrupted ? CancellationError() : cause as? CancellationError
  }

  /// Translates an error that a lower module threw while a file was read.
  ///
  /// - Parameter input: the path of that file.
  package init(_ cause: any Error, input path: String) {
    switch cause {
    case let error as TranscodingError: self = error
    case let error as LibAVError: self.init(error, input: path)
    case let error as ISOBMFFError: self.init(error, path: path, kind: .unusableInput)
    case let error as NALUnitError:
      self.init(.unusableInput, "\(path) is damaged: \(error.cause)")
    case let error as BitstreamError: self.init(.unusableInput, "\(path) is damaged: \(error)")
    case let error as DolbyVisionError: self.init(.unusableInput, "\(path) is damaged: \(error)")
    case let error as any ExplainedError: self = error.explained(at: path)
    default: self.init(.internalFault, "\(path): \(cause)")
    }
  }

  private init(shortage error: LibAVError, _ path: String) {
    // FFmpeg reports a missing thread as `EAGAIN`, whose system text, "try again", would mislead.
    self.init(
      .unavailable,
      "\(path): the system allows no more memory or threads: raise the limits (ulimit -v, ulimit "
        + "-u) (\(error))")
  }

  /// Translates an error that a lower module threw while a file was written.
  ///
  /// - Parameter output: the path of that file.
  package init(_ cause: any Error, output path: String) {
    switch cause {
    case let error as TranscodingError: self = error
    case let error as LibAVError: self.init(error, output: path)
    case let error as ISOBMFFError: self.init(error, path: path, kind: .inputOutput)
    case let error as any ExplainedError: self = error.explained(at: path)
    default: self.init(.internalFault, "\(path): \(cause)")
    }
  }

  private init(_ error: LibAVError, input path: String) {
    switch error.kind {
    case .invalidData where error.operation == .openingInput:
      self.init(
        .unusableInput,
        "\(path) is not a known kind of video or audio file, or its beginning is damaged")
    case .invalidData:
      self.init(
        .unusableInput, "\(path) is damaged: get a complete copy of it (\(error))")
    case .unsupported where error.operation == .findingComponent:
      self.init(.unavailable, "\(path): \(error)")
    case .unsupported: self.init(.unusableInput, "\(path) cannot be read: \(error)")
    // `avformat_open_input` returns `EINVAL` for formats that are not on the demuxer's whitelist,
    // such as still images in ISO boxes (HEIF, AVIF).
    case .system(errno: EINVAL) where error.operation == .openingInput:
      self =
        TranscodingError(stillImageAt: path)
        ?? TranscodingError(
          .unusableInput,
          "\(path) is not a supported kind of file: \(error.context ?? "no video or audio")")
    case .system(errno: ENOENT): self.init(noFileAt: path)
    case .system(errno: EAGAIN), .system(errno: ENOMEM): self.init(shortage: error, path)
    case .system(errno: EMFILE), .system(errno: ENFILE):
      self.init(
        .unavailable, "\(path): too many files are open: raise the limit (ulimit -n)"
      )
    case .system(errno: EACCES):
      self.init(.noInput, "\(path) is not readable; check its permissions")
    case .system(let number) where Self.isOfDevice(number):
      self.init(.inputOutput, "reading \(path) failed: \(error)")
    case .system, .other: self.init(.unusableInput, "\(path): \(error)")
    }
  }

  /// Creates the error for a path without a file, and for names such as `-` that are not files.
  package init(noFileAt path: String) {
    let reason =
      switch path {
      case "-": "reading standard input is not supported; give a file"
      case _ where path.contains("://"): "URLs are not supported; give a local file"
      case _ where path.contains(/[*?]|\[.+\]/):
        "there is no file with this name; a shell expands a pattern only if it is not in quotes "
          + "and matches a file"
      case _ where path.contains(/%0?\d*d|\#{2,}/):
        "sequences of images are not supported; make a movie from them with another program first"
      default: "there is no such file"
      }
    self.init(.noInput, "\(path): \(reason)")
  }

  /// Whether an error number comes from a disk, a drive or a network.
  private static func isOfDevice(_ number: Int32) -> Bool {
    // For damaged data, demuxers and decoders return numbers that are not listed here, mostly
    // `EINVAL`. Those must not be reported as a failing disk.
    let ofDisks = [EIO, ENXIO, ENODEV, ENOSPC, EDQUOT, EUCLEAN]
    let ofNetworks = [
      ESTALE, ETIMEDOUT, EREMOTEIO, ENOTCONN, ECONNRESET, ECONNREFUSED, ENETUNREACH, EHOSTUNREACH,
      ENETDOWN, EHOSTDOWN,
    ]
    return (ofDisks + ofNetworks).contains(number)
  }

  private init(_ error: LibAVError, output path: String) {
    switch error.kind {
    case .system where error.operation == .creatingOutput:
      self.init(.cannotCreateOutput, "\(path) cannot be created: \(error)")
    case .unsupported, .invalidData: self.init(.unavailable, "\(path) cannot be written: \(error)")
    case .system(errno: EAGAIN), .system(errno: ENOMEM): self.init(shortage: error, path)
    // When libavformat's muxers write the header, they return `EINVAL` for codecs that the
    // container cannot store.
    case .system(errno: EINVAL) where error.operation == .writingHeader:
      self.init(
        .unusableInput,
        "\(path) cannot store the samples of the source unchanged: encode them, or write .mkv "
          + "(\(error))")
    case .system(errno: EINVAL):
      self.init(.unusableInput, "\(path) cannot store the times of the source: \(error)")
    case .system, .other: self.init(.inputOutput, "writing \(path) failed: \(error)")
    }
  }

  private init(_ error: ISOBMFFError, path: String, kind: Kind) {
    switch error {
    case .inputOutput(let reason): self.init(.inputOutput, "\(path): \(reason)")
    case .fragmented:
      self.init(
        kind,
        "\(path) is a fragmented movie; make it one piece first", code: .fragmentedMovie)
    case .truncatedBox: self.init(kind, "\(path) is cut off: \(error)")
    case .missingBox("moov", in: _):
      self =
        TranscodingError(stillImageAt: path)
        ?? TranscodingError(kind, "\(path) is damaged: \(error)")
    default: self.init(kind, "\(path) is damaged: \(error)")
    }
  }
}
