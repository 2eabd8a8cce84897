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
    abstract: "Makes a new file from a file, or many from many, by a preset.")

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
    if compare, try range.range() != nil {
      throw TranscodingError(
        .invalidSettings, "--compare is for whole files: leave it out, or --from and --to")
    }
    // Once: a preset may come out of a pipe.
    let json = try arguments.json()
    if let folder = batch.into { return try await executeAll(into: folder, json) }
    try batch.checkUnused()
    return try await TranscodeRun(input: files[0], output: files[1], json: json, command: self)
      .execute()
  }

  /// Refuses another number of files than there can be.
  func validate() throws {
    if batch.into != nil { return }
    if files.count < 2 { throw ValidationError("an output is missing behind \(files[0])") }
    guard files.count == 2 else {
      throw ValidationError(
        "\(files.count) files: one to read and one to write, or many to read with --into FOLDER")
    }
  }

  /// Works on many files.
  private func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
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
    let work = BatchRun(
      pairs: pairs, jobs: batch.jobs, memory: try workers.options().memory,
      existing: batch.existing, messages: outputArguments.messages
    ) { [command] pair in
      let folder = PosixPath.directory(of: pair.output)
      guard PosixPath.createDirectories(folder) else {
        throw TranscodingError(
          .cannotCreateOutput, "cannot create \(folder): \(SystemCall.text())")
      }
      return try await TranscodeRun(
        input: pair.input, output: pair.output, json: json, command: command
      ).execute()
    }
    return try await work.run()
  }
}
