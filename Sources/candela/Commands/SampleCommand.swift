// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host
internal import MediaCore
internal import Transcoding

struct SampleCommand: ReportingCommand {
  /// The movie that was made.
  struct Report: JSONObject {
    let file: WrittenFile
    let width: Int
    let height: Int
    let seconds: Double

    static let meaning = "A test movie that was written."
    static let fields = WrittenFile.fields.of { (report: Report) in report.file } + ofMovie

    private static let ofMovie: [JSONField<Report>] = [
      .init("width", "The width, in samples.", .count) { $0.width },
      .init("height", "The height, in rows.", .count) { $0.height },
      .init("duration", "The requested duration, in seconds.") { $0.seconds },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Makes an HLG test movie to try things with.",
    discussion: """
      EXAMPLE:
        candela sample test.mov --seconds 2
      """)

  @Argument(help: "The file to write: \(FileType.namesOfMovies).", completion: .file())
  var output: String

  @Option(help: "The duration in seconds.")
  var seconds = 4.0

  @Option(help: ArgumentHelp("The width and height.", valueName: "WxH"))
  var size = "1920x1080"

  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing file.")
  var overwrite = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
  var quiet = false

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let sides = size.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2 else {
      throw TranscodingError(
        .invalidSettings, "--size takes a size such as 1920x1080, not '\(size)'")
    }
    let movie = try SampleMovie(width: sides[0], height: sides[1], seconds: seconds)
    try await movie.write(to: output, overwrite: overwrite)
    RunMessages(isQuiet: quiet).made(
      output, "\(sides[0])×\(sides[1])", "\(seconds.text(decimals: 1)) s")
    try show(
      Report(
        file: WrittenFile(output: output), width: sides[0], height: sides[1], seconds: seconds))
    return .done
  }
}
