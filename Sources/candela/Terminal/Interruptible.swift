// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Dispatch
internal import Glibc
internal import Transcoding

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of a task, so that it can clean up.
enum Interruptible {
  /// How long the work may take to notice that it is cancelled. A library that opens a file, or the
  /// system that writes to a disk, may take long and cannot be asked to stop.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  /// Says what became of the work.
  static func report() {
    Console.printError("candela: interrupted; the unfinished output was removed")
  }

  /// Runs `body`, cancelled by a signal.
  static func run(_ body: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
    // Writing into a closed pipe is an error of that call, not the end of the program.
    _ = signal(SIGPIPE, SIG_IGN)
    let task = Task(operation: body)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        task.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
      }
      source.resume()
      return source
    }
    defer { sources.forEach { $0.cancel() } }
    return await task.value
  }

  /// Ends the process without waiting for the work.
  private static func end() {
    Interruption.removeUnfinished()
    report()
    _exit(ExitStatus.interrupted.rawValue)
  }
}
