internal import Foundation
internal import MediaCore

/// An output that grows beside its destination and takes its name in one step when it is complete.
/// Whatever happens before, nothing of it is left.
///
/// Every file that a command writes goes through here.
final class UnfinishedFile: Sendable {
  /// Where the output is to appear.
  let destination: String
  /// Where it is written meanwhile.
  var path: String { file.path }
  /// Where its samples are gathered before that.
  var samplesPath: String { samples.path }

  private let overwrite: Bool
  private let file: ScratchFile
  private let samples: ScratchFile

  /// Reserves a place.
  ///
  /// - Parameters:
  ///   - overwrite: whether a file that is there may be replaced.
  ///   - others: files that the destination must not be, by whatever name: what is read, and what
  ///     else is written.
  /// - Throws: ``TranscodingError``: of kind `invalidSettings` where the destination is one of
  ///   `others`, `cannotCreateOutput` where it exists and may not be overwritten, or where its
  ///   directory is missing or cannot be written.
  init(destination: String, overwrite: Bool, protecting others: [String] = []) throws {
    try FileIdentity.refuse(destination, among: others)
    try Self.check(destination, overwrite: overwrite)
    // Through a symbolic link, what it points to is written.
    self.destination = PosixPath.resolved(destination) ?? destination
    self.overwrite = overwrite
    let directory = PosixPath.directory(of: self.destination)
    ScratchFile.removeLeftovers(in: directory)
    file = try ScratchFile(in: directory)
    samples = try ScratchFile(in: directory)
  }

  /// Lets go of what was not published. Whoever ends a session calls it: the program may end before
  /// the last reference to this object is gone.
  func discard() {
    discardSamples()
    file.discard()
  }

  /// Lets go of the samples, which the finished file has taken over.
  func discardSamples() { samples.discard() }

  private static func check(_ destination: String, overwrite: Bool) throws {
    func refuse(_ reason: String) -> TranscodingError {
      TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)")
    }
    switch PosixPath.kind(of: destination) {
    case .directory: throw refuse("it is a directory")
    case .other: throw refuse("it is a device or a pipe; name a file")
    case .brokenLink: throw refuse("it is a link to nothing")
    case .file where !overwrite: throw refuse("it exists already; use --overwrite to replace it")
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

  /// Writes the whole output.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  func write(_ bytes: [UInt8]) throws {
    let descriptor = unsafe open(SystemPath.bytes(path), O_WRONLY | O_TRUNC | O_CLOEXEC)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(bytes))
      try handle.synchronize()
      try handle.close()
    } catch {
      throw TranscodingError(
        .inputOutput, "writing \(destination) failed: \(error.localizedDescription)")
    }
  }

  /// A name of the output that it has until it is published, for what can be done by name only.
  func hiddenName() throws -> String {
    guard let name = file.hiddenName() else { throw failure(errno) }
    return name
  }

  /// Gives the complete output its name.
  func publish() throws {
    if overwrite { return try replace() }
    // A link fails where somebody else took the name meanwhile; a renaming would replace it.
    switch file.link(as: destination) {
    case 0: file.discard()
    case EPERM, ENOTSUP:
      // A file system without links: look first, then rename.
      try Self.check(destination, overwrite: false)
      try replace()
    case let error: throw failure(error)
    }
  }

  private func replace() throws {
    let error = file.rename(to: destination)
    guard error == 0 else { throw failure(error) }
  }

  /// Keeps an output that is not what was promised, under a name that says so.
  ///
  /// - Returns: that name.
  func keepAsFailed() throws -> String {
    var name = destination + ".failed"
    var count = 1
    // A file that is there already is somebody's: it is not replaced.
    while case let error = file.link(as: name), error != 0 {
      guard error == EEXIST, count < 1000 else { throw failure(error) }
      count += 1
      name = "\(destination).failed-\(count)"
    }
    file.discard()
    return name
  }

  private func failure(_ error: Int32) -> TranscodingError {
    let reason = unsafe String(cString: strerror(error))
    return TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)")
  }
}
