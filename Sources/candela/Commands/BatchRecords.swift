// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import FoundationEssentials
internal import Glibc
internal import Segments
internal import Settings

/// Records of what makes the outputs of a batch.
struct BatchRecords: Sendable {
  /// Knowledge of an output.
  enum State: Hashable, Sendable {
    /// Nothing is there.
    case missing
    /// It is of this source, by these settings; status 1 or 2 for losses.
    case same(status: Int32)
    /// It is of an earlier state of its source, or by other settings.
    case outdated
    /// It is of another source, at this path.
    case ofOther(String)
    /// Nothing tells what made it, or somebody changed it since.
    case unknown
  }

  private let folder: String
  private let settings: JSONValue

  /// - Parameters:
  ///   - folder: the folder of the outputs.
  ///   - settings: the settings of this run, in the form of a preset.
  ///   - options: options beside them that change outputs; empty where they are not set.
  init(of folder: String, settings: JSONValue, options: [String]) {
    self.folder = folder
    var settings = settings
    // What a preset says for people makes no other output.
    for key in ["$schema", "name", "description"] { settings[[key]] = nil }
    self.settings = ["settings": settings, "options": .array(options.map { .string($0) })]
  }

  /// The knowledge of the output of a pair.
  func state(of pair: BatchFiles.Pair, _ history: BatchHistory) -> State {
    guard PosixPath.kind(of: pair.output) == .file else { return .missing }
    guard let record = history.record(of: pair.output) else { return .unknown }
    let isUnchanged = record.sourceVersion == BatchRecord.version(of: pair.input)
    let isHere = record.source.utf8.elementsEqual(Self.source(of: pair).utf8)
    // A source that was moved is what it was.
    let isMoved = isUnchanged && PosixPath.kind(of: record.source) == .nothing
    guard isHere || isMoved else { return .ofOther(record.source) }
    return isUnchanged && record.settings == settings
      ? .same(status: record.status ?? 0) : .outdated
  }

  /// Refuses what would replace outputs of other sources.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  static func check(_ states: [(BatchFiles.Pair, State)]) throws {
    for case (let pair, .ofOther(let other)) in states {
      throw TranscodingError(
        .invalidSettings,
        "\(pair.output) was made of \(other), not of \(pair.input): give other names by --name, "
          + "or use --existing replace to replace it")
    }
  }

  /// Adds the record of an output that was made now, with the status of the work on it.
  ///
  /// - Returns: false, with `errno`, where it cannot be written.
  func add(_ pair: BatchFiles.Pair, _ status: ExitStatus) -> Bool {
    let record = BatchRecord(
      output: String(pair.output.utf8.dropFirst(folder.utf8.count + 1)) ?? pair.output,
      outputVersion: BatchRecord.version(of: pair.output), source: Self.source(of: pair),
      sourceVersion: BatchRecord.version(of: pair.input), settings: settings,
      status: status == .done ? nil : status.rawValue, candela: SoftwareFacts.version)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else { return false }
    let descriptor = PosixPath.open(
      BatchRecord.path(in: folder), O_WRONLY | O_APPEND | O_CREAT)
    guard descriptor >= 0 else { return false }
    let file = OpenFile(closing: descriptor)
    return SystemCall.write(Array(data) + [UInt8(ascii: "\n")], to: file.descriptor) == 0
  }

  private static func source(of pair: BatchFiles.Pair) -> String {
    PosixPath.resolved(pair.input) ?? pair.input
  }
}
