// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
package import Planning
internal import Settings
internal import Synchronization
package import Transcoding

/// A session whose frames are encoded in segments, by several processes, and that goes on where one
/// before it was interrupted.
package final class SegmentedSession: Sendable {
  /// Options of a run.
  package struct Options: Sendable {
    /// Number of workers.
    package var workers = WorkerCount.auto
    /// The bytes that all processes may take; nil for half of what is free.
    package var memory: UInt64?
    /// True if an unfinished job is gone on with where it fits.
    package var resumes = true
    /// True if the job stays where the run is interrupted.
    package var keepsJob = false
    /// Arguments of a worker, for a job's folder, a segment and a number of threads.
    package var workerArguments:
      @Sendable (_ folder: String, _ number: Int, _ threads: Int) -> [String] = { _, _, _ in [] }

    /// Told of what the user should know of the run, in words for people.
    package var tell: @Sendable (String) -> Void = { _ in }

    /// The defaults.
    package init() {}
  }

  /// Division of the work.
  package struct Report: Sendable, Encodable {
    /// Number of segments.
    package let count: Int
    /// Number of them that an earlier run had encoded.
    package let reused: Int
    /// Number of workers at once.
    package let workers: Int
    /// Reason for a single segment; nil where there may be several.
    package let obstacle: String?

    /// The division for people.
    package var text: String {
      let reason = obstacle.map { ": \($0)" } ?? ""
      let old = reused > 0 ? ", \(reused) of them done before" : ""
      return "\(count.counted("segment"))\(old)\(reason), \(workers.counted("worker"))"
    }
  }

  /// Differences between an unfinished job, which was removed, and what is wanted now, for people.
  /// None where there was no such job, or where the work goes on.
  package let differences: [String]
  /// The job's folder.
  package let folder: JobFolder
  /// Division of the work.
  package let report: Report

  private let job: SegmentJob
  private let options: Options
  /// The right to work off the job alone.
  private let lock: OpenFile
  /// The claim on the output until the segments are joined.
  private let claim: Mutex<OpenFile?>
  /// The input as it was before it was looked at.
  private let version: SourceVersion
  private let schedule: WorkSchedule
  private let memory: UInt64
  private let seconds: Double?
  private let state = Mutex(State())

  private struct State {
    var done: Set<Int> = []
    var frames = 0
    var start = ContinuousClock.now
    var session: TranscodeSession?
  }

  /// Decides what the segments are, or finds those of an earlier run.
  ///
  /// - Parameter seconds: duration of the source's presentation; nil if unknown.
  /// - Throws: ``TranscodingError``, as a session does; of kind `cannotCreateOutput` where another
  ///   run is working on the job, or writes the output.
  package init(_ request: JobRequest, options: Options, seconds: Double?) async throws {
    version = SourceVersion(path: request.input)
    folder = JobFolder(besideOutput: request.output)
    let isNew = folder.content == .nothing
    lock = try folder.locked()
    do {
      claim = Mutex(try UnfinishedFile.claim(request.output))
      let bound = options.memory ?? SystemLimits.usualMemory
      (job, differences) = try await Self.job(
        of: request, in: folder, resumes: options.resumes, memory: bound)
      var known = request.options
      known.shots = job.shots
      let source = try await SegmentSource(
        input: request.input, output: request.output,
        settings: TranscodeSettings(request.settings), options: known)
      let (job, folder) = (job, folder)
      let missing = try await Pipeline.onThread("segments") { _ in
        job.segments.filter {
          !SegmentFile.isComplete($0.number, of: job, in: folder)
        }
      }
      // Where nothing is stated, one worker may take what one process would.
      let each = source.memoryOfWorker
      memory = options.memory ?? max(bound, each)
      let workers = try options.workers.count(
        wanted: options.workers.wanted(for: missing, of: source.plan),
        segments: max(missing.count, 1), memory: memory, each: each)
      schedule = WorkSchedule(missing.map(\.work), workers: workers)
      report = Report(
        count: job.segments.count, reused: job.segments.count - missing.count, workers: workers,
        obstacle: job.obstacle)
    } catch {
      if isNew { folder.discard() }
      throw version.hasChanged ? version.changeError() : error
    }
    (self.options, self.seconds) = (options, seconds)
    let isMissing = Set(schedule.items.map(\.number))
    state.withLock { state in
      state.done = Set(job.segments.map(\.number).filter { !isMissing.contains($0) })
    }
  }

  /// The job of a folder, where it is what is wanted; otherwise a new one.
  private static func job(
    of request: JobRequest, in folder: JobFolder, resumes: Bool, memory: UInt64
  ) async throws -> (SegmentJob, [String]) {
    var differences: [String] = []
    if folder.content == .job, resumes {
      do {
        let job = try folder.job()
        differences = try request.differences(from: job)
        if differences.isEmpty { return (job, []) }
      } catch let error as TranscodingError {
        differences = [error.message]
      }
    }
    try folder.empty()
    let job = try await request.makeJob(memory: memory)
    try folder.store(job)
    return (job, differences)
  }

  /// Encodes what is missing, joins all, and removes the job.
  ///
  /// - Parameter change: changes of the default options of the session that joins.
  /// - Throws: ``TranscodingError``; of the code `unfitSegment` where the whole has to be encoded
  ///   as one: nothing is left of the job then. `CancellationError` when the task was cancelled.
  package func run(
    _ change: @escaping @Sendable (inout TranscodeOptions) -> Void
  ) async throws -> (session: TranscodeSession, result: TranscodeResult) {
    do {
      let result = try await work(change)
      removeJob()
      return result
    } catch let error as CancellationError {
      leave(error)
      throw error
    } catch {
      let isChanged = version.hasChanged
      if isChanged { folder.discard() } else { leave(error) }
      throw isChanged ? version.changeError() : error
    }
  }

  /// Removes the job when the output is there, which what stays does not change.
  private func removeJob() {
    let words: String?
    do {
      words = try folder.remove()
    } catch {
      words = (error as? TranscodingError)?.message ?? "\(error)"
    }
    if let words { options.tell(words) }
  }

  /// Lets go of the job after a failure, unless another run can go on with it.
  private func leave(_ error: any Error) {
    let isUnfit = (error as? TranscodingError)?.code == .unfitSegment
    let isUnwanted = error is CancellationError && !options.keepsJob
    // On the disk may be more than was noticed.
    let isEmpty = !job.segments.contains {
      PosixPath.kind(of: folder.segmentPath($0.number)) == .file
    }
    if isUnfit || isUnwanted || isEmpty { folder.discard() }
  }

  private func work(
    _ change: @escaping @Sendable (inout TranscodeOptions) -> Void
  ) async throws -> (session: TranscodeSession, result: TranscodeResult) {
    state.withLock { $0.start = .now }
    do {
      // The join claims the output itself, as one process does in place of workers.
      defer { claim.withLock { $0 = nil } }
      if !schedule.items.isEmpty { try await encode() }
    }
    let session = try await folder.joiningSession(change)
    state.withLock { $0.session = session }
    return (session, try await session.run())
  }

  /// Leaves the work to one process.
  package func abandon() throws {
    claim.withLock { $0 = nil }
    try folder.remove()
  }

  /// Has workers encode what is missing.
  private func encode() async throws {
    try await Pipeline.onThread("workers") { [self] checkpoint in
      let pool = WorkerPool(
        folder, schedule, memory: memory,
        isBound: options.memory != nil && !options.workers.exceedsMemory,
        arguments: { [folder, options] in options.workerArguments(folder.path, $0, $1) },
        tell: options.tell,
        progress: { [self] in advance($0, frames: $1) })
      try pool.run(checkpoint: checkpoint)
    }
  }

  private func advance(_ done: [Int], frames: Int) {
    state.withLock { state in
      state.done.formUnion(done)
      state.frames = frames
    }
  }

  /// Progress of the work: frames that all workers encoded.
  package var progress: TranscodeProgress {
    let (done, frames, elapsed) = state.withLock { state in
      (state.done, state.frames, state.start.duration(to: .now) / .seconds(1))
    }
    func count(_ isCounted: (Int) -> Bool) -> Int {
      job.segments.filter { isCounted($0.number) }.reduce(0) { $0 + ($1.frames.frameCount ?? 0) }
    }
    let encoding = Set(schedule.items.map(\.number))
    return TranscodeProgress(
      frames: count(done.contains) + frames, reused: count { !encoding.contains($0) },
      of: job.frameCount, lasting: seconds, elapsed: elapsed)
  }
}

extension SegmentJob.Segment {
  /// The work on the segment. One whose frames only decoding counts is the only one.
  fileprivate var work: (number: Int, cost: Double) {
    (number, Double(frames.frameCount ?? 1))
  }
}

extension WorkerCount {
  /// Number of workers that suit these segments, whatever memory there is.
  fileprivate func wanted(for segments: [SegmentJob.Segment], of plan: TranscodePlan) -> Int {
    guard let work = WorkModel.Work(plan) else { return 1 }
    let counts = segments.map { $0.frames.frameCount ?? 1 }
    return wanted(forFrames: counts, cores: Self.cores) { WorkModel(work, cores: $0) }
  }
}
