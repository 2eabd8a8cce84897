// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// Folders that were renamed, or mounted elsewhere, after outputs were made from the files in them.
///
/// Records name sources by absolute paths. If an unchanged source is now in another place, the
/// other files of its folder are there, too, even those that have changed.
struct BatchMoves {
  /// For each move, the components of the two paths, without those at the end that both have in
  /// common.
  private var moves: [(old: [ArraySlice<UInt8>], new: [ArraySlice<UInt8>])] = []

  /// Adds the move of a record's source, if the file is that source, unchanged, in another place.
  mutating func add(_ record: BatchRecord, of path: String) {
    guard !record.isFrom(path), PosixPath.isGone(record.source), record.isOfSource(path) else {
      return
    }
    var old = Self.components(of: record.source)
    var new = Self.components(of: BatchRecord.source(path))
    // A file that has another name now says nothing about its folder.
    guard old.last == new.last else { return }
    let common = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    old.removeLast(common)
    new.removeLast(common)
    // The files of a folder all moved in the same way.
    if !moves.contains(where: { $0 == (old, new) }) { moves.append((old, new)) }
  }

  /// Returns whether a file is a record's source, which may be in another place by now. Its content
  /// may have changed.
  func isSource(_ path: String, of record: BatchRecord) -> Bool {
    guard !record.isFrom(path) else { return true }
    guard !moves.isEmpty, PosixPath.isGone(record.source) else { return false }
    let old = Self.components(of: record.source)
    let new = Self.components(of: BatchRecord.source(path))
    return moves.contains { move in
      old.starts(with: move.old) && new.starts(with: move.new)
        && old.dropFirst(move.old.count) == new.dropFirst(move.new.count)
    }
  }

  private static func components(of path: String) -> [ArraySlice<UInt8>] {
    Array(path.utf8).split(separator: UInt8(ascii: "/"))
  }
}
