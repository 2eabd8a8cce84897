// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import FoundationEssentials
internal import Glibc
internal import Segments
internal import Settings

/// Records of what made the outputs of batches: a line of JSON for each, in a hidden file of their
/// folder, the newest last.
struct BatchRecords: Sendable {
  /// Knowledge of an output.
  enum State: Sendable {
    /// Nothing is there.
    case missing
    /// It is of this source, by these settings.
    case same
    /// It is of an earlier state of its source, or by other settings.
    case outdated
    /// Nothing tells what made it, or somebody changed it since.
    case unknown
  }

  /// The record of an output.
  private struct Record: Codable {
    /// The output's path below the folder.
    let output: String
    /// Its bytes and the time of its last change.
    let outputVersion: [Int]
    /// The path of the source.
    let source: String
    /// Its bytes and the time of its last change.
    let sourceVersion: [Int]
    /// The settings and options that decide about the output.
    let settings: JSONValue
    /// The program's version.
    let candela: String
  }

  private let folder: String
  private let settings: JSONValue
  private let records: [String: Record]

  private var path: String { "\(folder)/.candela-batch.jsonl" }

  /// Reads the records of a folder.
  ///
  /// - Parameters:
  ///   - settings: the settings of this run, in the form of a preset.
  ///   - options: options beside them that change outputs; empty where they are not set.
  init(of folder: String, settings: JSONValue, options: [String]) {
    self.folder = folder
    var settings = settings
    // What a preset says for people makes no other output.
    for key in ["$schema", "name", "description"] { settings[[key]] = nil }
    self.settings = ["settings": settings, "options": .array(options.map { .string($0) })]
    let text = OpenFile.bytes(of: "\(folder)/.candela-batch.jsonl") ?? []
    let lines = text.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Record.self, from: Data($0))
    }
    records = Dictionary(lines.map { ($0.output, $0) }, uniquingKeysWith: { $1 })
  }

  /// The knowledge of the output of a pair.
  func state(of pair: BatchFiles.Pair) -> State {
    guard PosixPath.kind(of: pair.output) == .file else { return .missing }
    guard let record = records[name(of: pair)],
      record.outputVersion == Self.version(of: pair.output)
    else { return .unknown }
    let isSame =
      record.sourceVersion == Self.version(of: pair.input) && record.settings == settings
    return isSame ? .same : .outdated
  }

  /// Adds the record of an output that was made now.
  ///
  /// - Returns: false, with `errno`, where it cannot be written.
  func add(_ pair: BatchFiles.Pair) -> Bool {
    let record = Record(
      output: name(of: pair), outputVersion: Self.version(of: pair.output), source: pair.input,
      sourceVersion: Self.version(of: pair.input), settings: settings,
      candela: SoftwareFacts.version)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else { return false }
    let descriptor = PosixPath.open(path, O_WRONLY | O_APPEND | O_CREAT)
    guard descriptor >= 0 else { return false }
    let file = OpenFile(closing: descriptor)
    return SystemCall.write(Array(data) + [UInt8(ascii: "\n")], to: file.descriptor) == 0
  }

  private func name(of pair: BatchFiles.Pair) -> String {
    pair.output.hasPrefix("\(folder)/")
      ? String(pair.output.dropFirst(folder.count + 1)) : pair.output
  }

  /// Bytes and time of the last change of a file.
  private static func version(of path: String) -> [Int] {
    Array(PosixPath.version(of: path).dropFirst(2))
  }
}
