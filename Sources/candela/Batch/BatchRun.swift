// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host

/// Works on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files, with what is known about their outputs.
  let files: [BatchRecords.Known]
  let unreadable: [UnreadablePath]
  /// How many files are worked on at once.
  let jobs: Int
  /// The estimated memory, in bytes, that all running files may take together. A file that runs
  /// alone may take more.
  let memory: UInt64
  /// Where to record the sources and settings of the outputs; `nil` if there are no outputs.
  let records: BatchRecords?
  let style: ProgressStyle
  let messages: RunMessages
  /// Makes the process that works on a file, without starting it.
  let worker: @Sendable (BatchFiles.Pair) -> FileWorker
  /// Takes what the command prints about each file; `nil` if it prints nothing.
  var results: FileResults?

  /// Returns how many files to work on at once if the user does not say.
  ///
  /// - Parameter memory: the memory, in bytes, that all of them may take together.
  static func usualJobs(of files: [BatchRecords.Known], within memory: UInt64) -> Int {
    // Several files at once keep a machine busier than the threads or segments of one file. But
    // each file gets only its share of the cores, so a file with more than that share of the work
    // would go on when all others are done.
    let sizes = files.filter { $0.state.isWorked }.map { Double(PosixPath.size(of: $0.pair.input)) }
    let most = Int(sizes.reduce(0, +) / max(sizes.max() ?? 1, 1))
    // If only some of the files fit in memory, the others' shares of the cores would be idle.
    let fitting = Int(clamping: memory / Self.memoryOfFile)
    return min(max(min(most, fitting), 1), ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The memory, in bytes, that encoding frames of 3840×2160 takes, roughly.
  private static let memoryOfFile: UInt64 = 1 << 30

  /// Works on all files, and prints what became of them.
  ///
  /// - Returns: the worst status of all, and what became of the files.
  func run() async throws -> (ExitStatus, BatchSummary) {
    for item in unreadable where !item.hasFailedBefore { RunMessages.fail(item.path, item.error) }
    records?.note(unreadable, messages)
    let progress = BatchProgress(total: files.count { $0.state.isWorked })
    let outcomes = BatchOutcomes(files, unreadable, messages)
    // No matter how the run ends, it gives its processes time to end and then prints its summary.
    Interruptible.setLastWords { [results] in
      outcomes.tell()
      try? results?.finish(outcomes.summary)
    }
    Interruptible.waitForProcesses()
    try await ProgressDisplay(style: style, batch: progress).showing {
      await ProgressDisplay.$batch.withValue(progress) { await work(progress, outcomes) }
    }
    outcomes.tell()
    try results?.finish(outcomes.summary)
    try Task.checkCancellation()
    return (outcomes.worst, outcomes.summary)
  }

  /// The files to work on, in the order in which they begin.
  private var inOrder: [BatchRecords.Known] {
    let files = files.filter { $0.state.isWorked }
    // Without outputs, files begin in the order in which their results are printed.
    guard jobs > 1, records != nil else { return files }
    // The largest files begin first, so that no large file begins when all others are about to end.
    let sizes = files.map { PosixPath.size(of: $0.pair.input) }
    return files.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.map { files[$0] }
  }

  /// Works on the files, on up to `jobs` of them at once, as far as they fit in memory.
  private func work(_ progress: BatchProgress, _ outcomes: BatchOutcomes) async {
    let queue = FileQueue(inOrder, jobs: jobs, memory)
    // With several jobs, the next processes start, and estimate their memory, while others work.
    // Each core then has its next file as soon as its previous file ends.
    let ahead = jobs == 1 ? 0 : 1 + jobs / 8
    await withTaskGroup { group in
      for index in 0..<min(jobs + ahead, files.count) {
        group.addTask {
          // A smaller file may be ready sooner than a larger one, but must not take the job of the
          // larger one.
          if index >= jobs { await queue.waitForFirst() }
          while await hasRoom(), let turn = await queue.next() {
            if await take(turn, queue, outcomes) {
              progress.finishFile()
            } else {
              await queue.postpone(turn.file)
            }
          }
          await queue.endFirst()
        }
      }
    }
  }

  /// Waits until the results of further files can be kept.
  ///
  /// - Returns: `false` if the run was interrupted.
  private func hasRoom() async -> Bool {
    // A run with outputs may begin its files in an order other than that of the results, so it has
    // to keep results in any case. Only a run without outputs waits here.
    while records == nil, results?.isFull == true, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(50))
    }
    return !Task.isCancelled
  }

  /// How a file's turn ended.
  private enum Attempt {
    case ended(ExitStatus)
    /// The output needs no work, or another run makes it.
    case skipped(BatchRecords.State)
    /// Another run is working on the output, so the file needs another turn.
    case postponed
    /// The run was interrupted before the work began.
    case notBegun
  }

  /// Works on a file whose turn has come.
  ///
  /// - Returns: `false` if the file needs another turn.
  private func take(
    _ turn: FileQueue.Turn, _ queue: FileQueue, _ outcomes: BatchOutcomes
  ) async -> Bool {
    let pair = turn.file.pair
    let worker = worker(pair)
    let attempt = await RunMessages.$input.withValue(pair.input) {
      await caught { try await self.attempt(turn, worker, queue, outcomes) }
    }
    switch attempt {
    case .postponed:
      outcomes.postpone(pair)
      return false
    case .notBegun: break
    case .skipped(let state):
      outcomes.skip(pair, state)
      results?.add(worker.texts, of: pair, nil)
    case .ended(let status):
      outcomes.note(worker.notices, of: pair)
      results?.add(worker.texts, of: pair, status)
      outcomes.end(pair, status)
    }
    return true
  }

  private func caught(_ body: () async throws -> Attempt) async -> Attempt {
    do {
      return try await body()
    } catch let error as TranscodingError {
      return .ended(RunMessages.fail(RunMessages.input, error))
    } catch is CancellationError {
      return .ended(.interrupted)
    } catch {
      return .ended(RunMessages.fail(RunMessages.input, .internalFault, "\(error)"))
    }
  }

  /// Works on a file, unless its output exists by now or another run is working on it.
  private func attempt(
    _ turn: FileQueue.Turn, _ worker: FileWorker, _ queue: FileQueue, _ outcomes: BatchOutcomes
  ) async throws -> Attempt {
    guard let records else {
      return await begin(turn, turn.file.state, worker, queue, outcomes)
    }
    // Until the record is written, other runs leave the output and its folder alone.
    let folder = try records.folder.prepare(turn.file.pair)
    let claim = try claim(turn)
    defer { withExtendedLifetime((folder, claim)) {} }
    guard claim != nil else {
      guard !Task.isCancelled else { return .notBegun }
      return turn.isLast ? .skipped(.missing) : .postponed
    }
    let state = try await state(now: turn, records)
    guard state.isWorked else { return .skipped(state) }
    return await begin(turn, state, worker, queue, outcomes)
  }

  /// Claims an output for this run.
  ///
  /// - Returns: `nil` if another run is working on it.
  private func claim(_ turn: FileQueue.Turn) throws -> OutputClaim? {
    let output = turn.file.pair.output
    // A batch claims the work on an output, and any process that writes the output claims the
    // writing. A run that is not a batch holds only the second claim, and so does a process that
    // briefly outlives its killed batch. So look for both claims.
    let isWritten = OutputClaim.isHeld(on: output)
    if !isWritten, let claim = OutputClaim(of: output, for: .work) { return claim }
    guard turn.isLast, !turn.file.isLeftToOthers else { return nil }
    return try UnfinishedFile.claim(output, for: .work)
  }

  /// Returns the state of an output when its turn comes.
  private func state(
    now turn: FileQueue.Turn, _ records: BatchRecords
  ) async throws -> BatchRecords.State {
    let state = try records.state(now: turn.file, waited: turn.hasWaited)
    guard state == .unknown else { return state }
    // The claims of a run in another container, such as Docker's, are not visible here. If that run
    // has just made the output, its record follows in a moment.
    try await Task.sleep(for: .milliseconds(300))
    return try records.state(now: turn.file, waited: turn.hasWaited)
  }

  /// Works on a file as soon as a job is free and the file fits in memory.
  private func begin(
    _ turn: FileQueue.Turn, _ state: BatchRecords.State, _ worker: FileWorker, _ queue: FileQueue,
    _ outcomes: BatchOutcomes
  ) async -> Attempt {
    await queue.begin()
    // With a single job, files never share the memory, so no estimate is needed.
    let bytes = jobs == 1 ? 0 : await worker.need()
    await queue.enter(bytes)
    var attempt = Attempt.notBegun
    if !Task.isCancelled {
      outcomes.begin(turn.file.pair)
      attempt = await caught { try await work(on: turn, state, worker) }
    }
    await queue.leave(bytes)
    await queue.end()
    return attempt
  }

  /// Works on a file in another process, and records what exists of its output.
  private func end(
    of file: BatchRecords.Known, _ source: (version: [Int], marks: FileMarks),
    replacing replaces: Bool, _ worker: FileWorker
  ) async throws -> FileWorker.End {
    // If the command makes several files and the work ends early, some of them exist already. A
    // later run replaces them.
    defer {
      if worker.hasUnfinishedFiles {
        records?.add(file, .interrupted, source, files: worker.files, messages)
      }
    }
    return try await end(replacing: replaces, worker) { status, pixels in
      let seconds = worker.workTime / .seconds(1) / Double(jobs)
      records?.add(
        file, status, source, files: worker.files,
        cost: pixels.map {
          WorkCost(seconds: seconds, pixels: $0, machine: WorkCost.thisMachine)
        }, messages)
    }
  }

  /// Works on a file in another process.
  ///
  /// - Returns: what ``FileWorker/work(replacing:made:)`` returns, or a failure's status if the
  ///   process crashed.
  private func end(
    replacing replaces: Bool, _ worker: FileWorker,
    made: @escaping @Sendable (ExitStatus, _ pixels: Double?) -> Void
  ) async throws -> FileWorker.End {
    do {
      return try await worker.work(replacing: replaces, made: made)
    } catch let error as TranscodingError where error.kind == .internalFault {
      return .status(RunMessages.fail(RunMessages.input, error))
    }
  }

  private func work(
    on turn: FileQueue.Turn, _ state: BatchRecords.State, _ worker: FileWorker
  ) async throws -> Attempt {
    let file = turn.file
    // Take the facts before the work. If the source changes during the work, they no longer fit,
    // and the next run makes the output again.
    let source = BatchRecord.facts(of: file.pair.input)
    switch try await end(of: file, source, replacing: state == .outdated, worker) {
    case .status(let status):
      if status.isCaused(by: file.pair.input) { records?.add(file, status, source, messages) }
      return .ended(status)
    case .leftOut(let range):
      records?.add(file, .done, source, leftOut: range, messages)
      return .skipped(.leftOut)
    case .taken:
      guard let records, turn.hasWaited else { return .postponed }
      // If another run made the output, its record appears while `state` waits. If no record
      // appears, the output did not come from another run.
      return .skipped((try? await self.state(now: turn, records)) ?? .missing)
    }
  }
}

/// Keeps the files whose turn has not come, and counts the jobs and the memory in use.
private actor FileQueue {
  /// A file whose turn it is.
  struct Turn {
    let file: BatchRecords.Known
    /// Whether an earlier turn found that another run is working on the file.
    var hasWaited = false
    /// Whether there is no further turn.
    var isLast = false
  }

  private var files: ArraySlice<BatchRecords.Known>
  /// The files that other runs are working on, each with the time of its next turn.
  private var postponed: ArraySlice<(file: BatchRecords.Known, time: ContinuousClock.Instant)> = []
  /// How many files this run is working on, including those that wait for a job or for memory.
  private var working = 0
  /// When a file last had its first turn, or when work on a file last ended, whichever is later.
  private var lastWork = ContinuousClock.now
  private let jobs: Int
  private let size: UInt64
  private var (taken, running) = (UInt64(0), 0)
  private var waiting: [(bytes: UInt64, turn: CheckedContinuation<Void, Never>)] = []
  /// How many files have reported what they need.
  private var readyCount = 0
  /// What waits until the first files are ready; `nil` once they are.
  private var waitingForFirst: [CheckedContinuation<Void, Never>]? = []

  /// - Parameters:
  ///   - jobs: how many files may run at once.
  ///   - size: the memory in bytes.
  init(_ files: [BatchRecords.Known], jobs: Int, _ size: UInt64) {
    (self.files, self.jobs, self.size) = (files[...], jobs, size)
  }

  /// How long to wait at the end for other runs that work on files. If such a run was killed, its
  /// processes are gone by then.
  private static let patience = Duration.seconds(3)
  /// How soon a file gets another turn.
  private static let interval = Duration.milliseconds(50)

  func next() async -> Turn? {
    if let file = files.popFirst() {
      lastWork = .now
      return Turn(file: file)
    }
    guard let next = postponed.popFirst() else { return nil }
    try? await Task.sleep(until: next.time, clock: .continuous)
    // As long as this run has work of its own, waiting delays nothing. The other run may be killed
    // in the meantime, and then this one makes the output.
    let isLast = working == 0 && lastWork + Self.patience < .now
    return Turn(file: next.file, hasWaited: true, isLast: isLast)
  }

  /// Gives a file another turn, after all others.
  func postpone(_ file: BatchRecords.Known) { postponed.append((file, .now + Self.interval)) }

  /// Notes that work on a file begins.
  func begin() { working += 1 }

  func end() { (working, lastWork) = (working - 1, .now) }

  /// Waits until as many files are ready as there are jobs, a file ends, or no files are left.
  func waitForFirst() async {
    guard waitingForFirst != nil else { return }
    await withCheckedContinuation { waitingForFirst?.append($0) }
  }

  func endFirst() {
    for turn in waitingForFirst ?? [] { turn.resume() }
    waitingForFirst = nil
  }

  /// Waits until a job is free and a file fits in memory. With several jobs, the file's process is
  /// already running, because it had to report what the file needs.
  func enter(_ bytes: UInt64) async {
    readyCount += 1
    if readyCount == jobs { endFirst() }
    // Small files must not keep a large one waiting forever, so all wait in line.
    if waiting.isEmpty, fits(bytes) { return take(bytes) }
    await withCheckedContinuation { waiting.append((bytes, $0)) }
  }

  func leave(_ bytes: UInt64) {
    endFirst()
    (running, taken) = (running - 1, taken - bytes)
    while let next = waiting.first, fits(next.bytes) {
      waiting.removeFirst()
      take(next.bytes)
      next.turn.resume()
    }
  }

  /// Returns whether a file may run now. A file that would run alone always may, however much
  /// memory it needs.
  private func fits(_ bytes: UInt64) -> Bool {
    running == 0 || (running < jobs && bytes <= size - min(taken, size))
  }

  private func take(_ bytes: UInt64) { (running, taken) = (running + 1, taken + bytes) }
}
