// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Glibc
internal import Host
internal import MediaCore
internal import Segments
internal import Transcoding

@main
struct Candela: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "candela",
    abstract: "Transcodes video files and keeps color and HDR metadata right.",
    discussion: """
      EXAMPLES:
        candela transcode clip.mov out.mp4 --preset h264-sdr
        candela inspect clip.mov
        candela presets list
      """,
    // Asking the libraries for their versions takes time, so do it only if somebody wants to know.
    version: CommandLine.arguments.contains("--version") ? versions : SoftwareFacts.version,
    subcommands: CommandList.all,
    // The parser would also find a short name `-h` among the letters of a file such as `-dash.mp4`.
    helpNames: .long)

  /// The versions of the program and its libraries, as text or as JSON.
  private static var versions: String {
    let isJSON = CommandLine.arguments.contains("--json")
    return (isJSON ? try? Console.json(SoftwareFacts.Versions()) : nil) ?? SoftwareFacts.text
  }

  /// Runs the command that the arguments name, and exits with its status.
  static func main() async {
    let arguments = CommandLine.parsedArguments
    Console.occupyClosedStreams()
    if let count = CommandLine.value(of: CoreCount.option).flatMap({ Int($0) }) {
      SystemLimits.limitProcessors(to: count)
    }
    do {
      // Check the limits before anything starts a thread.
      try SystemLimits.check()
      try SystemLimits.checkInstructionSet()
    } catch {
      Glibc.exit(RunMessages.fail(nil, error).rawValue)
    }
    let status = await Interruptible.run {
      do {
        return await ExitStatus.of(try parseAsRoot(arguments), arguments)
      } catch {
        return ExitStatus.ofParsing(error, arguments)
      }
    }
    Glibc.exit(status.rawValue)
  }
}

extension ExitStatus {
  /// Runs a command, and says on standard error what went wrong.
  static func of(_ command: any ParsableCommand, _ arguments: [String]) async -> ExitStatus {
    do {
      if let command = command as? any ReportingCommand {
        return try await command.execute()
      }
      // Any other command only prints something, or is a group of commands, whose `run` throws a
      // request for help.
      var other = command
      try other.run()
      return .done
    } catch let error as TranscodingError {
      return RunMessages.fail(nil, error)
    } catch is CancellationError {
      Interruptible.report()
      return .interrupted
    } catch {
      // Commands check some arguments themselves and throw the parser's own errors.
      return ofParsing(error, arguments)
    }
  }

  /// Says in one line what is wrong with a command line and what to type instead, or prints the
  /// help that was asked for.
  static func ofParsing(_ error: any Error, _ arguments: [String]) -> ExitStatus {
    let code = Candela.exitCode(for: error)
    let usage = CommandUsage(of: Candela.self, arguments)
    // The parser gives its general help even for commands that do not exist.
    let asksForHelp = !Set(["help", "--help"]).isDisjoint(with: arguments)
    if code.isSuccess, usage.problem == nil || !asksForHelp {
      do {
        try Console.printLine(ParserAnswer(original: Candela.fullMessage(for: error)).text)
        return .done
      } catch {
        return RunMessages.fail(nil, .inputOutput, "\(error)")
      }
    }
    // 1 is the parser's status for errors that it does not know.
    let status =
      code.isSuccess ? .usage : code == .failure ? nil : ExitStatus(rawValue: code.rawValue)
    return RunMessages.fail(
      nil, status ?? .internalFault,
      usage.text(of: Candela.message(for: error)))
  }
}
