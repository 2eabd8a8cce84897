// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore
internal import Planning
internal import Synchronization

/// Encodes the segments of a job in processes side by side.
///
/// The segment of a worker that crashes is tried once more. If workers take more memory than
/// allowed, the youngest worker is stopped, and from then on, the pool runs one worker fewer. If a
/// single worker takes too much, the work ends, provided that the limit applies to a single worker.
final class WorkerPool {
  private let folder: JobFolder
  private let memory: UInt64
  private let isBound: Bool
  private let schedule: WorkSchedule
  private let program: String?
  private var limit: Int
  private var waiting: [Int]
  private var running: [WorkerProcess] = []
  /// For each segment whose worker crashed or had to be ended: whether somebody other than this
  /// program killed that worker.
  private var failed: [Int: Bool] = [:]
  private var stopped = StoppedWorkers()
  /// Shows a message to the user.
  private let tell: (String) -> Void
  /// Receives the segments that have just been finished, and how many frames the running workers
  /// have encoded so far.
  private let progress: (_ done: [Int], _ frames: Int) -> Void

  /// The time between two checks of the workers, in microseconds.
  private static let interval: UInt32 = 50_000

  /// - Parameters:
  ///   - schedule: the segments to encode, and the number of workers at once.
  ///   - memory: the memory, in bytes, that all processes may take together.
  ///   - isBound: whether the limit also applies to a single worker.
  ///   - program: the path of the program that workers run, or `nil` for this program.
  ///   - tell: shows a message to the user.
  init(
    _ folder: JobFolder, _ schedule: WorkSchedule, memory: UInt64,
    isBound: Bool, program: String?, tell: @escaping (String) -> Void,
    progress: @escaping (_ done: [Int], _ frames: Int) -> Void
  ) {
    (self.folder, self.memory, self.isBound) = (folder, memory, isBound)
    (self.program, self.progress, self.tell) = (program, progress, tell)
    self.schedule = schedule
    (waiting, limit) = (schedule.items.map(\.number), schedule.workers)
  }

  /// Works until all segments are done.
  ///
  /// - Throws: ``TranscodingError`` with the last words of the worker that failed; any error of
  ///   `checkpoint`.
  func run(checkpoint: Pipeline.Checkpoint) throws {
    defer { for worker in running { worker.stop() } }
    var rounds = 0
    while !waiting.isEmpty || !running.isEmpty {
      try checkpoint()
      while running.count < limit, let number = waiting.first {
        waiting.removeFirst()
        let threads = WorkModel.threads(cores: WorkerCount.cores)
        running.append(
          try WorkerProcess(
            number, of: folder, program: program, threads: threads,
            niceness: schedule.niceness(of: number)))
      }
      usleep(Self.interval)
      try wakeStopped()
      let ended = running.filter { !$0.isRunning }
      running.removeAll { worker in ended.contains { $0 === worker } }
      for worker in ended { try settle(worker) }
      rounds += 1
      // Memory changes slowly and takes longer to check, so check it only every fourth round.
      if rounds % 4 == 0 { try keepMemory() }
      // Only a worker's lease says how far the worker has come.
      let frames = running.compactMap { SegmentLease(path: folder.leasePath($0.number))?.frames }
      progress(ended.map(\.number).filter(isDone), frames.reduce(0, +))
    }
  }

  private func isDone(_ number: Int) -> Bool {
    PosixPath.kind(of: folder.segmentPath(number)) == .file
  }

  private func settle(_ worker: WorkerProcess) throws {
    let (number, code) = (worker.number, worker.exitCode)
    if code == 0, isDone(number) {
      _ = unsafe unlink(folder.logPath(number).systemBytes)
      return
    }
    // If a worker reports a problem with the input or the system, another try would end the same
    // way. Only after a fault of the worker itself is a second try worthwhile.
    if let code, let kind = Self.kinds[code] {
      let reason = folder.unfitReason(number)
      throw TranscodingError(
        kind, reason ?? worker.lastWords ?? "segment \(number): the worker \(worker.fate)",
        code: reason == nil ? nil : .unfitSegment)
    }
    try tryAgain(number, worker)
  }

  /// Queues the segment of a crashed worker again.
  ///
  /// - Throws: ``TranscodingError`` if an earlier worker of this segment crashed or had to be
  ///   ended.
  private func tryAgain(_ number: Int, _ worker: WorkerProcess) throws {
    guard let wasKilled = failed.updateValue(worker.wasKilled, forKey: number) else {
      return waiting.insert(number, at: 0)
    }
    guard wasKilled && worker.wasKilled else {
      throw TranscodingError(
        .internalFault, "segment \(number) failed twice: the worker \(worker.fate)")
    }
    throw TranscodingError(
      .unavailable,
      "segment \(number): the worker was killed twice (signal 9), as the system does when memory "
        + "runs out; use fewer workers, or give the run more memory")
  }

  /// Wakes workers that a signal has stopped, and ends those that are stopped again.
  ///
  /// - Throws: ``TranscodingError`` of kind `unavailable` if a worker has to be ended, and an
  ///   earlier worker of its segment crashed or had to be ended, too.
  private func wakeStopped() throws {
    for worker in running {
      switch stopped.measure(for: worker.identifier, isStopped: worker.isStopped) {
      case .nothing: break
      case .wake:
        worker.wake()
        tell("the worker of segment \(worker.number) was stopped by a signal and has been resumed")
      case .end:
        worker.stop()
        running.removeAll { $0 === worker }
        guard failed.updateValue(false, forKey: worker.number) == nil else {
          throw TranscodingError(
            .unavailable,
            "segment \(worker.number): signals keep stopping its workers; find out what sends them "
              + "(SIGSTOP)")
        }
        tell("the worker of segment \(worker.number) was stopped again: another one takes over")
        waiting.insert(worker.number, at: 0)
      }
    }
  }

  /// The failures that another try would not fix, by the worker's exit code.
  private static let kinds: [Int32: TranscodingError.Kind] = [
    64: .invalidSettings, 65: .unusableInput, 66: .noInput, 69: .unavailable,
    73: .cannotCreateOutput, 74: .inputOutput,
  ]

  /// Stops the youngest worker if all processes together take too much memory.
  ///
  /// - Throws: ``TranscodingError`` of kind `unavailable` if a single worker takes too much, and
  ///   the limit applies to a single worker.
  private func keepMemory() throws {
    guard running.count > 1 || isBound else { return }
    let identifiers = [getpid()] + running.map(\.identifier)
    // Reading the upper bound is cheap. Reading the exact number makes each process wait, so do
    // that only if the bound exceeds the limit.
    guard identifiers.map(SystemLimits.mostMemory(ofProcess:)).reduce(0, +) > memory else { return }
    let all = identifiers.map(SystemLimits.memory(ofProcess:)).reduce(0, +)
    // The youngest loses the least work.
    guard all > memory, let youngest = running.popLast() else { return }
    youngest.stop()
    guard !running.isEmpty else {
      throw TranscodingError(
        .unavailable,
        "segment \(youngest.number): one encoder already takes \(all >> 20) MB of memory, more "
          + "than the \(memory >> 20) MB allowed; allow more memory")
    }
    waiting.insert(youngest.number, at: 0)
    limit = running.count
  }
}
