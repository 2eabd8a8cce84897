// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

/// Usage of the command that a command line was to be, for whoever mistyped it.
struct CommandUsage {
  /// The words of the command, as far as they are known: `candela rpu extract`.
  private var words: [String]
  /// The command of the program.
  private let program: any ParsableCommand.Type
  /// The command that they name.
  private var command: any ParsableCommand.Type
  /// Everything that was typed behind the program's name.
  private let arguments: [String]
  /// Fault of the command line, where the parser does not know it so well; nil for its own words.
  private(set) var problem: String?

  /// - Parameters:
  ///   - program: the command of the program.
  ///   - arguments: all that was typed behind its name.
  init(of program: any ParsableCommand.Type, _ arguments: [String]) {
    self.program = program
    (words, command, self.arguments) = ([program._commandName], program, arguments)
    for argument in arguments where argument != "help" {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !argument.hasPrefix("-") else { return }
      guard let next = commands.first(where: { $0._commandName == argument }) else {
        problem = Self.missing(argument, behind: words, among: commands.map { $0._commandName })
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
    if let unknown = text.wholeMatch(of: /Unknown option '(-+[^']+)'(: did you mean '--(.+)'\?)?/) {
      let option = typed(String(unknown.1))
      text = "Unknown option '\(option)'" + end(for: option, or: unknown.3.map(String.init))
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The fault of a word that is none of the commands behind others.
  private static func missing(
    _ word: String, behind words: [String], among commands: [String]
  ) -> String {
    if words.count == 1, word.contains(where: { $0 == "." || $0 == "/" }) {
      return "a command is missing before \(word): did you mean 'candela transcode'?"
    }
    let name = (words.dropFirst() + [word]).joined(separator: " ")
    let other = Self.others[word.lowercased()].flatMap { commands.contains($0) ? $0 : nil }
    let hint =
      other.map { "did you mean '\($0)'?" } ?? commands.hint(for: word)
    return "there is no command '\(name)': \(hint)"
  }

  /// Commands for words of other programs.
  private static let others = [
    "convert": "transcode", "encode": "transcode", "compress": "transcode", "remux": "transcode",
    "export": "transcode", "ffmpeg": "transcode", "info": "inspect", "probe": "inspect",
    "ffprobe": "inspect", "mediainfo": "inspect", "analyze": "inspect", "show": "inspect",
    "trim": "cut", "clip": "cut", "split": "cut", "thumbnail": "still", "thumb": "still",
    "screenshot": "still", "frame": "still", "image": "still", "check": "validate",
    "verify": "validate", "tag": "retag", "diff": "compare", "preset": "presets",
  ]

  /// An unknown option as it was typed: the parser names a letter of `-preset` alone.
  private func typed(_ option: String) -> String {
    guard option.count == 2, !arguments.contains(option), let letter = option.last else {
      return option
    }
    return arguments.first {
      $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.dropFirst().contains(letter)
    } ?? option
  }

  /// The end of the sentence about an option that is none: what to type instead, if that is known.
  ///
  /// - Parameter named: the one that the parser names, which often only has as many letters.
  private func end(for typed: String, or named: String?) -> String {
    let option = String(typed.drop { $0 == "-" })
    if option == named, has(option) { return ": did you mean '--\(option)'?" }
    switch OptionHint.hint(for: option, in: command._commandName) {
    case .advice(let text): return ": \(text)"
    case .options(let options):
      let known = options.filter(has).map { "'--\($0)'" }
      if !known.isEmpty { return ": did you mean \(known.joined(separator: " or "))?" }
    case nil: break
    }
    if let near = suggestion(for: option, or: named) { return ": did you mean '--\(near)'?" }
    return typed.hasPrefix("--") && others(with: option)
      ? ": \(words.joined(separator: " ")) has none" : ""
  }

  /// True if the command has an option, which values may follow.
  private func has(_ option: String) -> Bool {
    has(option.split(separator: " ").first.map(String.init) ?? option, command)
  }

  private func has(_ option: String, _ command: any ParsableCommand.Type) -> Bool {
    program.helpMessage(for: command, columns: 200)
      .split { $0.isWhitespace || "[],|<>=".contains($0) }.contains { $0 == "--\(option)" }
  }

  /// True if other commands have an option.
  private func others(with option: String) -> Bool {
    program.configuration.subcommands.contains { has(option, $0) }
  }

  /// The option or key that is spelled nearly so, without its dashes; nil where none is.
  private func suggestion(for option: String, or named: String?) -> String? {
    let name = command._commandName
    let key = ["transcode", "plan"].contains(name) ? PresetKey.path(near: option) : nil
    let keyName = key.flatMap { $0.split(separator: ".").last.map(String.init) }
    if let key, !PresetKey.otherPaths(of: option).isEmpty { return "set \(key)=…" }
    let real = named.flatMap { has($0) ? $0 : nil }
    let names = ["version", "help", real, keyName].compactMap { $0 }
    guard let near = names.nearest(to: option) else { return nil }
    return near == keyName ? "set \(key ?? near)=…" : near
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
