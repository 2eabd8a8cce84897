// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// Status with which a command ends, for scripts.
enum ExitStatus: Int32, Sendable {
  /// Done.
  case done = 0
  /// Done, and the check or the comparison found failures.
  case failuresFound = 1
  /// Done, but damaged frames were concealed.
  case concealed = 2
  /// The output is not what was promised; it was kept under another name.
  case verificationFailed = 3
  /// Wrong usage, a bad preset or setting.
  case usage = 64
  /// The input is not usable.
  case unusableInput = 65
  /// There is no such input.
  case noInput = 66
  /// A library or a feature is missing.
  case unavailable = 69
  /// A fault of this program.
  case internalFault = 70
  /// The output cannot be created, or exists.
  case cannotCreateOutput = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// Interrupted by a signal.
  case interrupted = 130

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

/// A command that ends with an exit status of its own.
protocol CandelaCommand: AsyncParsableCommand, Sendable {
  /// Does the work.
  func execute() async throws -> ExitStatus
}

extension CandelaCommand {
  /// Does the work where the parser runs the command itself.
  func run() async throws {
    let status = try await execute()
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
