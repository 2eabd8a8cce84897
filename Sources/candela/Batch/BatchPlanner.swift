// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import MediaCore
internal import Planning
internal import Reading
internal import Settings
internal import Transcoding
internal import VideoEncoders

/// Plans the files of a batch, and estimates how long the run will take.
struct BatchPlanner: Sendable {
  /// The files, with what is known about their outputs.
  private let known: [BatchRecords.Known]
  /// Folders and links that cannot be read, and why.
  private let unreadable: [(path: String, error: TranscodingError)]
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
  /// How many files the run works on at once.
  private let jobs: Int

  private typealias File = BatchPlanReport.File

  /// How many files are encoded for the estimate, and how many seconds of each.
  private static let (sampleCount, sampleSeconds) = (8, 2.0)
  /// No further sample is begun after this time.
  private static let patience = Duration.seconds(12)

  init(
    _ work: BatchWork, _ json: JSONValue, encode: EncodingNeed, _ batch: BatchArguments,
    _ existing: ExistingOutputs,
    options: @escaping @Sendable (_ input: String) throws -> TranscodeOptions
  ) throws {
    (known, unreadable) = (work.files, work.found.unreadable)
    (costs, self.json) = (work.records.costs(work.history), json)
    settings = try TranscodeSettings(json)
    (self.options, self.encode) = (options, encode)
    (only, jobs, self.existing) = (batch.only, batch.jobs, existing)
  }

  /// Plans all files.
  func report() async throws -> BatchPlanReport {
    var files: [File] = unreadable.map { path, error in
      File(
        input: path, work: .refused, reason: error.message,
        status: ExitStatus(error.kind).rawValue)
    }
    files += try await planned()
    let planned = files.filter { [.encode, .copy].contains($0.work) }
    return BatchPlanReport(
      files: files, estimate: try await estimate(of: files),
      size: planned.reduce(0) { $0 + PosixPath.size(of: $1.input) })
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
    case .missing where existing == .refuse && PosixPath.kind(of: known.pair.output) == .file:
      (file.work, file.reason) = (.refused, "\(known.pair.output) exists already")
      file.status = ExitStatus.cannotCreateOutput.rawValue
      return file
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
      try await plan(&file)
    } catch let error as TranscodingError {
      (file.work, file.reason) = (.refused, error.advice)
      file.status = ExitStatus(error.kind).rawValue
    }
    return file
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
    file.seconds = plan.secondsOfSource
    file.notices = plan.notices
    if encode == .needed, let kind = try await plan.alreadyMade() {
      (file.work, file.reason) = (.copy, "it is \(kind) already")
      let copy = try await TranscodePlan.planned(
        asset, range: range, output: file.output,
        settings: TranscodeSettings(json.copyingVideo), options: options)
      file.notices = copy.notices
      return
    }
    guard let encoding = plan.video?.encoding else {
      if plan.audio.allSatisfy({ $0.encoding == nil }) { file.work = .copy }
      return
    }
    let size = encoding.encoder.size
    let frames = (plan.secondsOfSource ?? 0) * encoding.encoder.frameRate.framesPerSecond
    file.pixels = frames * Double(size.width) * Double(size.height)
    file.reason = PlanReport(plan, input: file.input, preset: settings.name).change
  }

  // MARK: Time

  /// Returns an estimate of how long the run takes and how large its outputs are; `nil` if nothing
  /// can be measured.
  private func estimate(of files: [File]) async throws -> BatchPlanReport.Estimate? {
    let encoded = files.filter { $0.work == .encode && $0.pixels > 0 }
    let copies = files.filter { $0.work == .copy }
    guard !encoded.isEmpty else {
      return copies.isEmpty ? BatchPlanReport.Estimate(seconds: 0, bytes: 0) : nil
    }
    var costs = costs
    if costs.count < Self.sampleCount { costs = try await measured(encoded) }
    guard let time = WorkTime(costs) else { return nil }
    let copied = copies.reduce(0) { $0 + Double(PosixPath.size(of: $1.input)) }
    return BatchPlanReport.Estimate(
      seconds: encoded.reduce(Double(copies.count) * time.seconds(of: 0)) {
        $0 + time.seconds(of: $1.pixels)
      },
      bytes: encoded.reduce(copied) { $0 + time.bytes(of: $1.pixels) })
  }

  /// Encodes the beginnings of a few files, small and large ones, and measures the time.
  private func measured(_ files: [File]) async throws -> [WorkCost] {
    let sorted = files.sorted { $0.pixels < $1.pixels }
    let count = min(Self.sampleCount, sorted.count)
    let samples = (0..<count).map { sorted[$0 * (sorted.count - 1) / max(count - 1, 1)] }
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

  /// Encodes the beginning of a file; returns `nil` if that fails.
  private func cost(of file: File, _ output: String) async throws -> WorkCost? {
    let container = BatchNames.split(file.output ?? "").ending
    let isPart = file.seconds ?? 0 > 1.5 * Self.sampleSeconds
    let arguments =
      ["transcode", "--attached", "--encode=always", "--progress=none", "--quiet", "--workers=1"]
      + (isPart ? ["--to=\(Self.sampleSeconds)"] : [])
      + ["--", file.input, "\(output).\(container)"]
    let pair = BatchFiles.Pair(input: file.input, output: "\(output).\(container)")
    let order = FileOrder(settings: json, skips: false, files: nil, part: nil)
    let worker = FileWorker(on: pair, arguments, order, RunMessages(isQuiet: true))
    let start = ContinuousClock.now
    guard case .status(.done)? = try? await worker.work(.making, made: { _, _ in }) else {
      try Task.checkCancellation()
      return nil
    }
    let share = isPart ? Self.sampleSeconds / (file.seconds ?? Self.sampleSeconds) : 1
    return WorkCost(
      seconds: start.duration(to: .now) / .seconds(1) / Double(jobs), pixels: file.pixels * share,
      bytes: Double(PosixPath.size(of: pair.output)))
  }
}
