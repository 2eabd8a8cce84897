// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host

/// A command that decides its exit status, and prints its result as JSON if asked to.
protocol ReportingCommand: AsyncParsableCommand, Sendable {
  /// What the command prints with `--json`.
  associatedtype Report: JSONDescribed

  /// The schema of the result, for `candela schema`.
  static var schema: JSONSchema { get }

  var reporting: ReportArguments { get }

  /// Does the work and returns the status.
  func execute() async throws -> ExitStatus
}

extension ReportingCommand {
  static var schema: JSONSchema { Report.schema }

  /// Does the work and exits with its status. Only the parser calls this.
  func run() async throws {
    let status = try await execute()
    // For errors other than `ExitCode`, the parser would choose the status.
    if status != .done { throw ExitCode(status.rawValue) }
  }

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
