// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import FoundationEssentials

/// Records of files, in whatever folder they are.
final class BatchHistory {
  /// The records by the bytes of their outputs' paths, of each folder that was asked for.
  private var folders: [[UInt8]: [[UInt8]: BatchRecord]] = [:]

  /// The record of a file; nil where no batch made it, or somebody changed it since.
  func record(of path: String) -> BatchRecord? {
    guard let whole = PosixPath.resolved(path) else { return nil }
    let version = BatchRecord.version(of: whole)
    // Folders of outputs may be links to other places.
    return record(of: whole, version) ?? record(of: path, version)
  }

  private func record(of path: String, _ version: [Int]) -> BatchRecord? {
    var folder = path
    while folder != "/", PosixPath.lastSlash(in: folder) != nil {
      folder = PosixPath.directory(of: folder)
      let place = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
      if let record = records(in: folder)[Array(place)], record.outputVersion == version {
        return record
      }
    }
    return nil
  }

  private func records(in folder: String) -> [[UInt8]: BatchRecord] {
    let key = Array(folder.utf8)
    if let known = folders[key] { return known }
    let text = OpenFile.bytes(of: BatchRecord.path(in: folder)) ?? []
    let lines = text.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(BatchRecord.self, from: Data($0))
    }
    let records = Dictionary(
      lines.map { (Array($0.output.utf8), $0) }, uniquingKeysWith: { $1 })
    folders[key] = records
    return records
  }
}
