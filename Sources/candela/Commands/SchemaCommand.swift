// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Settings

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON schema of what a command prints with --json.",
    discussion: """
      The schema says what each value means and which unit it has. Without a name, the command \
      lists all schemas. A command with a default subcommand, such as presets, needs only its own \
      name.

      EXAMPLES:
        candela schema plan
        candela schema rpu show
        candela schema preset > preset.schema.json
      """)

  @Argument(
    help: ArgumentHelp(
      "A command, or one of preset, job, report, progress, failure and version.",
      valueName: "command"),
    completion: .schemas)
  var words: [String] = []

  func run() throws {
    let documents = JSONDocument.all
    guard !words.isEmpty else {
      let width = documents.map(\.name.count).max() ?? 0
      for document in documents {
        let gap = String(repeating: " ", count: width + 2 - document.name.count)
        try Console.printLine(document.name + gap + document.meaning)
      }
      return
    }
    let name = words.joined(separator: " ")
    guard let document = JSONDocument.named(name) else {
      throw TranscodingError(
        .invalidSettings,
        "there is no schema of '\(name)': \(documents.map(\.name).hint(for: name))")
    }
    try Console.printLine(document.schema())
  }
}

extension CompletionKind {
  /// The names of schemas. A name of two words is completed word by word.
  static let schemas = CompletionKind.custom { words, index, _ in
    let typed = words.prefix(index).drop { $0 != "schema" }.dropFirst()
    let next = JSONDocument.all.map { $0.name.split(separator: " ").map(String.init) }
      .filter { $0.count > typed.count && $0.starts(with: typed) }
      .map { $0[typed.count] }
    return Set(next).sorted()
  }
}
