// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Settings

/// Explains how to use a command that was mistyped.
struct CommandUsage {
  /// The words of the command that were recognized: `candela rpu extract`.
  private var words: [String]
  private let program: any ParsableCommand.Type
  /// The command that the words name.
  private var command: any ParsableCommand.Type
  /// Everything that was typed after the program's name.
  private let arguments: [String]
  /// What is wrong, in better words than the parser's; `nil` if there are none.
  private(set) var problem: String?

  /// - Parameters:
  ///   - program: the program's own command.
  ///   - arguments: everything that was typed after its name.
  init(of program: any ParsableCommand.Type, _ arguments: [String]) {
    self.program = program
    (words, command, self.arguments) = ([program._commandName], program, arguments)
    // `candela help rpu` is about `rpu`.
    for argument in arguments where argument != "help" {
      let commands = command.configuration.subcommands
      guard !argument.hasPrefix("-") else { return }
      guard !commands.isEmpty else {
        // The command has no commands of its own, so the word is a file. But after `help`, it is a
        // mistake, which the parser would ignore.
        if isAboutHelp { problem = "\(words.joined(separator: " ")) has no command '\(argument)'" }
        return
      }
      guard let next = commands.first(where: { $0._commandName == argument }) else {
        problem = missing(argument, among: commands.map { $0._commandName })
        return
      }
      command = next
      words.append(argument)
    }
  }

  /// Whether `help` is asked for as a command.
  private var isAboutHelp: Bool { arguments.first == "help" }

  /// Returns what is wrong with the command line, and what to type instead.
  ///
  /// - Parameter message: what is wrong, in the parser's words.
  func text(of message: String) -> String {
    let problem = problem(of: message)
    return "\(problem)\(problem.hasSuffix("?") || problem.hasSuffix(".") ? "" : ".") \(hint)"
  }

  /// Returns what is wrong with the command line, in the parser's words or in better ones.
  private func problem(of message: String) -> String {
    if let problem { return problem }
    // The parser reads `-map` in two ways, as one word and as letters, and complains about both.
    let message =
      message.firstRange(of: "\n   or: ").map { String(message[..<$0.lowerBound]) } ?? message
    // The parser's sentences end here, but ours continue with what to type instead.
    var text = message.hasSuffix("'.") ? String(message.dropLast()) : message
    text = text.replacing("'. Did you mean", with: "': did you mean")
    if let values = text.firstRange(of: "'. Please provide one of") {
      let list = text[values.upperBound...].replacing("' and '", with: "' or '")
      text = "\(text[..<values.lowerBound])': use\(list)"
    } else if let option = text.wholeMatch(of: /The value '(.*)' is invalid for '([^' ]*).*'/) {
      // The parser lists the possible words of options that take only words. An option without such
      // a list takes a number.
      text += Int(option.1) == nil ? ": use a number such as 2" : ": use 1 or more"
      if option.2 == "--workers" { text += ", or auto" }
    }
    if let unknown = text.wholeMatch(of: /Unknown option '(-+[^']+)'(: did you mean '--(.+)'\?)?/) {
      let option = typed(String(unknown.1))
      text = "Unknown option '\(option)'" + end(for: option, or: unknown.3.map(String.init))
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Returns what is wrong with a word that is not a command.
  private func missing(_ word: String, among commands: [String]) -> String {
    // If the first word has a dot or a slash, it is a file, and the command was forgotten.
    if words.count == 1, word.contains(where: { $0 == "." || $0 == "/" }) {
      return "a command is missing before \(word): did you mean 'candela transcode'?"
    }
    let name = (words.dropFirst() + [word]).joined(separator: " ")
    return "there is no command '\(name)': \(advice(on: word, among: commands))"
  }

  /// Returns what to type in place of a word that is not a command.
  private func advice(on word: String, among commands: [String]) -> String {
    if words.last == "presets", (try? Preset.json(word, changes: [])) != nil {
      return "did you mean 'presets show \(word)'?"
    }
    let small = word.lowercased()
    if words.count == 1, let sentence = Self.sentences[small] { return sentence }
    let other = Self.others[small].flatMap { commands.contains($0) ? $0 : nil }
    // People forget the first of two words, as in `graft`, or type a wrong one.
    let known = other.map { [$0] } ?? names(endingIn: small)
    guard known.isEmpty else {
      return "did you mean \(known.map { "'\($0)'" }.joined(separator: " or "))?"
    }
    return commands.hint(for: word)
  }

  /// Returns the full names of the commands with a name: `rpu extract` for `extract`.
  private func names(endingIn word: String) -> [String] {
    program.configuration.subcommands.flatMap { command -> [String] in
      let group = command._commandName
      let isInside = command.configuration.subcommands.contains { $0._commandName == word }
      return (group == word ? [word] : []) + (isInside ? ["\(group) \(word)"] : [])
    }
  }

  private static let joining = "Candela does not join files"
  private static let sentences = [
    "version": "use --version", "join": joining, "concat": joining, "merge": joining,
  ]

  /// Our commands for the words of other programs.
  private static let others = [
    "convert": "transcode", "encode": "transcode", "compress": "transcode", "remux": "transcode",
    "export": "transcode", "ffmpeg": "transcode", "info": "inspect", "probe": "inspect",
    "ffprobe": "inspect", "mediainfo": "inspect", "analyze": "inspect", "show": "inspect",
    "trim": "cut", "clip": "cut", "split": "cut", "thumbnail": "still", "thumb": "still",
    "screenshot": "still", "frame": "still", "image": "still", "check": "validate",
    "verify": "validate", "tag": "retag", "diff": "compare", "preset": "presets",
    "list": "presets", "scan": "inspect",
  ]

  /// Returns an unknown option as it was typed.
  private func typed(_ option: String) -> String {
    // For `-preset`, the parser reports a single letter, which nobody typed.
    guard option.count == 2, !arguments.contains(option), let letter = option.last else {
      return option
    }
    return arguments.first {
      $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.dropFirst().contains(letter)
    } ?? option
  }

  /// Returns how the sentence about an unknown option ends: with what to type instead, if known.
  ///
  /// - Parameter named: the option that the parser suggests.
  private func end(for typed: String, or named: String?) -> String {
    let option = String(typed.drop { $0 == "-" }).replacing("colour", with: "color")
    if isAboutHelp, has(option) { return ": help takes no options" }
    let small = option.lowercased()
    if small != option, has(small) { return ": did you mean '--\(small)'?" }
    switch OptionHint.hint(for: option, in: name) {
    case .advice(let text): return ": \(text)"
    case .options(let options):
      let known = options.filter(has).map { "'--\($0)'" }
      if !known.isEmpty { return ": did you mean \(known.joined(separator: " or "))?" }
    case nil: break
    }
    // The parser's suggestion is often similar only in length, so look for better ones.
    if option == named, has(option) { return ": did you mean '--\(option)'?" }
    // For `--no-x`, the parser would suggest the opposite, `--x`.
    if option.hasPrefix("no-"), has(String(option.dropFirst(3))) {
      return ": leave out '--\(option.dropFirst(3))'"
    }
    let spellings = OptionHint.spellings(of: option)
    if takesKeys, let advice = spellings.compactMap({ PresetKey.advice(on: $0) }).first {
      return ": " + advice.replacing(/[A-Za-z][A-Za-z.-]*=/) { "--set \($0.output)" }
    }
    if let near = suggestion(for: option, or: named) { return ": did you mean '--\(near)'?" }
    return typed.hasPrefix("--") && others(with: option)
      ? ": other commands have it, but \(words.joined(separator: " ")) does not" : ""
  }

  /// Whether the command has an option. Values may follow the option's name.
  private func has(_ option: String) -> Bool {
    has(option.split(separator: " ").first.map(String.init) ?? option, command)
  }

  private func has(_ option: String, _ command: any ParsableCommand.Type) -> Bool {
    // The parser has no list of a command's options, but its help names them all.
    program.helpMessage(for: command, columns: 200)
      .split { $0.isWhitespace || "[],|<>=".contains($0) }.contains { $0 == "--\(option)" }
  }

  /// Whether other commands have an option.
  private func others(with option: String) -> Bool {
    program.configuration.subcommands.contains { has(option, $0) }
  }

  /// Returns the option or key with the most similar name, without its dashes; `nil` if none is
  /// similar.
  private func suggestion(for option: String, or named: String?) -> String? {
    let spellings = OptionHint.spellings(of: option)
    let word = spellings.first { !PresetKey.otherPaths(of: $0).isEmpty } ?? option
    let key = takesKeys ? PresetKey.path(near: word) : nil
    let keyName = key.flatMap { $0.split(separator: ".").last.map(String.init) }
    // The parser does not know the keys of presets, and other programs have other names for some of
    // them.
    if let key, !PresetKey.otherPaths(of: word).isEmpty { return "set \(key)=…" }
    let real = named.flatMap { has($0) ? $0 : nil }
    let names = ["version", "help", real, keyName].compactMap { $0 }
    guard let near = names.nearest(to: option) else { return nil }
    return near == keyName ? "set \(key ?? near)=…" : near
  }

  /// The command's name without the program's: `rpu extract`.
  private var name: String {
    words.count > 1 ? words.dropFirst().joined(separator: " ") : words[0]
  }

  /// Whether the command takes keys of presets.
  private var takesKeys: Bool { ["transcode", "plan"].contains(command._commandName) }

  /// What to type instead.
  private var hint: String {
    let help = "\(words.joined(separator: " ")) --help"
    return example.map { "Example: \($0) (\(help))" } ?? "Try \(help)"
  }

  /// The first example of the command's help.
  private var example: Substring? {
    command.configuration.discussion.split(separator: "\n")
      .drop { !$0.hasPrefix("EXAMPLE") }.dropFirst().first?
      .drop { $0 == " " }
  }
}
