// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

struct PresetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Lists, shows and checks presets.",
    subcommands: [List.self, Show.self, Keys.self, Schema.self, Validate.self],
    defaultSubcommand: List.self)

  struct List: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the presets that come along, and those of your own.")

    func execute() async throws -> ExitStatus {
      let (shipped, own) = (Preset.shipped, Preset.own)
      let width = (shipped + own).map(\.name.count).max() ?? 0
      for preset in shipped + own {
        let gap = String(repeating: " ", count: width + 2 - preset.name.count)
        // A file of one's own never replaces a shipped preset, whose name scripts rely on.
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
      abstract: "Prints a preset's JSON, to be changed and used with --preset FILE.json.")

    @Argument(help: "The preset's name.")
    var name: String

    func execute() async throws -> ExitStatus {
      try Console.printLine(try Preset.text(named: name))
      return .done
    }
  }

  struct Keys: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints every key that a preset may have, with its values and meaning.")

    func execute() async throws -> ExitStatus {
      try Console.printLine(PresetKey.table)
      return .done
    }
  }

  struct Schema: CandelaCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON schema of presets, which tells an editor every key.")

    func execute() async throws -> ExitStatus {
      try Console.printLine(PresetKey.schema)
      return .done
    }
  }

  struct Validate: CandelaCommand {
    static let configuration = CommandConfiguration(abstract: "Checks a preset's JSON.")

    @Argument(help: "The JSON file.", completion: .file(extensions: ["json"]))
    var file: String

    func execute() async throws -> ExitStatus {
      let settings = try Preset.settings(file, changes: [])
      try Console.printLine("\(file): a valid preset, '\(settings.name)'")
      return .done
    }
  }
}
