// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// Works on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files, with what is known about their outputs.
  let files: [BatchRecords.Known]
  /// Folders and links that cannot be read, and why.
  let unreadable: [(path: String, error: TranscodingError)]
  /// How many files are worked on at once.
  let jobs: Int
  /// The estimated memory, in bytes, that all running files may take together. A file that runs
  /// alone may take more.
  let memory: UInt64
  /// Where to record the sources and settings of the outputs; `nil` if files are only read.
  let records: BatchRecords?
  let style: ProgressStyle
  let messages: RunMessages
  /// Makes the process that works on a file, without starting it.
  let worker: @Sendable (BatchFiles.Pair) -> FileWorker
  /// Creates the folders of an output.
  let prepare: @Sendable (BatchFiles.Pair) throws -> Void
  /// Takes what the command prints about each file; `nil` if it prints nothing.
  var results: FileResults?

  /// Works on all files, and prints what became of them.
  ///
  /// - Returns: the worst status of all, and what became of the files.
  func run() async throws -> (ExitStatus, BatchSummary) {
    for (path, error) in unreadable { RunMessages.fail(path, error) }
    let progress = BatchProgress(total: files.count { $0.state.isWorked })
    let outcomes = BatchOutcomes(
      files,
      unreadable: unreadable.map {
        BatchSummary.File(input: $0.path, status: ExitStatus($0.error.kind).rawValue)
      }, messages)
    // However the run ends, it first gives its processes time to end and then prints its summary.
    Interruptible.setLastWords(outcomes.tell)
    Interruptible.waitForProcesses()
    try await ProgressDisplay(style: style, batch: progress).showing {
      await ProgressDisplay.$batch.withValue(progress) { await work(progress, outcomes) }
    }
    outcomes.tell()
    try results?.finish()
    try Task.checkCancellation()
    return (outcomes.worst, outcomes.summary)
  }

  /// The files to work on, in the order in which they begin.
  private var inOrder: [BatchRecords.Known] {
    let files = files.filter { $0.state.isWorked }
    guard jobs > 1 else { return files }
    // The largest files begin first, so that none begins when all others are about to end.
    let sizes = files.map { PosixPath.size(of: $0.pair.input) }
    return files.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.map { files[$0] }
  }

  /// Works on the files, on as many at once as are allowed and fit in memory.
  private func work(_ progress: BatchProgress, _ outcomes: BatchOutcomes) async {
    let queue = FileQueue(inOrder, memory)
    await withTaskGroup { group in
      for _ in 0..<min(jobs, files.count) {
        group.addTask {
          while !Task.isCancelled, let file = await queue.next() {
            let worker = self.worker(file.pair)
            // With a single job, files never share the memory, so no estimate is needed.
            let bytes = jobs == 1 || isByAnother(file) ? 0 : await worker.need()
            await queue.enter(bytes)
            if !Task.isCancelled {
              outcomes.begin(file.pair)
              await work(on: file, worker, outcomes)
              progress.finishFile()
            }
            await queue.leave(bytes)
          }
        }
      }
    }
  }

  /// Whether another run is making an output, or has made it. If so, no process has to start.
  private func isByAnother(_ file: BatchRecords.Known) -> Bool {
    records.map { $0.hasChanged(file) || $0.isBeingMade(file) } ?? false
  }

  /// Returns the state of an output when its turn comes.
  private func state(now file: BatchRecords.Known) async throws -> BatchRecords.State {
    guard let records else { return file.state }
    let state = try records.state(now: file)
    guard state == .unknown else { return state }
    // If another run has just made it, its record follows in a moment.
    try await Task.sleep(for: .milliseconds(300))
    return try records.state(now: file)
  }

  /// Makes an output in another process.
  ///
  /// - Returns: what ``FileWorker/work(_:made:)`` returns, or a failure's status if the process
  ///   crashed.
  private func end(
    _ start: WorkStart, _ worker: FileWorker,
    made: @escaping @Sendable (ExitStatus, _ pixels: Double?) -> Void
  ) async throws -> FileWorker.End {
    do {
      return try await worker.work(start, made: made)
    } catch let error as TranscodingError where error.kind == .internalFault {
      return .status(RunMessages.fail(RunMessages.input, error))
    }
  }

  /// Works on a file, unless its output exists by now.
  private func work(
    on file: BatchRecords.Known, _ worker: FileWorker, _ outcomes: BatchOutcomes
  ) async {
    let pair = file.pair
    let status = await RunMessages.$input.withValue(pair.input) { () async -> ExitStatus? in
      do {
        let state = try await state(now: file)
        guard state.isWorked, records?.isBeingMade(file) != true else {
          outcomes.skip(pair, state)
          return nil
        }
        // If the source changes during the work, the next run makes the output again.
        let source = BatchRecord.facts(of: pair.input)
        try prepare(pair)
        let start = ContinuousClock.now
        let end = try await end(state == .outdated ? .replacing : .making, worker) {
          status, pixels in
          let seconds = start.duration(to: .now) / .seconds(1) / Double(jobs)
          records?.add(
            pair, status, source, files: worker.files,
            cost: pixels.map { WorkCost(seconds: seconds, pixels: $0) }, messages)
        }
        switch end {
        case .status(let status):
          if status.isOfSource { records?.add(pair, status, source, messages) }
          return status
        case .leftOut(let range):
          records?.add(pair, .done, source, leftOut: range, messages)
          outcomes.skip(pair, .leftOut)
        // If no record appears in time, the output did not come from another run.
        case .taken: outcomes.skip(pair, (try? await self.state(now: file)) ?? .missing)
        }
        return nil
      } catch let error as TranscodingError {
        return RunMessages.fail(pair.input, error)
      } catch is CancellationError {
        return .interrupted
      } catch {
        return RunMessages.fail(pair.input, .internalFault, "\(error)")
      }
    }
    outcomes.note(worker.notices, of: pair)
    results?.add(worker.texts, of: pair, status)
    if let status { outcomes.end(pair, status) }
  }
}

/// The files whose turn has not come, and the memory that the running ones share.
private actor FileQueue {
  private var files: ArraySlice<BatchRecords.Known>
  private let size: UInt64
  private var (taken, running) = (UInt64(0), 0)
  private var waiting: [(bytes: UInt64, turn: CheckedContinuation<Void, Never>)] = []

  /// - Parameter size: the memory in bytes.
  init(_ files: [BatchRecords.Known], _ size: UInt64) {
    (self.files, self.size) = (files[...], size)
  }

  func next() -> BatchRecords.Known? { files.popFirst() }

  /// Waits until a file fits in memory. Its process is already running, because it had to report
  /// what the file needs.
  func enter(_ bytes: UInt64) async {
    // Small files must not keep a large one waiting forever, so all wait in line.
    if waiting.isEmpty, fits(bytes) { return take(bytes) }
    await withCheckedContinuation { waiting.append((bytes, $0)) }
  }

  func leave(_ bytes: UInt64) {
    (running, taken) = (running - 1, taken - bytes)
    while let next = waiting.first, fits(next.bytes) {
      waiting.removeFirst()
      take(next.bytes)
      next.turn.resume()
    }
  }

  /// Returns whether a file may run now. If no other file is running, it may, however much memory
  /// it needs.
  private func fits(_ bytes: UInt64) -> Bool {
    running == 0 || bytes <= size - min(taken, size)
  }

  private func take(_ bytes: UInt64) { (running, taken) = (running + 1, taken + bytes) }
}
