// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import Editing
internal import Inspection

struct RPUCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rpu",
    abstract: "Shows, takes out, puts in and plots Dolby Vision RPUs; nothing is encoded.",
    subcommands: [Show.self, Extract.self, Inject.self, Plot.self])

  struct Show: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints what the RPU of each frame says.")

    @Argument(help: "A file with HEVC video, or of RPUs alone.", completion: .file())
    var file: String

    @Option(
      help: """
        One frame, with all its blocks; counted from 0 in order, also those that an edit list hides.
        """)
    var frame: Int?

    @Flag(help: "Prints JSON.")
    var json = false

    func execute() async throws -> ExitStatus {
      let report = try await RPUReport.load(path: file, frame: frame)
      if json {
        try Console.printLine(Console.json(report))
      } else {
        try Console.printReport(report.text)
      }
      return .done
    }
  }

  struct Extract: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes the RPUs into a file of their own, in the order of presentation.")

    @Argument(help: "A file with HEVC video: MOV, MP4, MKV, TS or .hevc.", completion: .file())
    var file: String

    @Argument(help: "The file to write, as dovi_tool's RPU.bin.", completion: .file())
    var output: String

    @Flag(help: "Leaves out frames that the edit list hides, as a transcode does.")
    var presented = false

    @Flag(name: [.long, .customShort("y")], help: "Replaces an output that exists.")
    var overwrite = false

    @Flag(name: [.long, .customShort("q")], help: "Prints errors alone.")
    var quiet = false

    func execute() async throws -> ExitStatus {
      let result = try await RPUFile.extract(
        file, to: output, presentedOnly: presented, overwrite: overwrite)
      let messages = RunMessages(isQuiet: quiet)
      messages.say(result.notices)
      messages.made(output)
      return result.damagedCount == 0 ? .done : .concealed
    }
  }

  struct Inject: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Puts RPUs into the HEVC frames of a movie, in the order of presentation.")

    @Argument(help: "The movie to read: MOV or MP4.", completion: .file())
    var input: String

    @Argument(help: "The RPUs: one for each frame.", completion: .file())
    var rpus: String

    @Argument(help: "The movie to write.", completion: .file())
    var output: String

    @Flag(name: [.long, .customShort("y")], help: "Replaces an output that exists.")
    var overwrite = false

    @Flag(help: "Puts in RPUs that are not valid, or are for another transfer function.")
    var force = false

    @Flag(name: [.long, .customShort("q")], help: "Prints errors alone.")
    var quiet = false

    func execute() async throws -> ExitStatus {
      let notices = try await RPUFile.inject(
        rpus, into: input, to: output, overwrite: overwrite, force: force)
      let messages = RunMessages(isQuiet: quiet)
      messages.say(notices)
      messages.made(output)
      return .done
    }
  }

  struct Plot: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draws level 1 over time: minimum, average and maximum, in PQ and cd/m².")

    @Argument(help: "A file with HEVC video, or of RPUs alone.", completion: .file())
    var file: String

    @Argument(help: "The PNG to write.", completion: .file(extensions: ["png"]))
    var output: String

    @Flag(name: [.long, .customShort("y")], help: "Replaces an output that exists.")
    var overwrite = false

    @Flag(name: [.long, .customShort("q")], help: "Prints errors alone.")
    var quiet = false

    func execute() async throws -> ExitStatus {
      try await RPUReport.writePlot(of: file, to: output, overwrite: overwrite)
      RunMessages(isQuiet: quiet).made(output)
      return .done
    }
  }
}
