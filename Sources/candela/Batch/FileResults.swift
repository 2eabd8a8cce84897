// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Settings
internal import Synchronization

/// What a command says about many files: for each, what it would say about that file alone.
final class FileResults: Sendable {
  private struct State {
    var ended: [BatchFiles.Pair: (texts: [String], status: ExitStatus?)] = [:]
    /// How many files have had their turn.
    var printedCount = 0
    var hasPrinted = false
    /// The error that keeps anything more from being printed.
    var failure: (any Error)?
  }

  private let pairs: [BatchFiles.Pair]
  /// Whether the results are collected for a JSON document.
  private let isJSON: Bool
  private let state = Mutex(State())

  /// - Parameter files: the files that are worked on, in the order of their results.
  init(of files: [BatchRecords.Known], isJSON: Bool) {
    pairs = files.filter(\.state.isWorked).map(\.pair)
    self.isJSON = isJSON
  }

  /// Takes what a command printed about a file.
  ///
  /// - Parameter status: the status of the work; `nil` if the file was skipped.
  func add(_ texts: [String], of pair: BatchFiles.Pair, _ status: ExitStatus?) {
    state.withLock { state in
      state.ended[pair] = (texts, status)
      if !isJSON { printNext(&state) }
    }
  }

  /// Prints the results whose turn has come, so that two runs print the same, no matter which file
  /// ends first.
  private func printNext(_ state: inout State) {
    while state.printedCount < pairs.count, let next = state.ended[pairs[state.printedCount]] {
      state.printedCount += 1
      guard state.failure == nil else { continue }
      do {
        // A blank line separates reports of several lines.
        let isLong = next.texts.contains { $0.contains("\n") }
        if isLong, state.hasPrinted { try Console.printLine("") }
        for text in next.texts { try Console.printLine(text) }
        state.hasPrinted = state.hasPrinted || !next.texts.isEmpty
      } catch {
        state.failure = error
      }
    }
  }

  /// Prints the results that were waiting for a file that was interrupted.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if something could not be printed.
  func finish() throws {
    let failure = state.withLock { state in
      for pair in pairs where state.ended[pair] == nil { state.ended[pair] = ([], nil) }
      if !isJSON { printNext(&state) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Returns the results as JSON.
  func report<Result: JSONDescribed>(_ summary: BatchSummary) -> FileReports<Result> {
    let ended = state.withLock { $0.ended }
    let files = pairs.compactMap { pair in
      ended[pair].flatMap { texts, status in
        status.map { status in
          FileReports<Result>.File(
            input: pair.input, output: pair.output.isEmpty ? nil : pair.output,
            status: status.rawValue,
            result: texts.last.flatMap(StoredReport.init))
        }
      }
    }
    return FileReports(files: files, summary: summary)
  }
}

/// What a command reports about one file, or about many.
enum FileReport<Result: JSONDescribed>: JSONDescribed {
  case one(Result)
  case many(FileReports<Result>)

  static var schema: JSONSchema {
    JSONSchema(
      .anyOf([Result.schema, FileReports<Result>.schema]),
      "The result, or the results of many files.")
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .one(let result): try result.encode(to: encoder)
    case .many(let results): try results.encode(to: encoder)
    }
  }
}

/// What a command reports about many files.
struct FileReports<Result: JSONDescribed>: JSONObject {
  /// What the command reports about one of the files.
  struct File: JSONObject {
    let input: String
    let output: String?
    let status: Int32
    let result: StoredReport<Result>?

    static var fields: [JSONField<File>] {
      [
        .init("input", "The path of the file that was read.") { $0.input },
        .init("output", "The path of the file that was written; absent if none was.") {
          $0.output
        },
        .init("status", "The exit status that a command for this file alone would have.") {
          $0.status
        },
        .init("result", "The result for this file; absent if there is none.") { $0.result },
      ]
    }
  }

  let files: [File]
  let summary: BatchSummary

  static var meaning: String { "What was done with many files." }
  static var fields: [JSONField<FileReports>] {
    [
      .init("files", "The files that were worked on.") { $0.files },
      .init("summary", "What became of all files.") { $0.summary },
    ]
  }
}

/// A report that another process of this program made.
struct StoredReport<Result: JSONDescribed>: JSONDescribed {
  private let value: JSONValue

  static var schema: JSONSchema { Result.schema }

  /// - Returns: `nil` if the text is not JSON.
  init?(_ text: String) {
    guard
      case .object(var members)? = try? JSONDecoder().decode(
        JSONValue.self, from: Data(text.utf8))
    else { return nil }
    // The document as a whole states the version of its keys, so its parts do not.
    members["version"] = nil
    value = .object(members)
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
