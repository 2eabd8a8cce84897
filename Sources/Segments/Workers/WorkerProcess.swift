// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Foundation
internal import MediaCore

/// This program in a process of its own, which encodes one segment. It ends when the process that
/// started it does.
package final class WorkerProcess {
  /// The path of this program.
  package static let program = PosixPath.resolved("/proc/self/exe") ?? CommandLine.arguments[0]

  /// The segment.
  let number: Int
  private let process = Process()
  /// Standard input of the worker, which lives as long as that.
  private let leash = Pipe()
  private let logPath: String

  /// Starts a worker.
  ///
  /// - Throws: ``TranscodingError`` of kind `unavailable` where the system gives no process.
  init(_ number: Int, of folder: JobFolder, arguments: [String]) throws {
    self.number = number
    logPath = folder.logPath(number)
    // Other workers must not keep it open.
    for end in [leash.fileHandleForReading, leash.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    let log = PosixPath.open(logPath, O_WRONLY | O_CREAT | O_TRUNC)
    guard log >= 0 else {
      throw TranscodingError(.inputOutput, "\(logPath) cannot be written: \(SystemCall.text())")
    }
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = arguments
    process.standardInput = leash
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: log, closeOnDealloc: true)
    do {
      try process.run()
    } catch {
      throw TranscodingError(
        .unavailable, "no process can be started for segment \(number): \(error)")
    }
  }

  /// True while the worker works.
  var isRunning: Bool { process.isRunning }
  /// The worker's number on this host.
  var identifier: Int32 { process.processIdentifier }
  /// The exit code of a worker that has ended; nil where a signal ended it.
  var exitCode: Int32? {
    process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// Ends the worker and waits for its end.
  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The last lines that the worker printed; nil for none.
  var lastWords: String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: logPath)) else { return nil }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(3)
    let words = lines.map { line in
      line.hasPrefix("candela: ") ? line.dropFirst("candela: ".count) : line
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// End of the worker, for people.
  var fate: String {
    let end =
      process.terminationReason == .exit
      ? "ended with \(process.terminationStatus)"
      : "was killed by signal \(process.terminationStatus)"
    return lastWords.map { "\(end): \($0)" } ?? end
  }
}
