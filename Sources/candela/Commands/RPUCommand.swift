// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import Editing
internal import Inspection
internal import MediaCore

struct RPUCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rpu",
    abstract: "Shows, extracts, injects and plots Dolby Vision RPUs.",
    discussion: """
      Nothing is encoded.

      EXAMPLES:
        candela rpu show clip.mov
        candela rpu extract clip.mov RPU.bin
        candela rpu inject base.mov RPU.bin out.mov
      """,
    subcommands: [Show.self, Extract.self, Inject.self, Plot.self])

  struct Show: ReadingCommand {
    typealias Report = RPUReport

    static let configuration = CommandConfiguration(
      abstract: "Prints the RPU of each frame as it is stored in the file.",
      discussion: """
        Folders are searched for video files only, not for files of RPUs.

        EXAMPLES:
          candela rpu show clip.mov
          candela rpu show Shelf --recursive --frame 0
        """)

    @Argument(
      help: ArgumentHelp(
        "Files with HEVC or AV1 video, or files of RPUs.", valueName: "file"),
      completion: .file())
    var files: [String]

    @Option(
      help: """
        Shows one frame with all its blocks. Frames are counted from 0, including hidden ones.
        """)
    var frame: Int?

    @OptionGroup(title: "MANY FILES") var finding: FilesArguments

    @OptionGroup var reporting: ReportArguments

    func work(on input: String, to output: String?) async throws -> ExitStatus {
      let report = try await RPUReport.load(path: input, frame: frame)
      try show(report) { try Console.printReport(report.text) }
      return .done
    }
  }

  struct Extract: ReportingCommand {
    /// The file of RPUs that was written.
    struct Report: JSONObject {
      let file: WrittenFile
      let damagedCount: Int

      static let meaning = "A file of RPUs that was written."
      static let fields = WrittenFile.fields.of { (report: Report) in report.file } + ofRPUs

      private static let ofRPUs: [JSONField<Report>] = [
        .init(
          "damagedCount",
          "How many RPUs are damaged or missing. Damaged RPUs were written unchanged.", .count
        ) {
          $0.damagedCount
        }
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Writes the RPUs to a file, in presentation order.",
      discussion: """
        An RPU that refers to an earlier one gets a copy of what it refers to.

        EXAMPLE:
          candela rpu extract clip.mov rpu.bin
        """)

    @Argument(
      help: "A file with HEVC or AV1 video: \(FileType.namesOfSources).", completion: .file())
    var file: String

    @Argument(help: "The file to write, in the form of dovi_tool's RPU.bin.", completion: .file())
    var output: String

    @Flag(help: "Leaves out frames that the edit list hides, as a transcode does.")
    var presented = false

    @Flag(name: [.long, .customShort("y")], help: "Replaces an existing output.")
    var overwrite = false

    @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
    var quiet = false

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      let result = try await RPUFile.extract(
        file, to: output, presentedOnly: presented, overwrite: overwrite)
      let messages = RunMessages(isQuiet: quiet)
      messages.say(result.notices)
      messages.made(output)
      try show(
        Report(
          file: WrittenFile(output: output, notices: result.notices),
          damagedCount: result.damagedCount))
      return result.damagedCount == 0 ? .done : .concealed
    }
  }

  struct Inject: ReportingCommand {
    typealias Report = WrittenFile

    static let configuration = CommandConfiguration(
      abstract: "Puts RPUs into the frames of a movie, in presentation order.",
      discussion: """
        EXAMPLE:
          candela rpu inject clip.mov rpu.bin out.mov
        """)

    @Argument(help: "The movie to read: \(FileType.namesOfMovies).", completion: .file())
    var input: String

    @Argument(help: "The file of RPUs, one for each frame.", completion: .file())
    var rpus: String

    @Argument(help: "The movie to write.", completion: .file())
    var output: String

    @Flag(name: [.long, .customShort("y")], help: "Replaces an existing output.")
    var overwrite = false

    @Flag(
      help: """
        Injects RPUs even if they are invalid or made for another transfer function, or if the \
        output does not fit on the disk.
        """)
    var force = false

    @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
    var quiet = false

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      let notices = try await RPUFile.inject(
        rpus, into: input, to: output, overwrite: overwrite, force: force)
      let messages = RunMessages(isQuiet: quiet)
      messages.say(notices)
      messages.made(output)
      try show(WrittenFile(output: output, notices: notices))
      return .done
    }
  }

  struct Plot: PlottingCommand {
    typealias Report = WrittenFile

    static let plottedValues = "level 1"

    static let configuration = CommandConfiguration(
      abstract: "Draws level 1 over time: minimum, average and maximum, in PQ and cd/m².",
      discussion: """
        The input is a file with HEVC or AV1 video, or a file of RPUs. Folders are searched for \
        video files only.

        EXAMPLES:
          candela rpu plot rpu.bin rpu.png
          candela rpu plot Shelf --recursive --into plots
        """)

    @OptionGroup var plot: PlotArguments

    @OptionGroup var reporting: ReportArguments

    func draw(_ input: String, to output: String, overwrite: Bool) async throws {
      try await RPUReport.writePlot(of: input, to: output, overwrite: overwrite)
    }
  }
}
