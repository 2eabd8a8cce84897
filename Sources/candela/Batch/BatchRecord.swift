// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import Segments
internal import Settings

/// A record of how an output of a batch was made, or of why it was not made. Each record is a line
/// of JSON in a hidden file in the folder for the outputs. The newest record comes last.
struct BatchRecord: Codable, Sendable {
  /// The path of the output, relative to the folder.
  let output: String
  /// The output's length in bytes, and the time of its last change; empty if no output was made.
  let outputVersion: [Int]
  /// What else identifies the output; `nil` if no output was made, and in records that older
  /// versions of this program wrote.
  var outputMarks: FileMarks?
  /// The other files that were made with the output; `nil` if it is a single file.
  var others: [File]?
  /// The files that earlier runs made from the source with other options, and that the newest work
  /// did not make again; `nil` if there are none.
  var left: [File]?
  /// The absolute path of the source. Only links in the path of its folder are resolved. If the
  /// source itself is a link, the link stays the source even when it leads to another file.
  var source: String
  /// The source's length in bytes, and the time of its last change.
  let sourceVersion: [Int]
  /// What else identifies the source; `nil` in records of older versions.
  var sourceMarks: FileMarks?
  /// The settings and options that determine the output.
  var settings: JSONValue
  /// The exit status of the work: 1 or 2 if something was lost; 130 if the output is incomplete or
  /// its comparison was not finished; the status of the failure if no output was made. `nil` if
  /// nothing was lost.
  let status: Int32?
  /// The dynamic range of the source, if it was left out because another range was wanted;
  /// otherwise `nil`.
  var leftOut: DynamicRange?
  /// Other options that a failure may depend on; `nil` if an output was made.
  var conditions: [String]?
  /// How much time and space the work took; `nil` if nothing was encoded.
  var cost: WorkCost?
  /// The version of this program that wrote the record.
  let candela: String

  /// A file in the folder for the outputs.
  struct File: Codable, Sendable {
    /// The path, relative to the folder.
    let path: String
    /// The length in bytes, and the time of the last change.
    let version: [Int]
    let marks: FileMarks

    /// Takes the present state of a file.
    ///
    /// - Parameter path: its path, relative to the folder.
    init(_ path: String, in folder: BatchFolder) {
      self.path = path
      (version, marks) = BatchRecord.facts(of: PosixPath.joined(folder.path, path))
    }

    /// Returns whether the file is there and has not changed.
    func isUnchanged(in folder: BatchFolder) -> Bool {
      let path = PosixPath.joined(folder.path, path)
      return PosixPath.kind(of: path) == .file && version == BatchRecord.version(of: path)
        && marks.fit(path)
    }

    /// Returns whether there is nothing in the file's place.
    func isGone(from folder: BatchFolder) -> Bool {
      PosixPath.isGone(PosixPath.joined(folder.path, path))
    }
  }

  /// The name of the file with a folder's records.
  static let fileName = ".candela-batch.jsonl"

  /// The largest size of a folder's records, in bytes. It is enough for about a hundred thousand
  /// records.
  static let largestFile = 256 << 20

  /// Returns a file's length and the time of its last change.
  static func version(of path: String) -> [Int] {
    // Leave out device and inode, which change when a disk is mounted elsewhere or a backup is
    // restored.
    Array(PosixPath.version(of: path).dropFirst(2))
  }

  /// Returns what identifies the present state of a file: its version and its marks.
  static func facts(of path: String) -> (version: [Int], marks: FileMarks) {
    (version(of: path), FileMarks(of: path))
  }

  /// Returns a value as JSON, in the form that lines of the file have; `nil` if it cannot be
  /// encoded.
  static func line(of value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init)
  }

  /// Whether an output was made. Otherwise the record says why there is none.
  var isMade: Bool {
    leftOut == nil && status.flatMap(ExitStatus.init(rawValue:))?.isFailure != true
  }

  /// Returns the path of a source in the form that records have.
  static func source(_ path: String) -> String {
    let folder = PosixPath.directory(of: path)
    return PosixPath.joined(PosixPath.resolved(folder) ?? folder, PosixPath.name(of: path))
  }

  /// Returns whether a path is that of the source, whatever file is there now.
  func isFrom(_ path: String) -> Bool {
    // Records of older versions name the file behind a link.
    source.utf8.elementsEqual(Self.source(path).utf8)
      || PosixPath.isLink(path) && source == PosixPath.resolved(path)
  }

  /// Returns whether the source is gone and a path is in the same folder. The file at that path
  /// then counts as the source under a new name.
  func isReplaced(by path: String) -> Bool {
    let folders = [source, Self.source(path)].map { Array(PosixPath.directory(of: $0).utf8) }
    return folders[0] == folders[1] && PosixPath.isGone(source)
  }

  /// Returns whether a file is the source and has not changed.
  func isOfSource(_ path: String) -> Bool {
    sourceVersion == Self.version(of: path) && sourceMarks?.fit(path) ?? true
  }

  /// Returns whether a file is the output and has not changed.
  func isOfOutput(_ path: String) -> Bool {
    isMade && outputVersion == Self.version(of: path) && outputMarks?.fit(path) ?? true
  }
}

/// How much time and space the work on a file took.
struct WorkCost: Codable, Hashable, Sendable {
  /// The time in seconds, divided by the number of files that were worked on at once.
  let seconds: Double
  /// How many pixels were encoded, in all frames. If the planner measured the time of a copy, the
  /// length of that copy in bytes.
  let pixels: Double
  /// The length of the output, in bytes; `nil` if unknown. Records do not store it here but in
  /// ``BatchRecord/outputVersion``.
  var bytes: Double?
  /// The processor of the machine that did the work, and how many cores it has; `nil` in records of
  /// older versions. Machines of different speed may share a folder.
  var machine: String?

  /// This machine.
  static let thisMachine: String = {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    // For ARM's processors, this file has a number instead of a name.
    let model =
      text.split(separator: "\n").first {
        $0.hasPrefix("model name") || $0.hasPrefix("CPU part")
      }?.split(separator: ":").last ?? " unknown"
    return "\(ProcessInfo.processInfo.activeProcessorCount) ×\(model)"
  }()
}

/// Marks that distinguish a file from others with the same length and time of change.
struct FileMarks: Codable, Hashable, Sendable {
  /// The inode, and the time when anything about the file last changed.
  let changes: [Int]
  /// A digest of parts of the file's content.
  let digest: String?

  /// Takes the marks of a file in its present state.
  init(of path: String) {
    (changes, digest) = (PosixPath.changes(of: path), InputFacts.digest(of: path))
  }

  /// Returns whether a file has these marks.
  func fit(_ path: String) -> Bool {
    // Moving a file, restoring it from a backup or changing its permissions alters `changes`, but
    // not the content. Reading the content takes longer, so do it only if `changes` differ.
    changes == PosixPath.changes(of: path) || digest == InputFacts.digest(of: path)
  }

  /// Returns whether a copy has replaced the file since its marks were taken.
  func areOlder(than path: String) -> Bool {
    let now = PosixPath.changes(of: path)
    // Some network file systems report another inode each time. Backups and changes of permissions
    // change the time. Only a copy changes both the inode and the time.
    return changes.first != now.first
      && changes.dropFirst().lexicographicallyPrecedes(now.dropFirst())
  }
}
