internal import Dispatch
internal import Foundation

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of a task, so that it can clean up.
enum Interruptible {
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
      }
      source.resume()
      return source
    }
    defer { sources.forEach { $0.cancel() } }
    return await task.value
  }
}
