// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
internal import Planning
internal import Reading
internal import Segments
internal import Settings
internal import Transcoding
internal import VideoEncoders

/// Plans the files of a batch, and estimates how long the run will take.
struct BatchPlanner: Sendable {
  /// The files, with what is known about their outputs.
  private let known: [BatchRecords.Known]
  private let unreadable: [UnreadablePath]
  /// How much time and space earlier work with the same settings took.
  private let costs: [WorkCost]
  /// The settings in the form of a preset.
  private let json: JSONValue
  private let settings: TranscodeSettings
  /// The options of a run on a file.
  private let options: @Sendable (_ input: String) throws -> TranscodeOptions
  private let encode: EncodingNeed
  private let only: DynamicRange?
  private let existing: ExistingOutputs
  /// Where the outputs go; `nil` if the user names no folder.
  private let folder: BatchFolder?
  /// How many files the run works on at once.
  private let jobs: Int

  private typealias File = BatchPlanReport.File

  /// The most samples that are made of files of one kind: of those to encode, or of those to copy.
  private static let sampleCount = 12
  /// If there are this many records of earlier encodes, no samples of the files to encode are made.
  /// Copies are always measured.
  private static let enoughRecords = 8
  /// No further sample is begun after this time.
  private static let patience = Duration.seconds(12)
  /// How long a sample may take.
  private static let limit = Duration.seconds(15)

  init(
    _ work: BatchWork, _ json: JSONValue, encode: EncodingNeed, _ batch: BatchArguments,
    _ existing: ExistingOutputs,
    options: @escaping @Sendable (_ input: String) throws -> TranscodeOptions
  ) throws {
    (known, unreadable) = (work.files, work.unreadable)
    (costs, self.json) = (work.records.costs(work.history), json)
    settings = try TranscodeSettings(json)
    (self.options, self.encode) = (options, encode)
    (only, self.existing) = (batch.only, existing)
    folder = batch.into == nil ? nil : work.place
    jobs = batch.jobs ?? BatchRun.usualJobs(of: known, within: SystemLimits.usualMemory)
  }

  /// Plans all files.
  func report() async throws -> BatchPlanReport {
    var files: [File] = unreadable.map { item in
      File(
        input: item.path, work: item.hasFailedBefore ? .failedBefore : .refused,
        reason: item.hasFailedBefore ? nil : item.error.message, status: item.summary.status)
    }
    files += try await planned()
    let planned = files.filter { [.encode, .copy].contains($0.work) }
    return BatchPlanReport(
      files: files, estimate: try await estimate(of: files),
      size: planned.reduce(0) { $0 + min(PosixPath.size(of: $1.input), .max - $0) })
  }

  /// Plans as many files at once as there are cores.
  private func planned() async throws -> [File] {
    try await withThrowingTaskGroup(of: (Int, File).self) { group in
      var files: [File?] = Array(repeating: nil, count: known.count)
      for (index, file) in known.enumerated() {
        if index >= Self.planCount, let (index, file) = try await group.next() {
          files[index] = file
        }
        group.addTask { (index, try await self.file(file)) }
      }
      for try await (index, file) in group { files[index] = file }
      return files.compactMap { $0 }
    }
  }

  private static let planCount = ProcessInfo.processInfo.activeProcessorCount

  /// Plans a file, if its output has to be made.
  private func file(_ known: BatchRecords.Known) async throws -> File {
    var file = File(input: known.pair.input, output: known.pair.output, work: .encode)
    switch known.state {
    case .missing, .outdated: break
    case .same(let status):
      (file.work, file.status) = (.done, status)
      return file
    case .failedBefore(let status):
      (file.work, file.status) = (.failedBefore, status)
      return file
    case .leftOut:
      file.work = .leftOut
      return file
    case .unknown:
      file.work = .unknown
      return file
    case .changed, .ofOther:
      file.work = .changed
      return file
    }
    do {
      if let folder {
        try folder.check(known.pair)
      } else {
        try BatchFolder.refuseLongName(known.pair)
      }
      try await plan(&file)
      return file
    } catch let error as TranscodingError {
      return File(
        input: known.pair.input, output: known.pair.output, work: .refused,
        reason: error.advice, status: ExitStatus(error.kind).rawValue)
    }
  }

  /// Refuses an output that cannot be written or does not fit on its disk, as a run does once it
  /// has planned the work.
  private func refuseOutput(
    of plan: TranscodePlan, _ file: File, _ options: TranscodeOptions
  ) throws {
    guard folder != nil, let output = file.output else { return }
    // The run creates a missing folder, and nothing can be in its way there.
    if PosixPath.kind(of: PosixPath.directory(of: output)) == .directory {
      try UnfinishedFile.check(
        output, overwrite: existing != .refuse,
        in: plan.files(input: file.input, settings, options))
    }
    try plan.refuseShortage(for: output, from: file.input, options)
  }

  private func plan(_ file: inout File) async throws {
    var options = try options(file.input)
    options.looksForShots = false
    if let only, let range = try await DynamicRange(of: file.input, settings, options.sourceColor),
      range != only
    {
      file.work = .leftOut
      return
    }
    let (asset, range) = try await MediaAsset.load(
      path: file.input, range: options.range, where: settings.tracks.video.contains)
    let plan = try await TranscodePlan.planned(
      asset, range: range, output: file.output, settings: settings, options: options)
    // A run looks at a source before it looks at the output, so it may refuse or leave out the
    // source even if the output exists.
    try refuseOutput(of: plan, file, options)
    file.seconds = plan.secondsOfSource
    file.notices = plan.notices
    if encode == .needed, let kind = try await plan.alreadyMade() {
      (file.work, file.reason) = (.copy, "it is \(kind) already")
      let copy = try await TranscodePlan.planned(
        asset, range: range, output: file.output,
        settings: TranscodeSettings(json.copyingVideo), options: options)
      try refuseOutput(of: copy, file, options)
      file.notices = copy.notices
      return
    }
    guard let encoding = plan.video?.encoding else {
      if plan.audio.allSatisfy({ $0.encoding == nil }) { file.work = .copy }
      return
    }
    let size = encoding.encoder.size
    let frames = (plan.secondsOfSource ?? 0) * encoding.encoder.frameRate.framesPerSecond
    file.framePixels = Double(size.width) * Double(size.height)
    file.pixels = frames * file.framePixels
    file.reason = PlanReport(plan, input: file.input, preset: settings.name).change
  }

  // MARK: Time

  /// Returns an estimate of how long the run takes and how large its outputs are; `nil` if too
  /// little can be measured for the files to encode, or for the files to copy.
  private func estimate(of files: [File]) async throws -> (seconds: Double, size: UInt64)? {
    let encoded = files.filter { $0.work == .encode && $0.pixels > 0 }
    // If only audio is encoded, the work takes about as long as a copy.
    let copies = files.filter { $0.work == .copy || $0.work == .encode && $0.pixels == 0 }
    var (seconds, bytes) = (0.0, 0.0)
    if !encoded.isEmpty {
      let known = costs.count >= Self.enoughRecords
      let costs =
        known ? costs : try await measured(Self.samples(of: encoded, seconds: [0.5, 2], \.pixels))
      guard let time = WorkTime(costs) else { return nil }
      seconds += encoded.reduce(0) { $0 + time.seconds(of: $1.pixels) }
      bytes += encoded.reduce(0) { $0 + time.bytes(of: $1.pixels) }
    }
    if !copies.isEmpty {
      // How long a copy takes depends on its size. Copying a few seconds of a clip takes hardly
      // longer than starting the process, so these samples are longer.
      let samples = Self.samples(of: copies, seconds: [2, 20], \.size)
      guard let time = WorkTime(try await measured(samples), scatters: true) else { return nil }
      seconds += copies.reduce(0) { $0 + time.seconds(of: $1.size) }
      bytes += copies.reduce(0) { $0 + $1.size }
    }
    // Sizes and rates come from files, so their sum may be too large for an integer.
    return (seconds: seconds, size: bytes < 1e18 ? UInt64(max(bytes, 0)) : .max)
  }

  /// A file on which time is measured, and how many seconds of its output are made; `nil` if the
  /// whole output is made.
  private typealias Sample = (file: File, seconds: Double?)

  /// Returns samples of small and large files.
  ///
  /// - Parameter lengths: the lengths that samples have in turn, in seconds. They differ, so that
  ///   the fixed time for each file can be separated from the time that grows with its length.
  private static func samples(
    of files: [File], seconds lengths: [Double], _ amount: (File) -> Double
  ) -> [Sample] {
    let sorted = files.sorted { amount($0) < amount($1) }
    let count = min(sampleCount, max(sorted.count, lengths.count))
    return (0..<count).map { index in
      let file = sorted[index * (sorted.count - 1) / max(count - 1, 1)]
      let length = lengths[index % lengths.count]
      return (file: file, seconds: file.seconds ?? 0 > 1.5 * length ? length : nil)
    }
  }

  /// Makes the beginnings of a few files, and measures the time.
  private func measured(_ samples: [Sample]) async throws -> [WorkCost] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "candela-plan-\(UUID().uuidString)", directoryHint: .isDirectory)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // After an interruption, the processes get time to end, so that the samples can be removed.
    Interruptible.waitForProcesses()
    let start = ContinuousClock.now
    return try await withThrowingTaskGroup(of: WorkCost?.self) { group in
      var costs: [WorkCost] = []
      var (next, running) = (0, 0)
      while next < samples.count || running > 0 {
        while next < samples.count, running < jobs, ContinuousClock.now - start < Self.patience {
          let (sample, output) = (samples[next], folder.appending(path: "\(next)").path)
          group.addTask { try await cost(of: sample, output) }
          (next, running) = (next + 1, running + 1)
        }
        guard running > 0, let cost = try await group.next() else { break }
        running -= 1
        if let cost { costs.append(cost) }
      }
      return costs
    }
  }

  /// Makes a sample; returns `nil` if that fails.
  private func cost(of sample: Sample, _ output: String) async throws -> WorkCost? {
    let file = sample.file
    let container = BatchNames.split(file.output ?? "").ending
    let arguments =
      [
        "transcode", "--attached", "--encode=always", "--progress=none", "--quiet", "--workers=1",
      ] + (sample.seconds.map { ["--to=\($0)"] } ?? [])
      + ["--", file.input, "\(output).\(container)"]
    let pair = BatchFiles.Pair(input: file.input, output: "\(output).\(container)")
    // In a run with several jobs, each process first reports how much memory it needs. This takes
    // time, so the process of a sample has to do the same. It does if `part` is set in its order.
    let order = FileOrder(
      settings: file.work == .copy ? json.copyingVideo : json, skips: false, files: nil,
      part: jobs > 1 ? SystemLimits.usualMemory / UInt64(jobs) : nil)
    let worker = FileWorker(on: pair, arguments, order, RunMessages(isQuiet: true))
    let start = ContinuousClock.now
    let end = await end(of: worker)
    try Task.checkCancellation()
    guard case .status(.done)? = end else {
      // Large frames with a slow preset may take minutes. Measure what was done up to the limit.
      guard end == nil, file.framePixels > 0, worker.progress.frames > 0 else { return nil }
      return WorkCost(
        seconds: Self.limit / .seconds(1) / Double(jobs),
        pixels: Double(worker.progress.frames) * file.framePixels)
    }
    let share = sample.seconds.map { $0 / max(file.seconds ?? $0, $0) } ?? 1
    let size = Double(PosixPath.size(of: pair.output))
    return WorkCost(
      seconds: start.duration(to: .now) / .seconds(1) / Double(jobs),
      pixels: file.pixels > 0 ? file.pixels * share : size, bytes: size)
  }

  /// Waits for a sample, but not longer than the limit.
  ///
  /// - Returns: how the work ended; `nil` if it took too long and was interrupted.
  private func end(of worker: FileWorker) async -> FileWorker.End? {
    await withTaskGroup(of: (isLate: Bool, end: FileWorker.End?).self) { group in
      group.addTask {
        if jobs > 1 { _ = await worker.need() }
        let end = try? await worker.work(replacing: false) { _, _ in }
        return (false, end ?? .status(.internalFault))
      }
      group.addTask {
        try? await Task.sleep(for: Self.limit)
        return (true, nil)
      }
      defer { group.cancelAll() }
      return await group.next()?.end
    }
  }
}

extension BatchPlanReport.File {
  /// The length of the file to read, in bytes.
  fileprivate var size: Double { Double(PosixPath.size(of: input)) }
}
