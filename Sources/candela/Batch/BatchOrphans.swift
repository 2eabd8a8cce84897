// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// What to do about outputs whose sources are gone.
enum OrphanMeasure: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Print their names, and keep them.
  case list
  /// Remove them.
  case remove
}

/// The outputs of earlier runs whose sources are gone.
struct BatchOrphans {
  /// An output without its source.
  struct Orphan {
    let output: String
    let source: String
  }

  private(set) var all: [Orphan] = []
  /// The folders of missing sources that are themselves empty or missing.
  private(set) var emptied: Set<String> = []

  private let folder: BatchFolder

  /// Finds the outputs by their records.
  ///
  /// - Parameters:
  ///   - found: the files of this run. Outputs of sources outside the run's folders are ignored.
  init(in folder: BatchFolder, _ found: BatchFiles, _ history: BatchHistory) {
    self.folder = folder
    let outputs = Set(found.pairs.map { Array($0.output.utf8) })
    let inputs = Dictionary(grouping: found.pairs.map(\.input)) { BatchRecord.version(of: $0) }
    for record in history.records(of: folder) {
      guard PosixPath.isGone(record.source),
        found.folders.contains(where: { PosixPath.contains($0, record.source) })
      else { continue }
      let files = Self.unchanged(record, in: folder).filter {
        !outputs.contains(Array($0.utf8)) && !PosixPath.isLink($0) && isInside($0)
      }
      guard !files.isEmpty else { continue }
      // If the source's folder is empty or missing, perhaps only its disk is not mounted. But if
      // the source is found in another folder, it was moved.
      let place = PosixPath.directory(of: record.source)
      let isMoved = inputs[record.sourceVersion]?.contains { record.isOfSource($0) } ?? false
      if !isMoved, Set(PosixPath.names(in: place)).isSubset(of: [".", ".."]) {
        emptied.insert(place)
      } else {
        all += files.map { Orphan(output: $0, source: record.source) }
      }
    }
    all.sort { $0.output < $1.output }
  }

  /// Returns the files of a record that are still as this program made them. A file that has
  /// changed since then may be somebody's only copy.
  private static func unchanged(_ record: BatchRecord, in folder: BatchFolder) -> [String] {
    let output = PosixPath.joined(folder.path, record.output)
    let others = (record.others ?? []).filter { $0.isUnchanged(in: folder) }
    return (record.isOfOutput(output) ? [output] : [])
      + others.map { PosixPath.joined(folder.path, $0.path) }
  }

  /// Whether a file is in the folder itself and not behind a link. What is behind a link is not
  /// ours to remove.
  private func isInside(_ path: String) -> Bool {
    guard let file = PosixPath.resolved(path), let folder = PosixPath.resolved(folder.path) else {
      return false
    }
    let place = path.utf8.dropFirst(self.folder.path.utf8.count)
    return file.utf8.elementsEqual(Array(folder.utf8) + place)
  }

  /// Removes an output, and the folders that become empty without it.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if it cannot be removed.
  func remove(_ orphan: Orphan) throws(TranscodingError) {
    var place = PosixPath.directory(of: orphan.output)
    guard let parent = OpenFolder(place), parent.remove(PosixPath.name(of: orphan.output)) else {
      throw TranscodingError(
        .inputOutput, "\(orphan.output) cannot be removed: \(SystemCall.text())")
    }
    while place.utf8.count > folder.path.utf8.count, PosixPath.removeEmptyDirectory(place) {
      place = PosixPath.directory(of: place)
    }
  }

  /// Prints the names of the outputs, and removes them if that is wanted.
  ///
  /// - Parameter status: the status of the run so far.
  /// - Returns: the status of the run.
  func treat(
    _ measure: OrphanMeasure, after status: ExitStatus, _ messages: RunMessages
  ) -> ExitStatus {
    var isDone = true
    for orphan in all {
      do throws(TranscodingError) {
        if measure == .remove { try remove(orphan) }
        let words = measure == .remove ? "removed" : "left over"
        messages.tell("\(words): \(orphan.output), whose source \(orphan.source) is gone")
      } catch {
        isDone = false
        messages.tell(error.message)
      }
    }
    for folder in emptied.sorted() {
      messages.warn(
        "note: outputs of sources in \(folder) are kept, because that folder is empty or "
          + "missing; perhaps its disk is not mounted")
    }
    return isDone || status.rawValue > ExitStatus.inputOutput.rawValue ? status : .inputOutput
  }
}
