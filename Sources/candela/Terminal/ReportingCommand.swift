// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host

/// A command that prints its result as JSON if asked to. `candela schema` describes that JSON.
protocol ReportingCommand: CandelaCommand {
  associatedtype Report: JSONDescribed

  var reporting: ReportArguments { get }
}

extension ReportingCommand {
  static var schema: JSONSchema { Report.schema }

  /// Prints the result: as JSON to standard output if asked to, otherwise by calling `text`.
  func show(_ report: @autoclosure () -> Report, text: () throws -> Void = {}) throws {
    if reporting.json {
      try Console.printLine(Console.json(report()))
    } else {
      try text()
    }
  }
}

/// The flag of all commands that have a result to print.
struct ReportArguments: ParsableArguments, Sendable {
  @Flag(help: "Prints the result as JSON; 'candela schema' says what is in it.")
  var json = false
}

/// A file that a command wrote.
struct WrittenFile: JSONObject {
  let output: String
  var notices: [Notice] = []

  static let meaning = "A file that was written."
  static let fields: [JSONField<WrittenFile>] = [
    .init("output", "The path of the file that was written.") { $0.output },
    .init("size", "The size of the file, in bytes.", .count) { PosixPath.size(of: $0.output) },
    .init("notices", "Losses and assumptions.") { $0.notices },
  ]
}
