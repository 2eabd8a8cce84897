// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Settings
internal import Synchronization

/// Prints what a command says about many files: for each, what it would say about that file alone.
///
/// Each result is printed as soon as the results of all earlier files are. So two runs print the
/// same, no matter which file ends first, and results do not all wait for the end.
final class FileResults: Sendable {
  /// What a command printed about a file, with the status of the work. The status is `nil` if the
  /// file was skipped, or if its work did not end.
  private typealias Ended = (texts: [String], status: ExitStatus?)

  private struct State {
    /// The results that wait for those of earlier files.
    var waiting: [BatchFiles.Pair: Ended] = [:]
    /// How many bytes of text these results have.
    var waitingSize = 0
    /// How many files' results have had their turn to be printed.
    var printedCount = 0
    var hasPrinted = false
    var isFinished = false
    /// The error after which nothing more is printed.
    var failure: (any Error)?
  }

  private let pairs: [BatchFiles.Pair]
  /// Returns a file's result as an object of the JSON document; `nil` if text is printed.
  private let entry: (@Sendable (BatchFiles.Pair, [String], ExitStatus) throws -> String)?
  private let state = Mutex(State())

  /// If more bytes of results than this are waiting, no further file should begin.
  private static let room = 16 << 20

  /// - Parameters:
  ///   - files: the files that are worked on, in the order of their results.
  ///   - entry: returns a file's result as an object of the JSON document; `nil` to print text.
  init(
    of files: [BatchRecords.Known],
    entry: (@Sendable (BatchFiles.Pair, [String], ExitStatus) throws -> String)?
  ) {
    pairs = files.filter(\.state.isWorked).map(\.pair)
    self.entry = entry
  }

  /// Whether so many results wait for an earlier file that no further file should begin.
  var isFull: Bool { state.withLock { $0.waitingSize > Self.room } }

  /// Takes what a command printed about a file.
  ///
  /// - Parameter status: the status of the work; `nil` if the file was skipped.
  func add(_ texts: [String], of pair: BatchFiles.Pair, _ status: ExitStatus?) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.waiting[pair] = (texts, status)
      state.waitingSize += Self.size(of: texts)
      printNext(&state)
    }
  }

  private static func size(of texts: [String]) -> Int { texts.reduce(0) { $0 + $1.utf8.count } }

  /// Prints the results whose turn has come.
  private func printNext(_ state: inout State) {
    while state.printedCount < pairs.count {
      let pair = pairs[state.printedCount]
      guard let next = state.waiting.removeValue(forKey: pair) else { return }
      state.printedCount += 1
      state.waitingSize -= Self.size(of: next.texts)
      guard state.failure == nil else { continue }
      do {
        try print(next, of: pair, &state)
      } catch {
        state.failure = error
      }
    }
  }

  private func print(_ ended: Ended, of pair: BatchFiles.Pair, _ state: inout State) throws {
    guard let entry else {
      // A blank line separates reports of several lines.
      let isLong = ended.texts.contains { $0.contains("\n") }
      if isLong, state.hasPrinted { try Console.printLine("") }
      for text in ended.texts { try Console.printLine(text) }
      state.hasPrinted = state.hasPrinted || !ended.texts.isEmpty
      return
    }
    guard let status = ended.status else { return }
    let object = try entry(pair, ended.texts, status)
    try Console.write((state.hasPrinted ? ",\n" : Self.start) + Self.indented(object, by: 4))
    state.hasPrinted = true
  }

  /// The beginning of the JSON document, up to the first file.
  private static let start = """
    {
      "version" : \(Console.version),
      "files" : [

    """

  /// Returns JSON with spaces before each line. Line breaks in values have escapes.
  private static func indented(_ json: String, by count: Int) -> String {
    let space = String(repeating: " ", count: count)
    return space + json.replacing("\n", with: "\n" + space)
  }

  /// Prints the results that were waiting for an interrupted file and, if the results are JSON,
  /// what became of all files.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if something could not be printed.
  func finish(_ summary: BatchSummary) throws {
    let failure: (any Error)? = state.withLock { state in
      guard !state.isFinished else { return nil }
      for pair in pairs.dropFirst(state.printedCount) where state.waiting[pair] == nil {
        state.waiting[pair] = ([], nil)
      }
      printNext(&state)
      state.isFinished = true
      guard entry != nil, state.failure == nil else { return state.failure }
      do {
        let object = Self.indented(try Console.text(summary), by: 2).drop { $0 == " " }
        try Console.write(
          (state.hasPrinted ? "" : Self.start) + "\n  ],\n  \"summary\" : \(object)\n}\n")
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}

/// What a command reports about one of many files.
struct FileReport<Result: JSONDescribed>: JSONObject {
  let input: String
  let output: String?
  let status: Int32
  /// The result, as another process of this program has printed it.
  let result: JSONValue?

  /// - Parameter texts: what a command for this file alone would print.
  init(_ pair: BatchFiles.Pair, _ texts: [String], _ status: ExitStatus) {
    (input, output) = (pair.input, pair.output.isEmpty ? nil : pair.output)
    (self.status, result) = (status.rawValue, texts.last.flatMap(Self.object))
  }

  /// Returns the JSON object in a text; `nil` if the text is not JSON.
  private static func object(_ text: String) -> JSONValue? {
    guard
      case .object(var members)? = try? JSONDecoder().decode(
        JSONValue.self, from: Data(text.utf8))
    else { return nil }
    // The document as a whole states the version of its keys, so its parts do not.
    members["version"] = nil
    return .object(members)
  }

  static var fields: [JSONField<FileReport>] {
    [
      .init("input", "The path of the file that was read.") { $0.input },
      .init("output", "The path of the file that was written; absent if none was.") {
        $0.output
      },
      .init("status", "The exit status that a command for this file alone would have.") {
        $0.status
      },
      .init("result", "The result for this file; absent if there is none.", Result.schema) {
        $0.result
      },
    ]
  }
}
