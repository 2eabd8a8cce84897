// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// This program in a process of its own, which encodes one segment. It ends when the process that
/// started it does.
package final class WorkerProcess {
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
    // What lies there is another run's, or a link to somewhere else.
    _ = unsafe unlink(SystemPath.bytes(logPath))
    let log: OpenFile
    do {
      log = try OpenFile.own(logPath, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw TranscodingError(.inputOutput, "\(logPath) cannot be written: it \(error.text)")
    }
    process = try ChildProcess(arguments, for: "segment \(number)", log: log)
    process.giveWay(by: niceness)
  }

  /// True while the worker works.
  var isRunning: Bool { process.isRunning }
  /// The worker's number on this host.
  var identifier: Int32 { process.identifier }
  /// The exit code of a worker that has ended; nil where a signal ended it.
  var exitCode: Int32? { if case .exit(let code) = process.wait() { code } else { nil } }

  /// True if a signal has stopped the worker, and none has woken it.
  var isStopped: Bool { process.isStopped }
  /// True for a worker that has ended as the system ends processes where memory is short.
  var wasKilled: Bool { process.wait() == .signal(SIGKILL) }

  /// Has a worker go on that a signal has stopped.
  func wake() { kill(process.identifier, SIGCONT) }

  /// Ends the worker and waits for its end.
  func stop() {
    guard process.isRunning else { return }
    kill(process.identifier, SIGKILL)
    _ = process.wait()
  }

  /// The last lines that the worker printed; nil for none.
  var lastWords: String? {
    guard let file = try? FileByteSource(OpenFile.own(logPath, of: .anybody), path: logPath),
      let bytes = try? file.read(
        at: file.size - min(file.size, UInt64(Self.longestWords)), count: Self.longestWords)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(3)
    let words = lines.map { line in
      line.hasPrefix("candela: ") ? line.dropFirst("candela: ".count) : line
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// So many bytes at the end of what a worker printed are looked at.
  private static let longestWords = 1 << 14

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
