// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Glibc
internal import MediaCore
internal import Synchronization

/// An output that grows beside its destination and takes its final name in one step when it is
/// complete. If anything fails earlier, nothing is left behind, except for an output that is kept
/// on purpose (``keptError(_:)``, ``keptAsFailed(_:_:)``).
///
/// All outputs, reports and plots are written as such files.
package final class UnfinishedFile: Sendable {
  /// The path at which the output will appear.
  package let destination: String
  /// The path at which the output is written until it is complete.
  package var path: String { scratch.withLock { $0.file.path } }
  /// The path of a second file, which holds the samples until the output contains them.
  package var samplesPath: String { scratch.withLock { $0.samples.path } }

  private let overwrite: Bool
  private let files: RunFiles
  private let folder: OpenFolder
  private let name: String
  /// The identity of the output's file; `nil` until the output is published.
  private let published = Mutex<FileIdentity?>(nil)
  private let claim: Mutex<OutputClaim?>
  private let scratch: Mutex<(file: ScratchFile, samples: ScratchFile)>
  private var file: ScratchFile { scratch.withLock { $0.file } }
  private var isPublished: Bool { published.withLock { $0 != nil } }

  /// Reserves a destination.
  ///
  /// - Parameters:
  ///   - overwrite: whether an existing file may be replaced.
  ///   - files: all files that the run reads and writes. The destination is added to them until the
  ///     output is discarded.
  /// - Throws: ``TranscodingError``: `invalidSettings` if the destination is one of `files`
  ///   already, under any name; `cannotCreateOutput` if it exists and may not be overwritten, if
  ///   another run is writing it, or if its directory is missing or cannot be written.
  package init(destination: String, overwrite: Bool, in files: RunFiles) throws {
    try Self.check(destination, overwrite: overwrite, in: files)
    // A symbolic link stays. The file that it points to is written.
    let place = PosixPath.resolved(destination) ?? destination
    (self.destination, self.overwrite, self.files) = (place, overwrite, files)
    name = PosixPath.name(of: place)
    claim = Mutex(try Self.claim(destination))
    guard let folder = OpenFolder(PosixPath.directory(of: place)) else {
      throw Self.refusal(destination, SystemCall.text())
    }
    self.folder = folder
    ScratchFile.removeLeftovers(in: folder)
    scratch = Mutex((try ScratchFile(in: folder), try ScratchFile(in: folder)))
    try files.reserve(place)
  }

  /// Reserves a place beside another output. Publish the two together.
  ///
  /// - Throws: ``TranscodingError``, as ``init(destination:overwrite:in:)``.
  package convenience init(beside other: UnfinishedFile, named name: String) throws {
    let folder = PosixPath.directory(of: other.destination)
    try self.init(
      destination: PosixPath.joined(folder, name), overwrite: other.overwrite, in: other.files)
  }

  deinit { if !isPublished { files.release(destination) } }

  /// Claims a destination for this run, for as long as the returned claim lives.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if another run is writing it.
  package static func claim(
    _ destination: String, for purpose: OutputClaim.Purpose = .writing
  ) throws -> OutputClaim {
    guard let claim = OutputClaim(of: destination, for: purpose) else {
      throw refusal(destination, "another run is writing it", code: .writtenByAnother)
    }
    return claim
  }

  /// Removes a file that was not published.
  package func discard() {
    // Sessions call this when they end, because the program may exit before the last reference to
    // this object is released.
    discardSamples()
    file.discard()
    claim.withLock { $0 = nil }
    if !isPublished { files.release(destination) }
  }

  /// Removes all unfinished files, for a process that ends without waiting for its work.
  package static func discardAll() { ScratchFile.removeAll() }

  /// Removes the file of samples, once the finished file contains them.
  package func discardSamples() { scratch.withLock { $0.samples.discard() } }

  /// Swaps the two files: the file of samples becomes the output, and the output becomes the file
  /// of samples.
  ///
  /// Use it for an output that is made from another finished file, as Matroska is made from a
  /// movie: the movie is at ``path``, so the output is first written to ``samplesPath``.
  package func exchange() { scratch.withLock { $0 = ($0.samples, $0.file) } }

  /// Checks whether an output could be written, without writing anything.
  ///
  /// - Throws: ``TranscodingError``, as ``init(destination:overwrite:in:)``.
  package static func check(_ destination: String, overwrite: Bool, in files: RunFiles) throws {
    func refuse(_ reason: String) -> TranscodingError { refusal(destination, reason) }
    guard !destination.isEmpty else {
      throw TranscodingError(.cannotCreateOutput, "an output has no name; give it one")
    }
    guard destination != "-" else {
      throw TranscodingError(
        .cannotCreateOutput,
        "-: writing to standard output is not supported; give a file")
    }
    try files.check(destination)
    switch PosixPath.kind(of: destination) {
    case .directory: throw refuse("it is a folder; give a file in it")
    case .other: throw refuse("it is a device or a pipe; give a file")
    case .brokenLink: throw refuse("it is a broken symbolic link; remove it first")
    case .file where !overwrite:
      throw refusal(destination, "it exists already", code: .outputExists)
    case .file where isKeptByDirectory(destination):
      throw refuse(
        "it belongs to another user, and its folder lets only owners replace files; choose "
          + "another name")
    case .file, .nothing: break
    }
    let directory = PosixPath.directory(of: PosixPath.resolved(destination) ?? destination)
    switch PosixPath.kind(of: directory) {
    case .directory: break
    case .nothing, .brokenLink:
      throw refuse("the folder \(directory) does not exist; create it first")
    case .file, .other: throw refuse("\(directory) is not a folder")
    }
    guard unsafe access(directory.systemBytes, W_OK | X_OK) == 0 else {
      throw refuse("the folder \(directory) cannot be written to; check its permissions")
    }
  }

  private static func refusal(
    _ destination: String, _ reason: String, code: TranscodingError.Code? = nil
  ) -> TranscodingError {
    TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)", code: code)
  }

  /// Whether a file cannot be replaced because its directory has the sticky bit.
  private static func isKeptByDirectory(_ destination: String) -> Bool {
    // In a sticky directory such as `/tmp`, only the owner of a file, or of the directory, may
    // replace it. Without this check, the rename would fail after all the work is done.
    let path = PosixPath.resolved(destination) ?? destination
    var (file, directory) = (stat(), stat())
    guard geteuid() != 0, unsafe stat(path.systemBytes, &file) == 0,
      unsafe stat(PosixPath.directory(of: path).systemBytes, &directory) == 0
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
    // A rename may reach the disk before the content does. If the power fails in between, the name
    // would lead to an empty file.
    if error == 0 { error = SystemCall.synchronize(descriptor) }
    if descriptor >= 0 { close(descriptor) }
    guard error == 0 else {
      throw TranscodingError(
        .inputOutput, "writing \(destination) failed: \(SystemCall.text(error))")
    }
  }

  /// Gives the complete output its name, in the folder that was opened when the run began.
  ///
  /// - Throws: ``TranscodingError``: `cannotCreateOutput` if another file took the name meanwhile
  ///   and may not be replaced; `inputOutput` if the folder was moved, because the output is then
  ///   complete but not at its path.
  package func publish() throws { try Self.publish([self]) }

  /// Gives complete outputs their names: all of them, or none. Put the file that refers to the
  /// others last, so that nobody finds it without them.
  ///
  /// - Throws: the same as ``publish()``. If a file cannot get its name, the files that were
  ///   replaced are restored first.
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
    let identity = FileIdentity(path)
    var error = take(name)
    if error == EEXIST, overwrite { error = file.rename(to: name) }
    guard error == 0 else { throw failure(error) }
    published.withLock { $0 = identity }
  }

  /// Gives a second, hidden name to the file that the output replaces, so that the file can be
  /// restored.
  ///
  /// - Returns: the hidden name, or `nil` if nothing is replaced.
  private func keepReplaced() throws -> String? {
    guard overwrite, folder.has(name) else { return nil }
    let hidden = ScratchFile.freshName
    var error = folder.link(name, as: hidden, 0, from: folder.file)
    // Without hard links, the file can only be renamed. Its old name is then missing for a moment.
    if [EPERM, ENOTSUP].contains(error) { error = folder.rename(name, to: hidden) }
    guard error == 0 else { throw failure(error) }
    return hidden
  }

  /// Undoes the publication of a file, because another file of its set could not be published.
  private func giveNameBack(to replaced: String?) {
    let own = published.withLock { state in
      defer { state = nil }
      return state
    }
    // By now, the name may belong to another program's file, which stays.
    let current = folder.has(name) ? FileIdentity(of: name, in: folder) : nil
    if let replaced {
      let isFree =
        current == nil || current == own
        || current == FileIdentity(of: replaced, in: folder)
      // The file that was replaced must not be lost. If its old name is taken now, the file gets a
      // similar name.
      _ = folder.rename(replaced, to: isFree ? name : PosixPath.name(name, with: ".previous"))
      // If both names are links to the same file, `rename` does nothing and leaves the hidden one.
      folder.remove(replaced)
    } else if own != nil, current == own {
      folder.remove(name)
    }
  }

  private func refuseMovedFolder() throws {
    guard !folder.isInPlace else { return }
    throw TranscodingError(
      .inputOutput,
      "the folder of \(destination) was moved or replaced during the run: the complete output is "
        + "now \(folder.place(of: name))")
  }

  /// Keeps the output under a name that says that it failed.
  ///
  /// - Parameter message: the beginning of the error's text. It must end with the subject of "was
  ///   kept as PATH", because those words are appended.
  package func keptAsFailed(
    _ kind: TranscodingError.Kind, _ message: String
  ) throws -> TranscodingError {
    let name = try keepAsFailed()
    return TranscodingError(kind, "\(message) was kept as \(name)", keptPath: name)
  }

  /// - Returns: the path under which the output was kept.
  private func keepAsFailed() throws -> String {
    // An existing `.failed` file may be the only copy of an earlier run's work, so count up instead
    // of replacing it.
    for count in 1..<1000 {
      let name = PosixPath.name(name, with: count == 1 ? ".failed" : ".failed-\(count)")
      let error = take(name)
      if error == 0 { return folder.place(of: name) }
      guard error == EEXIST else { throw failure(error) }
    }
    throw failure(EEXIST)
  }

  /// Keeps an output that failed verification, and returns the error that says so.
  ///
  /// - Parameter faults: what verification found wrong.
  package func keptError(_ faults: [Notice]) throws -> TranscodingError {
    let name = try keepAsFailed()
    let list = faults.map(\.text).joined(separator: "; ")
    return TranscodingError(
      .verificationFailed,
      "\(destination) failed verification: \(list); the output was kept as \(name)",
      keptPath: name, faults: faults)
  }

  /// Gives the file a name in its folder. An existing file with that name is not replaced.
  ///
  /// - Returns: 0, or the system's error number: `EEXIST` if the name is taken.
  private func take(_ name: String) -> Int32 {
    // A link fails if somebody took the name meanwhile. A rename would replace their file.
    let error = file.link(as: name)
    // On a file system without hard links, such as FAT, look first and then rename.
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
