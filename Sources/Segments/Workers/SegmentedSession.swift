// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
package import Planning
internal import Settings
internal import Synchronization
package import Transcoding

/// A session whose frames are encoded in segments by several processes. It can resume an
/// interrupted session.
package final class SegmentedSession: Sendable {
  /// Options of a run.
  package struct Options: Sendable {
    /// How many workers run at once.
    package var workers = WorkerCount.auto
    /// The memory, in bytes, that all processes may take together; `nil` for half of what is free.
    package var memory: UInt64?
    /// Whether to resume an unfinished job that matches the request.
    package var resumes = true
    /// Whether the job stays if the run is interrupted.
    package var keepsJob = false
    /// The path of the program that workers run; `nil` for this program.
    package var program: String?
    /// Shows a message to the user.
    package var tell: @Sendable (String) -> Void = { _ in }

    /// Creates the default options.
    package init() {}
  }

  /// How the work is divided.
  package struct Report: Sendable, Encodable {
    package let count: Int
    /// How many of the segments an earlier run had encoded.
    package let reused: Int
    /// How many workers run at once.
    package let workers: Int
    /// Why there is a single segment; `nil` if there may be several.
    package let obstacle: String?

    /// The division as text.
    package var text: String {
      let reason = obstacle.map { ": \($0)" } ?? ""
      let old = reused > 0 ? ", \(reused) of them done before" : ""
      return "\(count.counted("segment"))\(old)\(reason), \(workers.counted("worker"))"
    }
  }

  /// How the unfinished job of an earlier run differs from the new request, as texts. If there are
  /// differences, that job was removed. Empty if it is resumed, if there was none, or if the
  /// options forbid resuming it.
  private let differences: [String]
  package let folder: JobFolder
  /// How the work is divided.
  package let report: Report

  private let job: SegmentJob
  private let options: Options
  /// The lock that keeps other runs from working on the job as a whole.
  private let lock: OpenFile
  /// The claim on the output until the segments are joined.
  private let claim: Mutex<OutputClaim?>
  /// The input as it was before anything was read.
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

  /// Plans the segments, or finds those of an earlier run.
  ///
  /// - Parameter seconds: duration of the source's presentation; `nil` if unknown.
  /// - Throws: the same ``TranscodingError`` as a session, and one of kind `cannotCreateOutput` if
  ///   another run is working on the job or writes the output.
  package init(_ request: JobRequest, options: Options, seconds: Double?) async throws {
    version = SourceVersion(path: request.input)
    folder = JobFolder(besideOutput: request.output)
    // Look before the lock creates the folder, because a failed run removes only a folder that it
    // created itself.
    let isNew = folder.content == .nothing
    lock = try folder.locked()
    do {
      claim = Mutex(try UnfinishedFile.claim(request.output))
      let bound = options.memory ?? SystemLimits.usualMemory
      (job, differences) = try await Self.job(
        of: request, in: folder, resumes: options.resumes, memory: bound)
      // The job knows the shots, so nobody has to look for them again.
      var known = request.options
      known.shots = job.shots
      let source = try await SegmentSource(
        input: request.input, output: request.output,
        settings: TranscodeSettings(request.settings), options: known)
      let missing = try await SegmentFile.missing(among: job.segments, of: job, in: folder)
      // If the user names no limit, one worker may take all the memory that it needs, because a
      // single process would take as much.
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

  /// Returns the job of a folder if it matches the request, otherwise a new one.
  private static func job(
    of request: JobRequest, in folder: JobFolder, resumes: Bool, memory: UInt64
  ) async throws -> (SegmentJob, [String]) {
    var differences: [String] = []
    if folder.content == .job, resumes {
      do {
        let job = try folder.job()
        differences = try await Pipeline.onThread("check") { _ in
          try request.differences(from: job)
        }
        if differences.isEmpty { return (job, []) }
      } catch let error as TranscodingError {
        // A job that cannot be read is no reason to fail. Say what is wrong with it, and start
        // again.
        differences = [error.message]
      }
    }
    try folder.empty()
    let job = try await request.makeJob(memory: memory)
    try folder.store(job)
    return (job, differences)
  }

  /// Encodes the missing segments, joins all segments, and removes the job.
  ///
  /// - Parameter change: changes the default options of the session that joins the segments.
  /// - Throws: ``TranscodingError``; with the code `unfitSegment` if one process has to encode the
  ///   whole file, in which case nothing is left of the job. `CancellationError` if the task is
  ///   cancelled.
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
      // Segments of an input that somebody has changed are of no use to a later run.
      if isChanged { folder.discard() } else { leave(error) }
      throw isChanged ? version.changeError() : error
    }
  }

  /// Removes the job when the output is there.
  private func removeJob() {
    let words: String?
    do {
      words = try folder.remove()
    } catch {
      words = (error as? TranscodingError)?.message ?? "\(error)"
    }
    if let words { options.tell(words) }
  }

  /// Removes the job after a failure or an interruption, unless a later run may resume it.
  private func leave(_ error: any Error) {
    let isUnfit = (error as? TranscodingError)?.code == .unfitSegment
    let isUnwanted = error is CancellationError && !options.keepsJob
    // There may be more segments on the disk than this run has noticed.
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
      // Release this claim afterward, because the join claims the output again. If a segment is
      // unfit, the single process that encodes the whole file claims the output instead.
      defer { claim.withLock { $0 = nil } }
      if !schedule.items.isEmpty { try await encode() }
    }
    let session = try await folder.joiningSession(change)
    state.withLock { $0.session = session }
    return (session, try await session.run())
  }

  /// Divides the work of a planned session. The planned session gives up its claim on the output.
  ///
  /// - Returns: `nil` if one process should do the work after all.
  /// - Throws: the same ``TranscodingError`` as the initializer.
  package static func dividing(
    _ planned: consuming TranscodeSession, _ request: JobRequest, options: Options
  ) async throws -> SegmentedSession? {
    // The new session claims the same output.
    planned.abandon()
    // Release the planned session as well, because an open encoder takes memory.
    var session: TranscodeSession? = consume planned
    let seconds = session?.plan.secondsOfSource
    let request = request.knowing(session?.plan.shots)
    session = nil
    let segmented = try await SegmentedSession(request, options: options, seconds: seconds)
    if !segmented.differences.isEmpty {
      options.tell(
        "the job of an interrupted run does not match, so the run starts over: "
          + segmented.differences.joined(separator: "; "))
    }
    // A worker keeps few cores busy, so this process encodes a single segment faster itself.
    guard !options.workers.isAutomatic || segmented.report.count > 1 else {
      try segmented.abandon()
      return nil
    }
    return segmented
  }

  /// Leaves the work to one process.
  private func abandon() throws {
    claim.withLock { $0 = nil }
    try folder.remove()
  }

  /// Lets workers encode what is missing.
  private func encode() async throws {
    try await Pipeline.onThread("workers") { [self] checkpoint in
      let pool = WorkerPool(
        folder, schedule, memory: memory,
        isBound: options.memory != nil && !options.workers.exceedsMemory,
        program: options.program, tell: options.tell,
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

  /// How far the work has come, judged by the frames that all workers have encoded.
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
  /// The segment's number, and the cost of its work in frames.
  fileprivate var work: (number: Int, cost: Double) {
    // If nobody counted the frames, there is a single segment, and any cost will do.
    (number, Double(frames.frameCount ?? 1))
  }
}

extension WorkerCount {
  /// Returns how many workers suit these segments if memory is no limit.
  fileprivate func wanted(for segments: [SegmentJob.Segment], of plan: TranscodePlan) -> Int {
    guard let work = WorkModel.Work(plan) else { return 1 }
    let counts = segments.map { $0.frames.frameCount ?? 1 }
    return wanted(forFrames: counts, cores: Self.cores) { WorkModel(work, cores: $0) }
  }
}

extension SegmentedSession.Report: JSONObject {
  package static let fields: [JSONField<SegmentedSession.Report>] = [
    .init("count", "The number of segments.", .count) { $0.count },
    .init("reused", "How many segments an earlier run had encoded.", .count) { $0.reused },
    .init("workers", "How many processes encoded at once.", .count) { $0.workers },
    .init("obstacle", "Why there is a single segment; absent if there may be several.") {
      $0.obstacle
    },
  ]
}
