// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

/// The outputs that batches made in a folder, by their sources.
struct BatchOutputs {
  private let folder: BatchFolder
  private let history = BatchHistory()
  private let paths: [[UInt8]: String]

  init(in folder: String) {
    self.folder = BatchFolder(folder)
    let made = history.records(of: self.folder).map {
      (Array($0.source.utf8), PosixPath.joined(folder, $0.output))
    }
    paths = Dictionary(
      made.filter { PosixPath.kind(of: $0.1) == .file }, uniquingKeysWith: { min($0, $1) })
  }

  /// Returns a file with the output that was made from it. Without a record, that is the output
  /// with the expected name, in any container.
  ///
  /// - Returns: `nil` if there is no output because a run left the file out.
  func made(_ pair: BatchFiles.Pair) -> BatchFiles.Pair? {
    let sources = [BatchRecord.source(pair.input), PosixPath.resolved(pair.input) ?? pair.input]
    if let output = sources.lazy.compactMap({ paths[Array($0.utf8)] }).first {
      return BatchFiles.Pair(input: pair.input, output: output)
    }
    let place = PosixPath.directory(of: pair.output)
    let name = BatchNames.split(PosixPath.name(of: pair.output)).name
    let candidates = FileType.all.map { PosixPath.joined(place, "\(name).\($0.rawValue)") }
    let output = candidates.first { PosixPath.kind(of: $0) == .file }
    let last = candidates.lazy.compactMap { history.last(of: $0, in: folder) }.first
    if output == nil, last?.leftOut != nil { return nil }
    return BatchFiles.Pair(input: pair.input, output: output ?? pair.output)
  }
}
