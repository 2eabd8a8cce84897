// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

/// The outputs that batches made in a folder, by their sources.
struct BatchOutputs {
  private let paths: [[UInt8]: String]

  init(in folder: String) {
    let records = BatchHistory().records(of: BatchFolder(folder))
    paths = Dictionary(
      records.map { (Array($0.source.utf8), PosixPath.joined(folder, $0.output)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns a file with the output that was made of it. Without a record, that is the output of
  /// its name, in any container.
  func made(_ pair: BatchFiles.Pair) -> BatchFiles.Pair {
    let source = PosixPath.resolved(pair.input) ?? pair.input
    if let output = paths[Array(source.utf8)] {
      return BatchFiles.Pair(input: pair.input, output: output)
    }
    let place = PosixPath.directory(of: pair.output)
    let name = BatchNames.split(PosixPath.name(of: pair.output)).name
    let candidates = FileType.all.map { PosixPath.joined(place, "\(name).\($0.rawValue)") }
    let output = candidates.first { PosixPath.kind(of: $0) == .file }
    return BatchFiles.Pair(input: pair.input, output: output ?? pair.output)
  }
}
