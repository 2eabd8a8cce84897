// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import Planning
internal import Segments
internal import Settings
internal import Transcoding

/// Does the work of an export, in this process or divided among several.
extension JobRequest {
  /// Receives a function that returns the work's progress.
  typealias Listener = @Sendable (@escaping @Sendable () -> TranscodeProgress) -> Void

  /// Writes the output.
  func run(_ listener: Listener) async throws -> TranscodeResult {
    if case .fixed(let count) = options.workers, !WorkerCount.counts.contains(count) {
      throw TranscodingError(
        .invalidSettings, "workers must be 1 to 1024 or auto, not \(count)")
    }
    var single = options
    single.workers = 1
    let planned = try await TranscodeSession(
      input: input, output: output, settings: TranscodeSettings(settings), options: single)
    guard try isDivided(planned.plan) else { return try await run(planned, listener) }
    var segmented = SegmentedSession.Options()
    segmented.workers = options.workers
    do {
      segmented.program = try program
    } catch {
      planned.abandon()
      throw error
    }
    return try await divide(consume planned, segmented, listener)
  }

  /// Returns whether the frames are encoded in segments.
  private func isDivided(_ plan: TranscodePlan) throws -> Bool {
    guard options.workers.wantsSegments(plan) else { return false }
    guard options.videoComposition != nil else { return true }
    // The composition is code in this program, but workers run another program.
    guard options.workers.isAutomatic else {
      throw TranscodingError(
        .invalidSettings, "workers do not know the program's video composition: use one worker")
    }
    return false
  }

  /// The path of the program that workers run.
  private var program: String {
    get throws {
      guard let path = options.workerProgram ?? ChildProcess.path(of: "candela") else {
        throw TranscodingError(
          .unavailable,
          "workers run the program 'candela', which is not in PATH: install it, state its path as "
            + "workerProgram, or use one worker")
      }
      guard ChildProcess.isExecutable(path) else {
        throw TranscodingError(
          .unavailable, "workers run '\(path)', which is not a program")
      }
      return path
    }
  }

  private func divide(
    _ planned: consuming TranscodeSession, _ segmented: SegmentedSession.Options,
    _ listener: Listener
  ) async throws -> TranscodeResult {
    var options = options
    let files = options.files ?? RunFiles(reading: input)
    // An input inside the job's folder could be removed together with the job.
    try files.keep(folder: JobFolder(besideOutput: output).path)
    options.files = files
    let request = JobRequest(input: input, output: output, settings: settings, options: options)
      .knowing(planned.plan.shots)
    guard
      let session = try await SegmentedSession.dividing(
        consume planned, request, options: segmented)
    else { return try await request.runWhole(listener) }
    listener { session.progress }
    do {
      return try await session.run { [options] in
        $0.overwrite = options.overwrite
        $0.verification = options.verification
        $0.ignoresFreeSpace = options.ignoresFreeSpace
        $0.files = files
      }.result
    } catch let error as TranscodingError where error.code == .unfitSegment {
      // Damage or interlaced frames may turn up only in the middle of the work. Then one process
      // does all of it, from the beginning.
      return try await request.runWhole(listener)
    }
  }

  /// Does all of the work in this process.
  private func runWhole(_ listener: Listener) async throws -> TranscodeResult {
    var options = options
    options.workers = 1
    return try await run(
      try await TranscodeSession(
        input: input, output: output, settings: TranscodeSettings(settings), options: options),
      listener)
  }

  private func run(
    _ session: TranscodeSession, _ listener: Listener
  ) async throws -> TranscodeResult {
    listener { session.progress }
    return try await session.run()
  }
}
