// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host

/// Records of files, in whatever folder they are.
final class BatchHistory {
  /// Knowledge of a file.
  enum Finding {
    /// No batch made it.
    case nothing
    /// A batch made it, and somebody changed it since.
    case changed
    /// A batch made it.
    case made(BatchRecord)
  }

  /// The records by the bytes of their outputs' paths, of each folder that was asked for.
  private var folders: [[UInt8]: [[UInt8]: BatchRecord]] = [:]
  /// Records that are not believed, with the reasons.
  private(set) var refused: [(path: String, reason: FileRefusal)] = []

  /// The record of a file; nil where no batch made it, or somebody changed it since.
  func record(of path: String) -> BatchRecord? {
    if case .made(let record) = finding(of: path) { record } else { nil }
  }

  /// The knowledge of a file.
  func finding(of path: String) -> Finding {
    guard let whole = PosixPath.resolved(path) else { return .nothing }
    // Folders of outputs may be links to other places.
    let records = records(of: whole) + records(of: path)
    if let record = records.first(where: { $0.isOfOutput(whole) }) { return .made(record) }
    return records.isEmpty ? .nothing : .changed
  }

  /// The newest record of a path in each folder that it is below.
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
    let lines = content(of: folder).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(BatchRecord.self, from: Data($0))
    }
    let records = Dictionary(
      lines.map { (Array($0.output.utf8), $0) }, uniquingKeysWith: { $1 })
    folders[key] = records
    return records
  }

  /// The bytes of a folder's records: none where somebody else wrote them, or something else lies
  /// in their place.
  private func content(of folder: String) -> [UInt8] {
    let path = PosixPath.joined(PosixPath.resolved(folder) ?? folder, BatchRecord.fileName)
    do {
      return try OpenFile.ownBytes(of: path, upTo: BatchRecord.largestFile)
    } catch .system {
      return []
    } catch {
      if !refused.contains(where: { $0.path == path }) { refused.append((path, error)) }
      return []
    }
  }
}
