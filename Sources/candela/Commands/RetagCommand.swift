internal import ArgumentParser
internal import CodePoints
internal import Transcoding

/// `candela retag`
struct RetagCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "retag",
    abstract: "Changes what a movie file says of its colors; pictures stay byte for byte.",
    usage: """
      candela retag INPUT OUTPUT [--color …] [--range …] [--chroma-location …] [--codec-tag …]
      candela retag --in-place INPUT [--color …] …
      """)

  @Argument(help: "The file to read, and with --in-place to change.", completion: .file())
  var input: String

  @Argument(help: "The file to write.", completion: .file())
  var output: String?

  @Flag(help: "Changes the file itself: a new one takes its place when it is complete.")
  var inPlace = false

  @Option(help: "What the colors mean: 9/18/9, hlg, 709, …; none removes the tags.")
  var color: String?

  @Option(help: "limited, full or none.")
  var range: String?

  @Option(help: "left, center, topLeft, top, bottomLeft, bottom, a number from 0 to 5, or none.")
  var chromaLocation: String?

  @Option(help: "The sample entry: hvc1, hev1, avc1 or avc3.")
  var codecTag: String?

  @Flag(help: "Replaces an output that exists.")
  var overwrite = false

  func execute() async throws -> ExitStatus {
    let retagger = try Retagger(try changes())
    let notices: [String]
    switch (output, inPlace) {
    case (let output?, false):
      notices = try await retagger.retag(input, to: output, overwrite: overwrite)
    case (nil, true):
      notices = try await retagger.retag(input, to: input, overwrite: true)
    default:
      throw TranscodingError(.invalidSettings, "name an OUTPUT, or use --in-place without one")
    }
    for notice in notices { Console.printError("candela: note: \(notice)") }
    return .done
  }

  private func changes() throws -> TagChanges {
    var changes = TagChanges()
    changes.color = try color.map { try PresetArguments.color($0, option: "--color") }
    changes.range = try range.map { text in
      guard let range = TagChanges.Range(rawValue: text) else {
        throw TranscodingError(
          .invalidSettings, "--range has no value '\(text)': limited, full or none")
      }
      return range
    }
    changes.chromaLocation = try chromaLocation.map { text in
      if text == "none" { return TagChanges.Location.none }
      guard let location = ChromaLocation(spelling: text) else {
        throw TranscodingError(
          .invalidSettings,
          "--chroma-location has no value '\(text)': left, center, topLeft, top, bottomLeft, "
            + "bottom, 0 to 5 or none")
      }
      return .stated(location)
    }
    changes.codecTag = codecTag
    return changes
  }
}
