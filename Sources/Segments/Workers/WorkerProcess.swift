// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// A separate process of the program `candela`, which encodes one segment. It ends when its parent
/// ends.
package final class WorkerProcess {
  let number: Int
  private let process: ChildProcess
  private let logPath: String

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - program: the path of the program, or `nil` for this program.
  ///   - threads: number of threads of the decoder, and of the pool of x265 or SVT-AV1.
  ///   - niceness: by how many steps the worker's priority is lower than this process's.
  /// - Throws: ``TranscodingError`` of kind `unavailable` if the system cannot create a process.
  init(
    _ number: Int, of folder: JobFolder, program: String?, threads: Int, niceness: Int = 0
  ) throws {
    self.number = number
    logPath = folder.logPath(number)
    // Any file here was left by an earlier run, or is a link that somebody put in the way.
    _ = unsafe unlink(logPath.systemBytes)
    let log: OpenFile
    do {
      log = try OpenFile.own(logPath, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw TranscodingError(.inputOutput, "\(logPath) cannot be written: it \(error.text)")
    }
    // `--attached` ends the worker when this process ends, for whatever reason.
    let words = "segments encode --attached --decoder-threads \(threads) \(number) --job"
    process = try ChildProcess(
      words.split(separator: " ").map(String.init) + [folder.path], of: program,
      for: "segment \(number)", log: log)
    process.lowerPriority(by: niceness)
  }

  var isRunning: Bool { process.isRunning }
  /// The number of the process on this host.
  var identifier: Int32 { process.identifier }
  /// The exit code of a worker that has ended; `nil` if a signal ended it.
  var exitCode: Int32? { if case .exit(let code) = process.wait() { code } else { nil } }

  /// Whether a signal has stopped the worker and no later signal has woken it.
  var isStopped: Bool { process.isStopped }
  /// Whether SIGKILL ended the worker.
  var wasKilled: Bool {
    // The system ends processes with SIGKILL if memory is short. This program ends workers with the
    // same signal, but never reads this property of a worker that it has ended.
    process.wait() == .signal(SIGKILL)
  }

  /// Wakes a worker that a signal has stopped.
  func wake() { kill(process.identifier, SIGCONT) }

  /// Ends the worker and waits until it is gone.
  func stop() {
    guard process.isRunning else { return }
    // SIGTERM would not end a process that is stopped. The unfinished file of a killed worker
    // cannot be mistaken for a segment, because a segment gets its name only when it is complete.
    kill(process.identifier, SIGKILL)
    _ = process.wait()
  }

  /// The last lines that the worker printed; `nil` if it printed nothing.
  var lastWords: String? {
    // Anybody who may write into the folder could have put a link or a pipe here.
    guard let file = try? FileByteSource(OpenFile.own(logPath, isShared: true), path: logPath),
      let bytes = try? file.read(
        at: file.size - min(file.size, UInt64(Self.longestWords)), count: Self.longestWords)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(3)
    let words = lines.map { line in
      line.hasPrefix("candela: ") ? line.dropFirst("candela: ".count) : line
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// How many bytes at the end of a worker's output are looked at.
  private static let longestWords = 1 << 14

  /// How the worker ended, as text.
  var fate: String {
    let end =
      switch process.wait() {
      case .exit(let code): "ended with exit code \(code)"
      case .signal(let number): "was killed by signal \(number)"
      }
    return lastWords.map { "\(end): \($0)" } ?? end
  }
}
