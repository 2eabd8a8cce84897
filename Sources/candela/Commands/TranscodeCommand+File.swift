// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import Planning
internal import Segments

/// Works on one of many files in a separate process.
extension TranscodeCommand {
  /// Returns the arguments of a process that works on a file with the options of this command.
  func arguments(of pair: BatchFiles.Pair) -> [String] {
    let values: [(String, String?)] = [
      ("preset", arguments.preset), ("source-color", arguments.sourceColor),
      ("on-error", arguments.onError?.rawValue), ("from", range.from), ("to", range.to),
      ("workers", workers.workers.spelling), ("memory", workers.memory),
      ("resume", workers.resume.rawValue), ("verify", outputArguments.verify.rawValue),
      ("progress", outputArguments.progress.rawValue),
      ("encode", (encoding.encode ?? .needed).rawValue), ("only", batch.only?.rawValue),
    ]
    let flags = [
      ("strict", arguments.strict), ("keep-job", workers.keepJob), ("compare", compare),
      ("overwrite", outputArguments.overwrite), ("preserve-times", outputArguments.preserveTimes),
      ("quiet", outputArguments.quiet), ("force", outputArguments.force),
      ("verbose", outputArguments.verbose), ("json", reporting.json),
    ]
    // The form `--name=value` allows values that begin with a dash, and `--` allows names of files
    // that begin with one.
    return ["transcode", "--attached"]
      + values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
      + flags.compactMap { name, isSet in isSet ? "--\(name)" : nil }
      + ["--", pair.input, pair.output]
  }

  /// Does the work for the process that started this one, and reports to it.
  func executeAttached() async throws -> ExitStatus {
    // If a fault of this program or of a library ends this process, only its file is lost.
    FileEvent.startPosting()
    let lines = Console.inputLines()
    var iterator = lines.makeAsyncIterator()
    guard let line = await iterator.next() else { return .interrupted }
    guard files.count == 2,
      let order = try? JSONDecoder().decode(FileOrder.self, from: Data(line)),
      let settings = order.settings
    else {
      throw TranscodingError(.invalidSettings, "--attached is only for this program's own use")
    }
    var command = self
    if let count = order.files { command.workers.workers = .shared(files: count) }
    var run = TranscodeRun(
      input: files[0], output: files[1], json: settings, command: command)
    // The batch starts a file once it fits in memory, so report what it needs first, and then wait.
    if let part = order.part { FileEvent(need: await run.memory(within: part)).post() }
    guard let start = await iterator.next().flatMap({ String(validating: $0, as: UTF8.self) })
    else { return .interrupted }
    if start == FileOrder.start(replacing: true) { run.command.outputArguments.overwrite = true }
    return await run.executeAttached(skips: order.skips)
  }
}

extension TranscodeRun {
  /// Does the work, and prints what went wrong.
  ///
  /// - Parameter skips: whether to skip the file, instead of failing, if another run makes the
  ///   output.
  fileprivate func executeAttached(skips: Bool) async -> ExitStatus {
    await RunMessages.$input.withValue(input) {
      do {
        return try await ProgressDisplay.$isPosted.withValue(true) {
          try await execute { FileEvent(made: $0.rawValue).post() }
        }
      } catch let error as TranscodingError {
        return skips && FileEvent.postIfTaken(error)
          ? .cannotCreateOutput : RunMessages.fail(input, error)
      } catch is CancellationError {
        return .interrupted
      } catch {
        return RunMessages.fail(input, .internalFault, "\(error)")
      }
    }
  }
}
