// SPDX-License-Identifier: GPL-2.0-or-later
internal import Dispatch
internal import Glibc
internal import Host
internal import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of a task, so that it can clean up.
/// SIGTSTP also stops the processes that this one has started.
enum Interruptible {
  /// How long to wait for cancelled work to end before the process ends anyway. A library that
  /// opens a file, or the system that writes to a disk, may take a long time and cannot be asked to
  /// stop.
  private static let patience = Mutex(DispatchTimeInterval.milliseconds(500))

  /// Gives the work more time, because other processes of this program have to end first.
  static func waitForProcesses() {
    // `FileWorker` waits 1.5 s for its process to end, and then kills it.
    patience.withLock { $0 = .milliseconds(2_500) }
  }

  /// The folders of jobs. They are kept after an interruption.
  private static let keptJobs = Mutex<Set<String>>([])

  /// Notes the folder of a job, which is kept after an interruption.
  static func keep(job: String) {
    keptJobs.withLock { _ = $0.insert(job) }
    FileEvent(job: job).post()
  }

  /// The outputs that are complete but are still being compared.
  private static let compared = Mutex<Set<String>>([])

  /// Runs the comparison of an output. An interruption does not remove the output, because it is
  /// already complete.
  static func comparing<Result: Sendable>(
    _ output: String, _ body: () async throws -> Result
  ) async throws -> Result {
    note(true, output)
    let result = try await body()
    note(false, output)
    return result
  }

  /// Notes whether an output is complete but is still being compared.
  static func note(_ isCompared: Bool, _ output: String) {
    compared.withLock { compared in
      if isCompared { compared.insert(output) } else { compared.remove(output) }
    }
    FileEvent(isCompared: isCompared).post()
  }

  /// Prints what became of the files of a batch, if the process ends without waiting for them.
  private static let lastWords = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the function that prints what became of a batch's files, in case the process has to end
  /// without waiting for them.
  static func setLastWords(_ words: @escaping @Sendable () -> Void) {
    lastWords.withLock { $0 = words }
  }

  /// Prints what became of the work.
  static func report() {
    // Some of these folders may be gone by now, because their jobs were finished or the segments in
    // them were of no use.
    let jobs = keptJobs.withLock { $0 }.filter { PosixPath.kind(of: $0) != .nothing }.sorted()
    let whole = compared.withLock { $0 }.sorted()
    var facts: [String] = []
    if !whole.isEmpty {
      facts.append("complete, but not compared: \(whole.joined(separator: ", "))")
    }
    if !jobs.isEmpty {
      facts.append(
        "finished segments stay in \(jobs.joined(separator: ", ")), and the same command continues "
          + "with them")
    }
    if facts.isEmpty { facts = ["the unfinished output was removed"] }
    RunMessages.fail(nil, .interrupted, "interrupted; \(facts.joined(separator: "; "))")
  }

  /// Runs `body`, and cancels it if a signal arrives.
  static func run(_ body: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
    // Writing into a closed pipe should fail with an error, not end the program.
    _ = signal(SIGPIPE, SIG_IGN)
    // The program that started this one may have set SIGCHLD to be ignored. Then nobody could tell
    // how child processes ended.
    _ = signal(SIGCHLD, SIG_DFL)
    let task = Task(operation: body)
    // SIGTSTP is for the workers: they stop and resume together with this process, as users expect
    // of Ctrl-Z.
    let sources =
      [SIGINT, SIGTERM, SIGHUP].compactMap { number in
        source(of: number) {
          task.cancel()
          // Cancellation is only a request. If the work does not react, end anyway, or Ctrl-C would
          // seem dead.
          DispatchQueue.global().asyncAfter(
            deadline: .now() + patience.withLock { $0 }, execute: end)
        }
      } + [source(of: SIGTSTP, handler: ChildProcess.stopAll)].compactMap { $0 }
    defer { sources.forEach { $0.cancel() } }
    return await task.value
  }

  /// Returns a source that calls a function whenever a signal arrives; `nil` if the process should
  /// ignore the signal.
  private static func source(
    of number: Int32, handler: @escaping @Sendable () -> Void
  ) -> (any DispatchSourceSignal)? {
    guard !isIgnored(number) else { return nil }
    // Dispatch reports a signal, but does not keep it from ending the process first.
    _ = signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: handler)
    source.resume()
    return source
  }

  /// Returns whether this process was started with a signal ignored, as `nohup` does with SIGHUP.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // Swift cannot compare C functions, so compare their addresses.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process without waiting for the work.
  private static func end() {
    // If nobody reads standard error, printing there may block forever, so end in any case.
    DispatchQueue(label: "end").asyncAfter(deadline: .now() + .milliseconds(500)) {
      _exit(ExitStatus.interrupted.rawValue)
    }
    UnfinishedFile.discardAll()
    lastWords.withLock { $0 }?()
    // If this process works on one of many files, the process that started it prints the report.
    if !FileEvent.isPosted { report() }
    _exit(ExitStatus.interrupted.rawValue)
  }
}
