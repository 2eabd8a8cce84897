// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// Folders that were renamed, or mounted elsewhere, after outputs were made from the files in them.
///
/// Records name sources by absolute paths. If an unchanged source is now in another place, the
/// other files of its folder are there, too, even those that have changed.
struct BatchMoves {
  /// The new paths, by old path. Each path is a list of components, without those at its end that
  /// the old and the new path share.
  private var moves: [[ArraySlice<UInt8>]: Set<[ArraySlice<UInt8>]>] = [:]

  /// Adds a move if the file is a record's source, unchanged but in another place.
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
    moves[old, default: []].insert(new)
  }

  /// Returns whether a file is a record's source, which may be in another place by now. Its content
  /// may have changed.
  func isSource(_ path: String, of record: BatchRecord) -> Bool {
    guard !record.isFrom(path) else { return true }
    guard !moves.isEmpty, PosixPath.isGone(record.source) else { return false }
    let old = Self.components(of: record.source)
    let new = Self.components(of: BatchRecord.source(path))
    return moves.contains { start, places in
      old.starts(with: start)
        && places.contains { place in
          new.starts(with: place) && old.dropFirst(start.count) == new.dropFirst(place.count)
        }
    }
  }

  private static func components(of path: String) -> [ArraySlice<UInt8>] {
    Array(path.utf8).split(separator: UInt8(ascii: "/"))
  }
}
