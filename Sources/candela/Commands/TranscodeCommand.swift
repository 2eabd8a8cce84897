// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import Segments
internal import Settings
internal import Transcoding

/// `candela transcode`
struct TranscodeCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode",
    abstract: "Makes a new file from a file, or many from many, by a preset.",
    discussion: """
      candela transcode clip.mov out.mp4 --preset h264-sdr
      candela transcode clip.mov small.mp4 -p hevc-sdr --crf 22 --max-size 1920 -y
      candela transcode Photos --recursive --into sdr -p h264-sdr --existing skip
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to read, and the file to write: .mov, .mp4 or .mkv; with --into, files to read.",
      valueName: "file"), completion: .file())
  var files: [String]

  @OptionGroup var arguments: PresetArguments
  @OptionGroup(title: "MANY FILES") var batch: BatchArguments

  @OptionGroup var workers: WorkerArguments

  @OptionGroup var range: RangeArguments

  @OptionGroup var outputArguments: OutputArguments

  @Flag(
    help: "Compares the output with the source; what is lost and not named before is a failure.")
  var compare = false

  func execute() async throws -> ExitStatus {
    // Once: a preset may come out of a pipe.
    let json = try arguments.json()
    if let folder = batch.into { return try await executeAll(into: folder, json) }
    try batch.checkUnused()
    try checkPair()
    let run = TranscodeRun(input: files[0], output: files[1], json: json, command: self)
    do {
      return try await run.execute()
    } catch let error as TranscodingError where outputArguments.progress == .json {
      let status = ExitStatus(error.kind)
      outputArguments.messages.fail(files[0], status, Advice.text(error))
      return status
    }
  }

  /// Refuses what is no file to read and file to write.
  private func checkPair() throws {
    if files.count < 2 { throw ValidationError("an output is missing behind \(files[0])") }
    guard files.count == 2 else {
      throw ValidationError(
        "\(files.count) files: one to read and one to write, or many to read with --into FOLDER")
    }
    if PosixPath.kind(of: files[0]) == .directory {
      throw TranscodingError(
        .unusableInput,
        "\(files[0]) is a folder: its files are taken with --recursive --into FOLDER")
    }
    if PosixPath.kind(of: files[1]) == .directory {
      throw ValidationError("\(files[1]) is a folder: name a file in it, or use --into \(files[1])")
    }
  }

  /// Works on many files.
  private func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
    guard batch.jobs > 0 else {
      throw ValidationError("--jobs is a number from 1, not \(batch.jobs)")
    }
    guard outputArguments.report == nil else {
      throw TranscodingError(.invalidSettings, "--report is for one file: leave it out, or --into")
    }
    // What is wrong for all files is told once.
    _ = try TranscodeSettings(json)
    let pairs = try BatchFiles(files, batch, into: folder).pairs
    var command = self
    command.outputArguments.overwrite = outputArguments.overwrite || batch.existing == .replace
    // Files side by side keep a machine busier than pieces of one.
    if batch.jobs > 1, workers.workers == .auto { command.workers.workers = .fixed(1) }
    let memory = try workers.options().memory ?? MemoryUse.usual
    // Each of them may take its part.
    if batch.jobs > 1 { command.workers.memory = "\(max(memory / UInt64(batch.jobs), 1))" }
    let records = BatchRecords(
      of: folder, settings: json,
      options: [arguments.sourceColor, range.from, range.to, arguments.onError?.rawValue]
        .map { $0 ?? "" })
    let work = BatchRun(
      pairs: pairs, jobs: batch.jobs, memory: memory, existing: batch.existing, records: records,
      style: outputArguments.quiet ? .none : outputArguments.progress,
      messages: outputArguments.messages
    ) { [command] pair, replaces in
      let folder = PosixPath.directory(of: pair.output)
      guard PosixPath.createDirectories(folder) else {
        throw TranscodingError(
          .cannotCreateOutput, "cannot create \(folder): \(SystemCall.text())")
      }
      var command = command
      if replaces { command.outputArguments.overwrite = true }
      return try await TranscodeRun(
        input: pair.input, output: pair.output, json: json, command: command
      ).execute()
    }
    return try await work.run()
  }
}
