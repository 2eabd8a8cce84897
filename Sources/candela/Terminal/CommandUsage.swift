// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

/// What a command line was to be, for whoever mistyped it.
struct CommandUsage {
  /// The words of the command, as far as they are known: `candela rpu extract`.
  private var words = ["candela"]
  /// The command that they name.
  private var command: any ParsableCommand.Type = Candela.self
  /// What is wrong, where the parser does not know it so well; nil for its own words.
  private(set) var problem: String?

  /// - Parameter arguments: all that was typed behind the program's name.
  init(_ arguments: [String]) {
    for argument in arguments {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !argument.hasPrefix("-") else { return }
      guard let next = commands.first(where: { $0._commandName == argument }) else {
        let name = (words.dropFirst() + [argument]).joined(separator: " ")
        let hint = NearestName.hint(for: argument, among: commands.map { $0._commandName })
        problem = "there is no command '\(name)': \(hint)"
        return
      }
      command = next
      words.append(argument)
    }
  }

  /// What to type instead.
  var hint: String {
    let help = "\(words.joined(separator: " ")) --help"
    guard let example = Self.examples[words.dropFirst().joined(separator: " ")] else {
      return "try: \(help)"
    }
    return "as in: \(words.joined(separator: " ")) \(example) (\(help))"
  }

  /// What follows a command, at its shortest.
  private static let examples = [
    "transcode": "clip.mov out.mp4 --preset h264-sdr", "plan": "clip.mov out.mp4",
    "inspect": "clip.mov", "validate": "clip.mov", "compare": "clip.mov out.mp4",
    "retag": "clip.mov right.mov --color hlg", "rpu extract": "clip.mov rpu.bin",
    "rpu inject": "clip.mov rpu.bin out.mov", "rpu show": "rpu.bin", "rpu plot": "rpu.bin rpu.png",
    "presets show": "hevc-hlg", "presets validate": "mine.json", "sample": "bars.mov",
  ]
}
