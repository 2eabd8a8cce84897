// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// The status that a command exits with, for scripts.
enum ExitStatus: Int32, Sendable {
  /// The command did what it was asked to do.
  case done = 0
  /// The work is done, but the check or the comparison found failures.
  case failuresFound = 1
  /// The work is done, but damaged frames were concealed.
  case concealed = 2
  /// The output is not what was promised. It was kept under another name.
  case verificationFailed = 3
  /// The usage, a preset or a setting is wrong. The statuses from 64 to 74 come from BSD's
  /// sysexits.h.
  case usage = 64
  /// The input is not usable.
  case unusableInput = 65
  /// The input does not exist.
  case noInput = 66
  /// A library, a feature or memory is missing, or a worker process was killed.
  case unavailable = 69
  /// The program itself is at fault.
  case internalFault = 70
  /// The output cannot be created, or exists already.
  case cannotCreateOutput = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// A signal interrupted the command. If SIGINT ends a command, shells report 128 + 2.
  case interrupted = 130

  /// Whether there is no output, or only a wrong one. An interruption does not count as a failure.
  var isFailure: Bool { ![.done, .failuresFound, .concealed, .interrupted].contains(self) }

  /// Returns whether work on an unchanged source will fail again. It will if the cause is the
  /// source, its permissions or the program. It may succeed if the cause was the disk, memory, a
  /// missing library or an interruption.
  func isCaused(by source: String) -> Bool {
    [.verificationFailed, .unusableInput, .internalFault].contains(self)
      || self == .noInput && PosixPath.kind(of: source) == .file && !PosixPath.mayRead(source)
  }

  /// The status of work on many files: the highest status of any file.
  init(ofFiles statuses: [Int32]) {
    self = statuses.max().flatMap(ExitStatus.init(rawValue:)) ?? .done
  }

  init(_ kind: TranscodingError.Kind) {
    self =
      switch kind {
      case .invalidSettings: .usage
      case .unusableInput: .unusableInput
      case .noInput: .noInput
      case .unavailable: .unavailable
      case .cannotCreateOutput: .cannotCreateOutput
      case .inputOutput: .inputOutput
      case .verificationFailed: .verificationFailed
      case .internalFault: .internalFault
      }
  }
}
