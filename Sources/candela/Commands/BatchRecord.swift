// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Settings

/// The record of what made an output of a batch: a line of JSON in a hidden file of the folder that
/// was named for the outputs, the newest last.
struct BatchRecord: Codable, Sendable {
  /// The output's path below the folder.
  let output: String
  /// Its bytes and the time of its last change.
  let outputVersion: [Int]
  /// The path of the source, from the root on.
  let source: String
  /// Its bytes and the time of its last change.
  let sourceVersion: [Int]
  /// The settings and options that decide about the output.
  let settings: JSONValue
  /// The status with which the work on it ended: 1 or 2 for losses; nil for none.
  let status: Int32?
  /// The program's version.
  let candela: String

  /// The path of a folder's records.
  static func path(in folder: String) -> String { "\(folder)/.candela-batch.jsonl" }

  /// Bytes and time of the last change of a file.
  static func version(of path: String) -> [Int] {
    Array(PosixPath.version(of: path).dropFirst(2))
  }
}
