// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Glibc
internal import MediaCore
internal import Synchronization

/// An output that grows beside its destination and takes its name in one step when it is complete.
/// If anything fails before that, nothing of it is left.
///
/// Every file that a command writes goes through here.
package final class UnfinishedFile: Sendable {
  /// Path at which the output is to appear.
  package let destination: String
  /// Path at which it is written until then.
  package var path: String { scratch.withLock { $0.file.path } }
  /// Path at which its samples are gathered before that.
  package var samplesPath: String { scratch.withLock { $0.samples.path } }

  private let overwrite: Bool
  private let files: RunFiles
  private let folder: HeldFolder
  private let name: String
  private let isPublished = Mutex(false)
  private let claim: Mutex<OpenFile?>
  private let scratch: Mutex<(file: ScratchFile, samples: ScratchFile)>
  private var file: ScratchFile { scratch.withLock { $0.file } }

  /// Reserves a place.
  ///
  /// - Parameters:
  ///   - overwrite: true if a file that is there may be replaced.
  ///   - files: all that the run reads and writes, of which the destination must be none by any
  ///     name; it is one of them until it is discarded.
  /// - Throws: ``TranscodingError``: of kind `invalidSettings` where the destination is one of
  ///   `files` already, `cannotCreateOutput` where it exists and may not be overwritten, where
  ///   another run writes it, or where its directory is missing or cannot be written.
  package init(destination: String, overwrite: Bool, in files: RunFiles) throws {
    try Self.check(destination, overwrite: overwrite, in: files)
    // Through a symbolic link, what it points to is written.
    let place = PosixPath.resolved(destination) ?? destination
    (self.destination, self.overwrite, self.files) = (place, overwrite, files)
    name = PosixPath.name(of: place)
    claim = Mutex(try Self.claim(destination))
    guard let folder = HeldFolder(PosixPath.directory(of: place)) else {
      throw Self.refusal(destination, SystemCall.text())
    }
    self.folder = folder
    ScratchFile.removeLeftovers(in: folder)
    scratch = Mutex((try ScratchFile(in: folder), try ScratchFile(in: folder)))
    try files.reserve(place)
  }

  /// Reserves a place beside another output, together with which it will be published.
  ///
  /// - Throws: ``TranscodingError``, as ``init(destination:overwrite:in:)``.
  package convenience init(beside other: UnfinishedFile, named name: String) throws {
    let folder = PosixPath.directory(of: other.destination)
    try self.init(
      destination: PosixPath.joined(folder, name), overwrite: other.overwrite, in: other.files)
  }

  deinit { if !isPublished.withLock({ $0 }) { files.release(destination) } }

  /// Claims a destination for this run, as long as the claim is kept.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where another run writes it.
  package static func claim(_ destination: String) throws -> OpenFile {
    guard let claim = OpenFile.claim(on: PosixPath.resolved(destination) ?? destination) else {
      throw refusal(destination, "another run is writing it", code: .writtenByAnother)
    }
    return claim
  }

  /// Removes a file that was not published. Whoever ends a session calls it: the program may end
  /// before the last reference to this object is gone.
  package func discard() {
    discardSamples()
    file.discard()
    claim.withLock { $0 = nil }
    if !isPublished.withLock({ $0 }) { files.release(destination) }
  }

  /// Removes what a process has not finished, where it ends without waiting for its work: a library
  /// or the system may keep a thread for long.
  package static func discardAll() { ScratchFile.removeAll() }

  /// Removes the file of samples, which the finished file has taken over.
  package func discardSamples() { scratch.withLock { $0.samples.discard() } }

  /// Makes the file with the samples the output, and the output so far the one with the samples:
  /// for an output that is made of another one.
  package func exchange() { scratch.withLock { $0 = ($0.samples, $0.file) } }

  /// Checks that an output could be written, and writes nothing.
  ///
  /// - Throws: ``TranscodingError``, as ``init(destination:overwrite:in:)``.
  package static func check(_ destination: String, overwrite: Bool, in files: RunFiles) throws {
    func refuse(_ reason: String) -> TranscodingError { refusal(destination, reason) }
    guard !destination.isEmpty else {
      throw TranscodingError(.cannotCreateOutput, "an output has no name; name a file")
    }
    guard destination != "-" else {
      throw TranscodingError(.cannotCreateOutput, "-: standard output is not written: name a file")
    }
    try files.check(destination)
    switch PosixPath.kind(of: destination) {
    case .directory: throw refuse("it is a directory")
    case .other: throw refuse("it is a device or a pipe; name a file")
    case .brokenLink: throw refuse("it is a link to nothing")
    case .file where !overwrite:
      throw refusal(destination, "it exists already", code: .outputExists)
    case .file where isKeptByDirectory(destination):
      throw refuse("it belongs to another user, and its directory lets only owners replace files")
    case .file, .nothing: break
    }
    let directory = PosixPath.directory(of: PosixPath.resolved(destination) ?? destination)
    switch PosixPath.kind(of: directory) {
    case .directory: break
    case .nothing, .brokenLink: throw refuse("the directory \(directory) does not exist")
    case .file, .other: throw refuse("\(directory) is not a directory")
    }
    guard unsafe access(SystemPath.bytes(directory), W_OK | X_OK) == 0 else {
      throw refuse("the directory \(directory) cannot be written")
    }
  }

  private static func refusal(
    _ destination: String, _ reason: String, code: TranscodingError.Code? = nil
  ) -> TranscodingError {
    TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)", code: code)
  }

  /// True if a file lies in a directory with the sticky bit, as `/tmp` has it, and both are
  /// somebody else's.
  private static func isKeptByDirectory(_ destination: String) -> Bool {
    let path = PosixPath.resolved(destination) ?? destination
    var (file, directory) = (stat(), stat())
    guard geteuid() != 0, unsafe stat(SystemPath.bytes(path), &file) == 0,
      unsafe stat(SystemPath.bytes(PosixPath.directory(of: path)), &directory) == 0
    else { return false }
    return directory.st_mode & S_ISVTX != 0
      && ![file.st_uid, directory.st_uid].contains(geteuid())
  }

  /// Writes the whole output.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package func write(_ bytes: [UInt8]) throws {
    let descriptor = PosixPath.open(path, O_WRONLY | O_TRUNC)
    var error = descriptor < 0 ? errno : SystemCall.write(bytes, to: descriptor)
    if error == 0 { error = SystemCall.synchronize(descriptor) }
    if descriptor >= 0 { close(descriptor) }
    guard error == 0 else {
      throw TranscodingError(
        .inputOutput, "writing \(destination) failed: \(SystemCall.text(error))")
    }
  }

  /// Gives the complete output its name, in the folder that was opened when the run began.
  ///
  /// - Throws: ``TranscodingError``, also where a file that must not be replaced has that name now:
  ///   a file system without upper case may have given it to another output of the run. Of kind
  ///   `inputOutput` where the folder is elsewhere by now: the output is complete, but nobody finds
  ///   it by its path.
  package func publish() throws { try Self.publish([self]) }

  /// Gives complete outputs their names: all of them, or none. Those that the last one refers to
  /// come first, so that nobody finds it without them.
  ///
  /// - Throws: as ``publish()``. Files that were there before are there again then.
  package static func publish(_ set: [UnfinishedFile]) throws {
    var done: [(file: UnfinishedFile, replaced: String?)] = []
    do {
      for file in set {
        done.append((file, set.count > 1 ? try file.keepReplaced() : nil))
        try file.takeName()
      }
    } catch {
      for (file, replaced) in done.reversed() { file.giveNameBack(to: replaced) }
      throw error
    }
    for case (let file, let replaced?) in done { file.folder.remove(replaced) }
    for file in set { try file.refuseMovedFolder() }
  }

  private func takeName() throws {
    try files.check(reserved: destination, FileIdentity(of: name, in: folder))
    var error = take(name)
    if error == EEXIST, overwrite { error = file.rename(to: name) }
    guard error == 0 else { throw failure(error) }
    isPublished.withLock { $0 = true }
  }

  /// Gives the file that the output replaces a hidden name besides.
  ///
  /// - Returns: the hidden name; nil where there is no such file.
  private func keepReplaced() throws -> String? {
    guard overwrite, folder.has(name) else { return nil }
    let hidden = ScratchFile.freshName
    var error = folder.link(name, as: hidden, 0, from: folder.file)
    // A file system without links has the file under one name only.
    if [EPERM, ENOTSUP].contains(error) { error = folder.rename(name, to: hidden) }
    guard error == 0 else { throw failure(error) }
    return hidden
  }

  /// Undoes what was done for a set that is not complete.
  private func giveNameBack(to replaced: String?) {
    let wasPublished = isPublished.withLock { state in
      defer { state = false }
      return state
    }
    if let replaced {
      _ = folder.rename(replaced, to: name)
      // Two names of one file are left as they are by a renaming.
      folder.remove(replaced)
    } else if wasPublished {
      folder.remove(name)
    }
  }

  private func refuseMovedFolder() throws {
    guard !folder.isInPlace else { return }
    throw TranscodingError(
      .inputOutput,
      "the folder of \(destination) was moved or replaced during the run: the complete output is "
        + folder.place(of: name))
  }

  /// Keeps the output, under a name that says that it failed.
  ///
  /// - Parameter message: the reason, and last of all what is kept.
  package func keptAsFailed(
    _ kind: TranscodingError.Kind, _ message: String
  ) throws -> TranscodingError {
    let name = try keepAsFailed()
    return TranscodingError(kind, "\(message) was kept as \(name)", keptPath: name)
  }

  /// - Returns: the name under which the output is kept.
  private func keepAsFailed() throws -> String {
    // A file that is there already is somebody's: it is not replaced.
    for count in 1..<1000 {
      let name = PosixPath.name(name, with: count == 1 ? ".failed" : ".failed-\(count)")
      let error = take(name)
      if error == 0 { return folder.place(of: name) }
      guard error == EEXIST else { throw failure(error) }
    }
    throw failure(EEXIST)
  }

  /// The error of an output that is not what was promised, which is kept under another name.
  ///
  /// - Parameter faults: notices about what is not as promised.
  package func keptError(_ faults: [Notice]) throws -> TranscodingError {
    let name = try keepAsFailed()
    let list = faults.map(\.text).joined(separator: "; ")
    return TranscodingError(
      .verificationFailed,
      "\(destination) is not what was promised: \(list); it was kept as \(name)",
      keptPath: name, faults: faults)
  }

  /// Gives the file a name in its folder that no other file has.
  ///
  /// - Returns: 0, or the system's error number: `EEXIST` where somebody has the name.
  private func take(_ name: String) -> Int32 {
    // A link fails where somebody took the name meanwhile; a renaming would replace it.
    let error = file.link(as: name)
    // A file system without links: look first, then rename.
    let hasLinks = ![EPERM, ENOTSUP].contains(error)
    if !hasLinks, folder.has(name) { return EEXIST }
    if !hasLinks { return file.rename(to: name) }
    if error == 0 { file.discard() }
    return error
  }

  private func failure(_ error: Int32) -> TranscodingError {
    Self.refusal(
      destination, SystemCall.text(error), code: error == EEXIST ? .outputExists : nil)
  }
}
