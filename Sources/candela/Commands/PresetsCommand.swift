// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

struct PresetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Lists, shows and checks presets.",
    discussion: """
      EXAMPLES:
        candela presets show h264-sdr > my.json
        candela presets keys toneMapping
      """,
    subcommands: [List.self, Show.self, Keys.self, Schema.self, Validate.self],
    defaultSubcommand: List.self)

  struct List: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the built-in presets and your own.")

    func execute() async throws -> ExitStatus {
      let (shipped, own) = (Preset.shipped, Preset.own)
      let width = (shipped + own).map(\.name.count).max() ?? 0
      for preset in shipped + own {
        let gap = String(repeating: " ", count: width + 2 - preset.name.count)
        // A user's own file never replaces a shipped preset, whose name scripts rely on.
        let isHidden = preset.path != nil && shipped.contains { $0.name == preset.name }
        let place = preset.path.map { isHidden ? " (only by its path, \($0))" : " (\($0))" } ?? ""
        try Console.printLine(preset.name + gap + (preset.description ?? "") + place)
      }
      if let folder = Preset.folder {
        try Console.printLine(
          "\nPresets of your own are the files NAME.json in \(folder)"
            + (own.isEmpty ? ", none yet" : ""))
      }
      return .done
    }
  }

  struct Show: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON of a preset, merged with those that it extends.")

    @Argument(help: "The preset's name, or the path of a JSON file.", completion: .presets)
    var name: String

    func execute() async throws -> ExitStatus {
      try Console.printLine(try Preset.mergedText(name))
      return .done
    }
  }

  struct Keys: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the keys of presets, with their values and meaning.")

    @Argument(help: "A word in the path of a key or in its meaning; all keys by default.")
    var word: String?

    @Flag(help: "Prints a table in Markdown.")
    var markdown = false

    func execute() async throws -> ExitStatus {
      let keys = try PresetKey.keys(about: word ?? "")
      try Console.printLine(
        markdown ? PresetKey.table(of: keys) : keys.map(\.text).joined(separator: "\n\n"))
      return .done
    }
  }

  struct Schema: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON schema of presets, for editors.")

    func execute() async throws -> ExitStatus {
      try Console.printLine(PresetKey.schema)
      return .done
    }
  }

  struct Validate: CandelaCommand {
    static let configuration = CommandConfiguration(abstract: "Checks the JSON of a preset.")

    @Argument(help: "The JSON file.", completion: .file(extensions: ["json"]))
    var file: String

    func execute() async throws -> ExitStatus {
      let settings = try Preset.settings(file, changes: [])
      try Console.printLine("\(file): a valid preset, '\(settings.name)'")
      return .done
    }
  }
}
