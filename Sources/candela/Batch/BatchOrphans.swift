// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// What to do about outputs that no run would make now.
enum OrphanMeasure: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Print their names, and keep them.
  case list
  /// Remove them.
  case remove
}

/// The outputs of earlier runs that no run would make now: their sources are gone, or they are
/// stills that were made with other options.
struct BatchOrphans {
  /// An output that no run would make now, and the record of the work that made it.
  private typealias Orphan = (output: String, record: BatchRecord)

  private var all: [Orphan] = []
  /// Folders that contained missing sources and are now empty or missing.
  private var emptied: Set<String> = []

  private let folder: BatchFolder

  /// Finds the outputs by their records.
  ///
  /// - Parameters:
  ///   - found: the files of this run. Outputs are ignored unless their sources are among these
  ///     files, or were in folders that the user named.
  init(in folder: BatchFolder, _ found: BatchFiles, _ history: BatchHistory) {
    self.folder = folder
    let outputs = Set(found.pairs.map { Array($0.output.utf8) })
    let inputs = Dictionary(grouping: found.pairs.map(\.input)) { BatchRecord.version(of: $0) }
    let sources = Set(found.pairs.map { Array(BatchRecord.source($0.input).utf8) })
    for record in history.records(of: folder) {
      guard
        sources.contains(Array(record.source.utf8))
          || found.folders.contains(where: { PosixPath.contains($0, record.source) })
      else { continue }
      let files = unwanted(in: record).filter {
        !outputs.contains(Array($0.utf8)) && !PosixPath.isLink($0) && isInside($0)
      }
      guard !files.isEmpty else { continue }
      // If the source's folder is empty or missing, the disk may just not be mounted. But if the
      // source is found in another folder, it was moved.
      let place = PosixPath.directory(of: record.source)
      let isMoved = inputs[record.sourceVersion]?.contains { record.isOfSource($0) } ?? false
      if !isMoved, Set(PosixPath.names(in: place)).isSubset(of: [".", ".."]) {
        emptied.insert(place)
      } else {
        all += files.map { (output: $0, record: record) }
      }
    }
    all.sort { $0.output < $1.output }
  }

  /// Returns those of a record's outputs that no run would make now and that are still as this
  /// program made them. A file that has changed since then may be somebody's only copy.
  private func unwanted(in record: BatchRecord) -> [String] {
    let output = PosixPath.joined(folder.path, record.output)
    let isGone = PosixPath.isGone(record.source)
    // If the newest work did not reach its end, it may still make these files again.
    let isEnded = record.status != ExitStatus.interrupted.rawValue
    let left = isEnded ? record.left ?? [] : []
    let others = ((isGone ? record.others : nil) ?? []) + left
    return (isGone && record.isOfOutput(output) ? [output] : [])
      + others.filter { $0.isUnchanged(in: folder) }.map { PosixPath.joined(folder.path, $0.path) }
  }

  /// Whether a file is really in the folder, and no link leads out of the folder to it. A file in
  /// another place is not ours to remove.
  private func isInside(_ path: String) -> Bool {
    guard let file = PosixPath.resolved(path), let folder = PosixPath.resolved(folder.path) else {
      return false
    }
    let place = path.utf8.dropFirst(self.folder.path.utf8.count)
    return file.utf8.elementsEqual(Array(folder.utf8) + place)
  }

  /// Removes an output, and the folders that become empty without it.
  ///
  /// - Returns: `false` if the output stays, because another run is making it, it has changed, or
  ///   its source is back.
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if it cannot be removed.
  private func remove(_ orphan: Orphan) throws(TranscodingError) -> Bool {
    // Another run may have found the source again, or another source for the output. As long as we
    // hold the claims below, that run does not make the output.
    let work = PosixPath.joined(folder.path, orphan.record.output)
    let claims = (OutputClaim(of: work, for: .work), OutputClaim(of: orphan.output))
    defer { withExtendedLifetime(claims) {} }
    guard claims.0 != nil, claims.1 != nil, unwanted(in: orphan.record).contains(orphan.output)
    else { return false }
    var place = PosixPath.directory(of: orphan.output)
    guard let parent = OpenFolder(place), parent.remove(PosixPath.name(of: orphan.output)) else {
      throw TranscodingError(
        .inputOutput, "\(orphan.output) cannot be removed: \(SystemCall.text())")
    }
    while place.utf8.count > folder.path.utf8.count, PosixPath.removeEmptyDirectory(place) {
      place = PosixPath.directory(of: place)
    }
    return true
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
        if measure == .remove, try !remove(orphan) { continue }
        let words = measure == .remove ? "removed" : "left over"
        messages.tell("\(words): \(orphan.output), \(Self.reason(for: orphan.record))")
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

  /// Returns why an output is an orphan, as the end of a sentence.
  private static func reason(for record: BatchRecord) -> String {
    PosixPath.isGone(record.source)
      ? "whose source \(record.source) is gone"
      : "which was made from \(record.source) with other options"
  }
}
