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

  /// Works on files, as many at once as allowed and as fit in memory.
  private func work(_ progress: BatchProgress, _ outcomes: BatchOutcomes) async {
    var waiting = files.filter { $0.state.isWorked }[...]
    var (running, taken) = (0, UInt64(0))
    var next: FileWorker?
    await withTaskGroup(of: UInt64.self) { group in
      while !waiting.isEmpty || running > 0 {
        while running < jobs, !Task.isCancelled, let file = waiting.first {
          let worker = next ?? worker(file.pair)
          next = worker
          // With a single job, files never share the memory, so no estimate is needed.
          let bytes = jobs == 1 || isByAnother(file) ? 0 : await worker.need()
          // One file may always run, whatever it needs. Any other file waits until it fits. Its
          // process is already running, because it had to report what the file needs.
          guard running == 0 || bytes <= memory - min(taken, memory) else { break }
          (waiting, running, taken, next) = (waiting.dropFirst(), running + 1, taken + bytes, nil)
          outcomes.begin(file.pair)
          group.addTask {
            await work(on: file, worker, outcomes)
            return bytes
          }
        }
        guard let bytes = await group.next() else { break }
        (running, taken) = (running - 1, taken - bytes)
        progress.finishFile()
      }
    }
  }

  /// Whether another run is making an output, or has made it. Then no process has to start.
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
  /// - Returns: as ``FileWorker/work(_:made:)``, and the status of a process that crashed.
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
            pair, status, source, cost: pixels.map { WorkCost(seconds: seconds, pixels: $0) },
            messages)
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
