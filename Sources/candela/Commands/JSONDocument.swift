// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Segments
internal import Settings

/// The program's commands, in the order of its help.
enum CommandList {
  static let all: [any ParsableCommand.Type] = [
    TranscodeCommand.self, CutCommand.self, StillCommand.self, PlanCommand.self,
    InspectCommand.self, ValidateCommand.self, CompareCommand.self, RetagCommand.self,
    MetadataCommand.self, RPUCommand.self, SegmentsCommand.self, PresetsCommand.self,
    SchemaCommand.self, SampleCommand.self,
  ]

  /// Returns the command that a name of one or several words stands for.
  static func command(named name: String) -> (any ParsableCommand.Type)? {
    var group = all
    var command: (any ParsableCommand.Type)?
    for word in name.split(separator: " ") {
      command = group.first { $0._commandName == word }
      group = command?.configuration.subcommands ?? []
    }
    return command
  }
}

/// A kind of JSON that the program prints, stores or reads.
struct JSONDocument: Sendable {
  /// The command that prints it, without the program's name; another word if no command prints it.
  let name: String
  let meaning: String
  /// Returns the JSON Schema.
  let schema: @Sendable () throws -> String

  /// - Parameter hasVersion: whether the JSON has the key `version` besides the keys of the schema.
  private init(_ name: String, _ schema: JSONSchema, hasVersion: Bool = true) {
    (self.name, meaning) = (name, schema.meaning)
    self.schema = {
      try Console.text(
        Text(title: "candela: \(name)", schema: hasVersion ? schema.versioned : schema))
    }
  }

  private init(_ name: String, _ meaning: String, _ text: @escaping @Sendable () -> String) {
    (self.name, self.meaning) = (name, meaning)
    schema = text
  }

  /// All kinds: those of commands in the order of the help, then the others.
  static let all = commands(in: CommandList.all, []) + others

  /// Returns the document with a name. A command's name alone stands for its default subcommand, as
  /// it does on the command line.
  static func named(_ name: String) -> JSONDocument? {
    let full = CommandList.command(named: name)?.configuration.defaultSubcommand.map {
      "\(name) \($0._commandName)"
    }
    return all.first { $0.name == name } ?? all.first { $0.name == full }
  }

  private static let others = [
    JSONDocument("version", SoftwareFacts.Versions.schema),
    JSONDocument("report", SessionDocument.schema),
    JSONDocument("progress", RunMessages.schema),
    JSONDocument("failure", RunMessages.failureSchema),
    JSONDocument("job", SegmentJob.schema, hasVersion: false),
    JSONDocument("preset", "A preset; text editors use this to complete and check it.") {
      PresetKey.presetSchema
    },
  ]

  private static func commands(
    in group: [any ParsableCommand.Type], _ words: [String]
  ) -> [JSONDocument] {
    group.flatMap { command in
      let words = words + [command._commandName]
      let own = (command as? any ReportingCommand.Type).map {
        [JSONDocument(words.joined(separator: " "), $0.schema)]
      }
      return (own ?? []) + commands(in: command.configuration.subcommands, words)
    }
  }

  /// A schema with `$schema` and `title`, which belong at the top level of a document.
  private struct Text: Encodable {
    let title: String
    let schema: JSONSchema

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: JSONKey.self)
      try container.encode("https://json-schema.org/draft/2020-12/schema", forKey: "$schema")
      try container.encode(title, forKey: "title")
      try schema.encode(to: encoder)
    }
  }
}

extension JSONSchema {
  /// This schema with the key `version` added.
  fileprivate var versioned: JSONSchema {
    let version = JSONProperty(
      "version", "The version of the keys.", JSONSchema(.constant(Console.version)))
    // A schema that allows any key already allows `version`.
    if case .dictionary = form { return self }
    return with([version])
  }
}
