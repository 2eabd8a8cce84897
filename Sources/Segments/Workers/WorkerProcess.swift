// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import MediaCore

/// This program in a process of its own, which encodes one segment. It ends when the process that
/// started it does.
package final class WorkerProcess {
  /// The path of this program.
  package static let program = PosixPath.resolved("/proc/self/exe") ?? CommandLine.arguments[0]

  /// The segment.
  let number: Int
  private let process: ChildProcess
  private let logPath: String

  /// Starts a worker.
  ///
  /// - Parameter niceness: steps by which it is nicer than this process.
  /// - Throws: ``TranscodingError`` of kind `unavailable` where the system gives no process.
  init(_ number: Int, of folder: JobFolder, arguments: [String], niceness: Int = 0) throws {
    self.number = number
    logPath = folder.logPath(number)
    let log = PosixPath.open(logPath, O_WRONLY | O_CREAT | O_TRUNC)
    guard log >= 0 else {
      throw TranscodingError(.inputOutput, "\(logPath) cannot be written: \(SystemCall.text())")
    }
    do {
      process = try ChildProcess(Self.program, arguments, log: OpenFile(closing: log))
      process.giveWay(by: niceness)
    } catch {
      throw TranscodingError(
        .unavailable,
        "no process can be started for segment \(number): \(SystemCall.text(error.number))")
    }
  }

  /// True while the worker works.
  var isRunning: Bool { process.isRunning }
  /// The worker's number on this host.
  var identifier: Int32 { process.identifier }
  /// The exit code of a worker that has ended; nil where a signal ended it.
  var exitCode: Int32? { if case .exit(let code) = process.wait() { code } else { nil } }

  /// Ends the worker and waits for its end.
  func stop() {
    guard process.isRunning else { return }
    kill(process.identifier, SIGKILL)
    _ = process.wait()
  }

  /// The last lines that the worker printed; nil for none.
  var lastWords: String? {
    guard let bytes = OpenFile.bytes(of: logPath) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(3)
    let words = lines.map { line in
      line.hasPrefix("candela: ") ? line.dropFirst("candela: ".count) : line
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// End of the worker, for people.
  var fate: String {
    let end =
      switch process.wait() {
      case .exit(let code): "ended with \(code)"
      case .signal(let number): "was killed by signal \(number)"
      }
    return lastWords.map { "\(end): \($0)" } ?? end
  }
}
