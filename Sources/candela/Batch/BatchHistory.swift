// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host

/// Looks up the records of files, in every folder above a file.
final class BatchHistory {
  /// What is known about a file.
  enum Finding {
    case nothing
    /// A batch made it, but somebody has changed it since.
    case changed
    /// A batch made it, as this record says.
    case made(BatchRecord)
  }

  /// The records by folder and by the bytes of their outputs' paths.
  private var folders: [[UInt8]: [[UInt8]: BatchRecord]] = [:]
  /// Files with records that are not trusted, and why.
  private(set) var refused: [(path: String, reason: FileRefusal)] = []

  /// Returns the record of a file; `nil` if no batch made it or somebody changed it since.
  func record(of path: String) -> BatchRecord? {
    if case .made(let record) = finding(of: path) { record } else { nil }
  }

  /// Returns what is known about a file.
  func finding(of path: String) -> Finding {
    guard let whole = PosixPath.resolved(path) else { return .nothing }
    // A folder of outputs may be a link to another place, so look along both paths.
    let records = records(of: whole) + records(of: path)
    if let record = records.first(where: { $0.isOfOutput(whole) }) { return .made(record) }
    return records.isEmpty ? .nothing : .changed
  }

  /// Returns the newest record of each output in a folder.
  func records(of folder: BatchFolder) -> [BatchRecord] { Array(records(in: folder.path).values) }

  /// Returns the newest record of an output, which need not exist; `nil` if there is none.
  func newest(of output: String) -> BatchRecord? { records(of: output).first }

  /// Returns the newest record of a path from each folder above it.
  private func records(of path: String) -> [BatchRecord] {
    var found: [BatchRecord] = []
    var folder = path
    while folder != "/", PosixPath.lastSlash(in: folder) != nil {
      folder = PosixPath.directory(of: folder)
      let place = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
      if let record = records(in: folder)[Array(place)] { found.append(record) }
    }
    return found
  }

  private func records(in folder: String) -> [[UInt8]: BatchRecord] {
    let key = Array(folder.utf8)
    if let known = folders[key] { return known }
    // A line that a crash cut off is no record, but the other lines stay valid.
    let lines = content(of: folder).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(BatchRecord.self, from: Data($0))
    }
    // If an output has several lines, the last is the newest, and it counts.
    let records = Dictionary(
      lines.map { (Array($0.output.utf8), $0) }, uniquingKeysWith: { $1 })
    folders[key] = records
    return records
  }

  /// Returns the bytes of a folder's records.
  private func content(of folder: String) -> [UInt8] {
    let path = PosixPath.joined(PosixPath.resolved(folder) ?? folder, BatchRecord.fileName)
    do {
      // Records decide what is skipped or replaced, so trust only a plain file of this user or
      // root.
      return try OpenFile.ownBytes(of: path, upTo: BatchRecord.largestFile)
    } catch .system {
      return []
    } catch {
      if !refused.contains(where: { $0.path == path }) { refused.append((path, error)) }
      return []
    }
  }
}
