// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import MediaCore
internal import Settings

/// Looks up the records of files. A file's records can be in any folder above it.
final class BatchHistory {
  /// `made` is the newest record that says that the output was made. `last` is the newest of all
  /// records of the output, which may be about a failure.
  private typealias Records = (made: BatchRecord?, last: BatchRecord?)

  /// The name of the only file whose records are wanted, as the JSON of a record spells it, with
  /// the closing quotation mark; `nil` if the records of all files are wanted.
  private let name: ArraySlice<UInt8>?
  /// The records by folder and by the bytes of their outputs' paths.
  private var folders: [[UInt8]: [[UInt8]: Records]] = [:]
  /// What kept paths from being read, by folder and by the bytes of the paths.
  private var unreadable: [[UInt8]: [[UInt8]: String]] = [:]
  /// For each path of a folder, as bytes: the path of the same folder without links.
  private var places: [[UInt8]: String] = [:]
  /// Files with records that are not trusted, and why.
  private(set) var refused: [(path: String, reason: FileRefusal)] = []

  init() { name = nil }

  /// Looks up one file only, which is faster.
  init(of path: String) { name = BatchRecord.line(of: PosixPath.name(of: path))?.dropFirst() }

  /// Returns the record of a file; `nil` if no batch made it, or if somebody has changed it since
  /// then.
  func record(of path: String) -> BatchRecord? {
    guard let whole = PosixPath.resolved(path) else { return nil }
    return records(of: whole, and: path).first { $0.isOfOutput(whole) }
  }

  /// Returns whether a batch made a file, even if somebody has changed it since then.
  func hasRecords(of path: String) -> Bool {
    PosixPath.resolved(path).map { !records(of: $0, and: path).isEmpty } ?? false
  }

  private func records(of whole: String, and path: String) -> [BatchRecord] {
    // A folder of outputs may be a link to another place, so look along both paths.
    records(of: whole) + records(of: path)
  }

  /// Returns the record of each output in a folder.
  func records(of folder: BatchFolder) -> [BatchRecord] {
    records(in: folder.path).values.compactMap(\.made)
  }

  /// Returns the newest record about an output, even if the work failed and the output does not
  /// exist; `nil` if there is no record.
  func last(of output: String, in folder: BatchFolder) -> BatchRecord? {
    records(in: folder.path)[Array(output.utf8.dropFirst(folder.path.utf8.count + 1))]?.last
  }

  /// Returns the newest record that says that an output was made; `nil` if there is none.
  func made(_ output: String, in folder: BatchFolder) -> BatchRecord? {
    records(in: folder.path)[Array(output.utf8.dropFirst(folder.path.utf8.count + 1))]?.made
  }

  /// Returns the paths that could not be read when a run last looked, as bytes, each with its
  /// cause.
  func unreadable(in folder: BatchFolder) -> [[UInt8]: String] {
    _ = records(in: folder.path)
    return places[Array(folder.path.utf8)].flatMap { unreadable[Array($0.utf8)] } ?? [:]
  }

  /// Looks in each folder above a path for the newest record that says that a batch made the file.
  private func records(of path: String) -> [BatchRecord] {
    var found: [BatchRecord] = []
    var folder = path
    while folder != "/", PosixPath.lastSlash(in: folder) != nil {
      folder = PosixPath.directory(of: folder)
      let place = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
      if let record = records(in: folder)[Array(place)]?.made { found.append(record) }
    }
    return found
  }

  private func records(in folder: String) -> [[UInt8]: Records] {
    let key = Array(folder.utf8)
    let place = places[key] ?? PosixPath.resolved(folder) ?? folder
    places[key] = place
    if let known = folders[Array(place.utf8)] { return known }
    // If an output has several lines, the last is the newest. A line that says that no output was
    // made does not replace the line of an output that an earlier run made.
    var records: [[UInt8]: Records] = [:]
    let lines = content(of: place).split(separator: UInt8(ascii: "\n"))
    for line in lines where line.starts(with: UnreadableRecord.start) {
      guard
        let record = try? JSONDecoder().decode(
          [String: UnreadableRecord].self, from: Data(line))[UnreadableRecord.key]
      else { continue }
      unreadable[Array(place.utf8), default: [:]][Array(record.path.utf8)] = record.cause
    }
    for record in read(lines) {
      let output = Array(record.output.utf8)
      records[output, default: (nil, nil)].last = record
      if record.isMade { records[output]?.made = record }
    }
    folders[Array(place.utf8)] = records
    return records
  }

  /// Reads the records in the lines of a file.
  private func read(_ lines: [ArraySlice<UInt8>]) -> [BatchRecord] {
    // Settings take longer to decode than the rest of a record, and nearly all records have the
    // same settings. So decode them only if they differ from those of the line before.
    var (settings, text) = (JSONValue.null, Array("\n".utf8))
    return lines.compactMap { line in
      if let name, line.range(of: name) == nil { return nil }
      let known = line.range(of: text[...])
      let short = known.map { line[..<$0.lowerBound] + Self.noSettings + line[$0.upperBound...] }
      // A line that a crash cut off is no record, but the other lines stay valid.
      let data = Data(short ?? line)
      guard var record = try? JSONDecoder().decode(BatchRecord.self, from: data) else { return nil }
      if known == nil {
        settings = record.settings
        text = Self.settingsKey + (BatchRecord.line(of: settings) ?? [])
      }
      record.settings = settings
      return record
    }
  }

  private static let settingsKey = Array(#","settings":"#.utf8)
  private static let noSettings = settingsKey + Array(#""""#.utf8)

  /// Returns the bytes of a folder's records.
  private func content(of folder: String) -> [UInt8] {
    let path = PosixPath.joined(folder, BatchRecord.fileName)
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

extension ArraySlice<UInt8> {
  /// Returns the first range of these bytes that equals `bytes`; `nil` if there is none.
  fileprivate func range(of bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var start = startIndex
    while let place = self[start...].firstIndex(where: { $0 == bytes.first }) {
      let end = place + bytes.count
      guard end <= endIndex else { return nil }
      if self[place..<end].elementsEqual(bytes) { return place..<end }
      start = place + 1
    }
    return nil
  }
}

extension BatchHistory {
  /// Returns files, each with the output that a batch made from it in a folder. If no record names
  /// the output, looks for the expected name with the extension of any container.
  ///
  /// - Returns: the pairs, without the files that have no output because a run left them out.
  func outputs(of pairs: [BatchFiles.Pair], in folder: BatchFolder) -> [BatchFiles.Pair] {
    let made = records(of: folder).map {
      (Array($0.source.utf8), PosixPath.joined(folder.path, $0.output))
    }
    let paths = Dictionary(
      made.filter { PosixPath.kind(of: $0.1) == .file }, uniquingKeysWith: { min($0, $1) })
    return pairs.compactMap { pair in
      let sources = [BatchRecord.source(pair.input), PosixPath.resolved(pair.input) ?? pair.input]
      if let output = sources.lazy.compactMap({ paths[Array($0.utf8)] }).first {
        return BatchFiles.Pair(input: pair.input, output: output)
      }
      let place = PosixPath.directory(of: pair.output)
      let name = BatchNames.split(PosixPath.name(of: pair.output)).name
      let candidates = FileType.all.map { PosixPath.joined(place, "\(name).\($0.rawValue)") }
      let output = candidates.first { PosixPath.kind(of: $0) == .file }
      let last = candidates.lazy.compactMap { self.last(of: $0, in: folder) }.first
      if output == nil, last?.leftOut != nil { return nil }
      return BatchFiles.Pair(input: pair.input, output: output ?? pair.output)
    }
  }
}
