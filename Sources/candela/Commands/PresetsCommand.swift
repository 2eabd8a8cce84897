// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
package import CodePoints
internal import FoundationEssentials
package import Settings

struct PresetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Lists, shows and checks presets.",
    discussion: """
      EXAMPLES:
        candela presets show h264-sdr > my.json
        candela presets keys toneMapping
      """,
    subcommands: [List.self, Show.self, Keys.self, Validate.self],
    defaultSubcommand: List.self)

  struct List: ReportingCommand {
    struct Report: JSONObject {
      static let meaning = "The built-in presets and the user's own."
      static let fields: [JSONField<Report>] = [
        .init("presets", "The presets: first the built-in ones, then the user's own.") { _ in
          Preset.shipped + Preset.own
        },
        .init("folder", "The folder for the user's own presets; absent without a home folder.") {
          _ in
          Preset.folder
        },
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Lists the built-in presets and your own.",
      discussion: """
        EXAMPLE:
          candela presets list
        """)

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      try show(Report(), text: printLines)
      return .done
    }

    private func printLines() throws {
      let (shipped, own) = (Preset.shipped, Preset.own)
      let width = (shipped + own).map(\.name.count).max() ?? 0
      for preset in shipped + own {
        let gap = String(repeating: " ", count: width + 2 - preset.name.count)
        try Console.printLine(preset.name + gap + preset.line)
      }
      if let folder = Preset.folder {
        try Console.printLine(
          "\nYour own presets are the files NAME.json in \(folder)"
            + (own.isEmpty ? "; there are none yet" : ""))
      }
    }
  }

  struct Show: ReportingCommand {
    /// A preset with its name.
    struct Report: JSONObject {
      let name: String
      let preset: JSONValue

      static let meaning = "A preset."
      static let fields: [JSONField<Report>] = [
        .init("name", "The preset's name.") { $0.name },
        .init(
          "preset", "The preset; 'candela schema preset' describes its form.",
          JSONSchema(.dictionary(of: JSONSchema(.anything)))
        ) { $0.preset },
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON of a preset, merged with the presets that it extends.",
      discussion: """
        EXAMPLE:
          candela presets show hevc-hlg
        """)

    @Argument(help: "The preset's name, or the path of a JSON file.", completion: .presets)
    var name: String

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      let text = try Preset.mergedText(name)
      let preset = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      try show(Report(name: name, preset: preset)) { try Console.printLine(text) }
      return .done
    }
  }

  struct Keys: ReportingCommand {
    /// Keys of presets.
    struct Report: JSONObject {
      let keys: [PresetKey]

      static let meaning = "Keys of presets."
      static let fields: [JSONField<Report>] = [
        .init("keys", "The keys.") { $0.keys }
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Prints the keys of presets, with their values and meaning.",
      discussion: """
        EXAMPLE:
          candela presets keys toneMapping
        """)

    @Argument(
      help: """
        Prints only the keys with this word in their path, values or meaning. Words of other \
        programs, such as fps, are known, too.
        """)
    var word: String?

    @Flag(help: "Prints a table in Markdown.")
    var markdown = false

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      let keys = try PresetKey.keys(about: word ?? "")
      try show(Report(keys: keys)) {
        try Console.printLine(
          markdown ? PresetKey.table(of: keys) : keys.map(\.text).joined(separator: "\n\n"))
      }
      return .done
    }
  }

  struct Validate: ReportingCommand {
    /// A preset that is valid.
    struct Report: JSONObject {
      let path: String
      let name: String

      static let meaning = "A valid preset."
      static let fields: [JSONField<Report>] = [
        .init("path", "The path of the file.") { $0.path },
        .init("name", "The preset's name.") { $0.name },
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Checks the JSON of a preset.",
      discussion: """
        EXAMPLE:
          candela presets validate mine.json
        """)

    @Argument(help: "The JSON file.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      let settings = try Preset.settings(file, changes: [])
      try show(Report(path: file, name: settings.name)) {
        try Console.printLine("\(file): a valid preset, '\(settings.name)'")
      }
      return .done
    }
  }
}

extension Preset: JSONObject {
  package static let fields: [JSONField<Preset>] = [
    .init("name", "The name for --preset.") { $0.name },
    .init("description", "What the preset is for; absent if it does not say.") { $0.description },
    .init("path", "The path of its file; absent if it is built in.") { $0.path },
    .init("problem", "Why it cannot be used, in words; absent if it is valid.") { $0.problem },
    .init(
      "isHidden",
      "Whether a built-in preset has the same name, so that --preset needs the path."
    ) { $0.isHidden },
  ]

  /// Why it cannot be used, or `nil` if it is valid. Built-in presets are valid.
  private var problem: String? { path == nil ? nil : fault?.advice }

  /// What the list says about the preset after its name.
  fileprivate var line: String {
    // What is wrong begins with the path.
    if let problem { return "not valid: \(problem)" }
    let text = description.flatMap { $0.isEmpty ? nil : $0 } ?? "No description."
    guard let path else { return text }
    let place = isHidden ? "Named like a built-in preset, so use its path: \(path)" : path
    return "\(text) (\(place))"
  }

  /// Whether a built-in preset has the same name.
  private var isHidden: Bool {
    // A user's own file never replaces a shipped preset, whose name scripts rely on.
    path != nil && Preset.shipped.contains { $0.name == name }
  }
}
