// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import Editing
internal import Host
internal import Inspection
internal import Settings

struct RetagCommand: MakingCommand {
  /// What the movie said before and what it says now.
  struct Report: JSONObject {
    let file: WrittenFile
    let before: StatedTags?
    let after: StatedTags?

    static let meaning = "A movie whose tags were changed."
    static let fields = WrittenFile.fields.of { (report: Report) in report.file } + ofTags

    private static let ofTags: [JSONField<Report>] = [
      .init("before", "What the input says about its video; absent if that cannot be read.") {
        $0.before
      },
      .init("after", "What the output says about its video; absent if that cannot be read.") {
        $0.after
      },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "retag",
    abstract: "Changes the color tags and HDR metadata of a movie without encoding.",
    usage: """
      candela retag INPUT OUTPUT [--color …] [--range …] [--chroma-location …] \
      [--codec-tag …] [--ambient …] [--mastering-display …] [--content-light …] [--force]
      candela retag --in-place FILE... [--color …] …
      candela retag FILE... --into FOLDER [--color …] …
      """,
    discussion: """
      Coded frames stay the same, byte for byte.

      EXAMPLES:
        candela retag clip.mov tagged.mov --color hlg
        candela retag --in-place clip.mp4 --mastering-display p3,1000,0.0001
        candela retag Shelf --recursive --only sdr --into tagged --color 709
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The file to read, then the file to write. With --in-place, files to change; with --into, \
      files to read.
      """, valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Changes the file itself. The new version replaces the old one once complete.")
  var inPlace = false

  @Option(
    help: """
      What the colors mean: 709, hlg, …, or primaries/transfer/matrix such as 9/18/9; 'none' \
      removes the tags.
      """,
    completion: .colors)
  var color: String?

  @Option(
    help: "The range of the signal: limited or full; 'none' removes the tag.",
    completion: .list(["limited", "full", "none"]))
  var range: String?

  @Option(
    help: """
      Where chroma samples lie: left, center, topLeft, top, bottomLeft, bottom or a number from 0 \
      to 5; 'none' removes the tag.
      """,
    completion: .list(["left", "center", "topLeft", "top", "bottomLeft", "bottom", "none"]))
  var chromaLocation: String?

  @Option(
    help: "The sample entry: hvc1, hev1, avc1 or avc3.",
    completion: .list(["hvc1", "hev1", "avc1", "avc3"]))
  var codecTag: String?

  @Option(
    help: ArgumentHelp(
      "The ambient viewing environment: lux, and the light's color as x and y; 'none' removes it.",
      valueName: AmbientViewingEnvironment.usualSpelling))
  var ambient: String?

  @Option(
    help: ArgumentHelp(
      "The mastering display: primaries (p3, 2020, 709), maximum and minimum in cd/m²; or as x265 "
        + "writes it, G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min); 'none' removes it.",
      valueName: "p3,1000,0.0001"))
  var masteringDisplay: String?

  @Option(
    help: ArgumentHelp(
      "The content's light levels: MaxCLL and MaxFALL in cd/m²; 'none' removes them.",
      valueName: "1000,400"))
  var contentLight: String?

  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing output.")
  var overwrite = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
  var quiet = false

  @Flag(help: "Starts even if the output does not fit on the disk.")
  var force = false

  @OptionGroup(title: "MANY FILES") var batch: BatchArguments

  @OptionGroup var reporting: ReportArguments

  var choices: [(name: String, value: String?)] {
    [
      ("color", color), ("range", range), ("chroma-location", chromaLocation),
      ("codec-tag", codecTag), ("ambient", ambient), ("mastering-display", masteringDisplay),
      ("content-light", contentLight),
    ]
  }

  var replacing: Self {
    var command = self
    command.overwrite = true
    return command
  }

  func check() throws { _ = try Retagger(try changes()) }

  func execute() async throws -> ExitStatus {
    try await inPlace ? change() : make()
  }

  func work(on input: String, to output: String?) async throws -> ExitStatus {
    let retagger = try Retagger(try changes())
    // Read the old tags before the work, since `--in-place` replaces the file.
    let before = try? await MediaAsset.load(path: input)
    let statements = before.map { (InspectionReport($0).statements, StatedTags($0)) }
    let notices: [Notice]
    switch (output, inPlace) {
    case (let output?, false):
      // Only `--in-place` may write over the input.
      try RunFiles(reading: input).check(output)
      notices = try await retagger.retag(
        input, to: output, overwrite: overwrite, ignoresFreeSpace: force)
    case (nil, true):
      notices = try await retagger.retag(
        input, to: input, overwrite: true, ignoresFreeSpace: force)
    default:
      throw TranscodingError(.invalidSettings, "give an OUTPUT, or use --in-place without one")
    }
    RunMessages(isQuiet: quiet).say(notices)
    let after = try? await MediaAsset.load(path: output ?? input)
    if !quiet, let statements, let after {
      Self.printChanges(from: statements.0, to: InspectionReport(after).statements)
    }
    try show(
      Report(
        file: WrittenFile(output: output ?? input, notices: notices), before: statements?.1,
        after: after.flatMap { StatedTags($0) }))
    return .done
  }

  /// Prints what a file says now, and what it said before.
  private static func printChanges(from before: [String], to after: [String]) {
    let changes = after.difference(from: before)
    let name = RunMessages.input.map { "\($0): " } ?? ""
    for case .remove(_, let line, _) in changes.removals {
      Console.printError("\(name)was \(line)")
    }
    for case .insert(_, let line, _) in changes.insertions {
      Console.printError("\(name)is  \(line)")
    }
  }

  private func changes() throws -> TagChanges {
    var changes = TagChanges()
    changes.color = try color.map { try PresetArguments.color($0, option: "--color") }
    changes.videoFullRangeFlag = try statement(range, "--range", "limited, full or none") {
      ["limited", "full"].match(for: $0).map { $0 == "full" }
    }
    changes.chromaLocation = try statement(
      chromaLocation, "--chroma-location",
      "left, center, topLeft, top, bottomLeft, bottom, 0 to 5 or none",
      ChromaLocation.init(spelling:))
    changes.codecTag = codecTag
    changes.ambientViewingEnvironment = try statement(
      ambient, "--ambient",
      "lux, x and y such as \(AmbientViewingEnvironment.usualSpelling), or none",
      AmbientViewingEnvironment.init(spelling:))
    changes.masteringDisplay = try statement(
      masteringDisplay, "--mastering-display",
      "p3, 2020 or 709 with maximum and minimum in cd/m², such as p3,1000,0.0001; x265's "
        + "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min); or none",
      MasteringDisplayColorVolume.init(spelling:))
    changes.contentLightLevel = try statement(
      contentLight, "--content-light", "MaxCLL and MaxFALL in cd/m² such as 1000,400, or none",
      ContentLightLevel.init(spelling:))
    return changes
  }

  /// Returns the change that an option asks for; `nil` if the option is not set.
  private func statement<Value>(
    _ text: String?, _ option: String, _ form: String, _ value: (String) -> Value?
  ) throws -> TagChanges.Statement<Value>? {
    guard let text else { return nil }
    if ["none"].match(for: text) != nil { return .unstated }
    guard let value = value(text) else {
      throw TranscodingError(.invalidSettings, "\(option) cannot be '\(text)': use \(form)")
    }
    return .stated(value)
  }
}
