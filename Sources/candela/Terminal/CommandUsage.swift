// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

/// Usage of the command that a command line was to be, for whoever mistyped it.
struct CommandUsage {
  /// The words of the command, as far as they are known: `candela rpu extract`.
  private var words: [String]
  /// The command that they name.
  private var command: any ParsableCommand.Type
  /// Fault of the command line, where the parser does not know it so well; nil for its own words.
  private var problem: String?

  /// - Parameters:
  ///   - program: the command of the program.
  ///   - arguments: all that was typed behind its name.
  init(of program: any ParsableCommand.Type, _ arguments: [String]) {
    (words, command) = ([program._commandName], program)
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

  /// The fault of the command line, as the parser tells it or better.
  func problem(of message: String) -> String {
    if let problem { return problem }
    var text = message.hasSuffix("'.") ? String(message.dropLast()) : message
    text = text.replacing("'. Did you mean", with: "': did you mean")
    if let values = text.firstRange(of: "'. Please provide one of") {
      let list = text[values.upperBound...].replacing("' and '", with: "' or '")
      text = "\(text[..<values.lowerBound])': use\(list)"
    }
    if text.wholeMatch(of: /The value '.*' is invalid for '[^']*'/) != nil {
      // The parser lists the words of options that take words alone.
      text += ": use a number such as 2, or a word that --help names"
    }
    let pattern = /Unknown option '--([^']+)'(: did you mean '--(.+)'\?)?/
    if let unknown = text.wholeMatch(of: pattern) {
      let other = Self.suggestion(
        in: command, for: String(unknown.1), or: unknown.3.map { String($0) })
      if let other { text = "Unknown option '--\(unknown.1)': did you mean '--\(other)'?" }
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The option that was meant by one that is none, where that is nearer than the one that the
  /// parser names; nil otherwise.
  private static func suggestion(
    in command: any ParsableCommand.Type, for option: String, or named: String?
  ) -> String? {
    let isPreset = ["transcode", "plan"].contains(command._commandName)
    let key = isPreset ? PresetKey.path(near: option) : nil
    let name = key.flatMap { $0.split(separator: ".").last.map(String.init) }
    let names = ["version", "help", named, name].compactMap { $0 }
    guard let near = NearestName.of(option, among: names), near != named else { return nil }
    return near == name ? "set \(key ?? near)=…" : near
  }

  /// Words to type instead.
  var hint: String {
    let help = "\(words.joined(separator: " ")) --help"
    guard let example = Self.examples[words.dropFirst().joined(separator: " ")] else {
      return "try: \(help)"
    }
    return "as in: \(words.joined(separator: " ")) \(example) (\(help))"
  }

  /// Shortest arguments of each command.
  private static let examples = [
    "transcode": "clip.mov out.mp4 --preset h264-sdr", "cut": "clip.mov part.mov --to 10",
    "still": "clip.mov poster.jpg", "plan": "clip.mov out.mp4",
    "inspect": "clip.mov", "validate": "clip.mov", "compare": "clip.mov out.mp4",
    "retag": "clip.mov right.mov --color hlg", "rpu extract": "clip.mov rpu.bin",
    "rpu inject": "clip.mov rpu.bin out.mov", "rpu show": "rpu.bin", "rpu plot": "rpu.bin rpu.png",
    "presets show": "hevc-hlg", "presets validate": "mine.json", "sample": "bars.mov",
  ]
}
