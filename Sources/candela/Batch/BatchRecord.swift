// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import Segments
internal import Settings

/// The record of what made an output of a batch: a line of JSON in a hidden file of the folder that
/// was named for the outputs, the newest last.
struct BatchRecord: Codable, Sendable {
  /// The output's path below the folder.
  let output: String
  /// Its bytes and the time of its last change.
  let outputVersion: [Int]
  /// Its other marks; nil in records of older versions.
  let outputMarks: FileMarks?
  /// The path of the source, from the root on.
  let source: String
  /// Its bytes and the time of its last change.
  let sourceVersion: [Int]
  /// Its other marks; nil in records of older versions.
  let sourceMarks: FileMarks?
  /// The settings and options that decide about the output.
  let settings: JSONValue
  /// The status with which the work on it ended: 1 or 2 for losses; nil for none.
  let status: Int32?
  /// The program's version.
  let candela: String

  /// The name of a folder's records.
  static let fileName = ".candela-batch.jsonl"

  /// The most bytes of a folder's records: about a hundred thousand of them.
  static let largestFile = 256 << 20

  /// Bytes and time of the last change of a file.
  static func version(of path: String) -> [Int] {
    Array(PosixPath.version(of: path).dropFirst(2))
  }

  /// Facts by which a file is known as it is now: its version, and its other marks.
  static func facts(of path: String) -> (version: [Int], marks: FileMarks) {
    (version(of: path), FileMarks(of: path))
  }

  /// True if a file is the source as it was.
  func isOfSource(_ path: String) -> Bool {
    sourceVersion == Self.version(of: path) && sourceMarks?.fit(path) ?? true
  }

  /// True if a file is the output as it was made.
  func isOfOutput(_ path: String) -> Bool {
    outputVersion == Self.version(of: path) && outputMarks?.fit(path) ?? true
  }
}

/// Marks of a file by which it is known again where its size and time are the same.
struct FileMarks: Codable, Hashable, Sendable {
  /// The inode, and the time of the last change of anything about the file.
  let changes: [Int]
  /// Digest of parts of its content.
  let digest: String?

  /// The marks of a file as it is now.
  init(of path: String) {
    (changes, digest) = (PosixPath.changes(of: path), InputFacts.digest(of: path))
  }

  /// True if a file has these marks. One that was moved, restored from a backup, or has got other
  /// permissions has other numbers: its content decides then.
  func fit(_ path: String) -> Bool {
    changes == PosixPath.changes(of: path) || digest == InputFacts.digest(of: path)
  }
}
