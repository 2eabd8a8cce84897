internal import Foundation

/// The place where an output grows: beside its destination, under a name that says what it is,
/// until it is complete and takes its name in one step. Whatever happens before, it is removed.
final class UnfinishedFile: Sendable {
  /// Where the output is to appear.
  let destination: String
  /// Where it is written meanwhile.
  let path: String
  /// Where its samples are gathered before that.
  let samplesPath: String
  private let overwrite: Bool

  /// Reserves a place.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where the destination exists and
  ///   may not be overwritten, or where its directory is missing or cannot be written.
  init(destination: String, overwrite: Bool) throws {
    try Self.check(destination, overwrite: overwrite)
    // Through a symbolic link, what it points to is written.
    self.destination = PosixPath.resolved(destination) ?? destination
    let directory = PosixPath.directory(of: self.destination)
    self.overwrite = overwrite
    let mark = String(UInt32.random(in: .min ... .max), radix: 36)
    // Short, and not made of the name: names have a limit of 255 bytes.
    path = "\(directory)/.candela-\(mark).unfinished"
    samplesPath = path + ".samples"
  }

  deinit { discard() }

  /// Removes what is there of an output that was not published. Whoever ends a session calls it:
  /// the program may end before the last reference to this object is gone.
  func discard() {
    discardSamples()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes the samples, which the finished file has taken over.
  func discardSamples() {
    try? FileManager.default.removeItem(atPath: samplesPath)
  }

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
    guard FileManager.default.isWritableFile(atPath: directory) else {
      throw refuse("the directory \(directory) cannot be written")
    }
  }

  /// Gives the complete output its name.
  func publish() throws {
    if overwrite {
      guard unsafe rename(path, destination) == 0 else { throw failure() }
    } else {
      // A link fails where somebody else took the name meanwhile; a renaming would replace it.
      guard unsafe link(path, destination) == 0 else {
        if errno == EPERM || errno == ENOTSUP {
          // A file system without links: look first, then rename.
          try Self.check(destination, overwrite: false)
          guard unsafe rename(path, destination) == 0 else { throw failure() }
          return
        }
        throw failure()
      }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Keeps an output that is not what was promised, under a name that says so.
  ///
  /// - Returns: that name.
  func keepAsFailed() throws -> String {
    var name = destination + ".failed"
    var count = 1
    // A file that is there already is somebody's: it is not replaced.
    while unsafe link(path, name) != 0 {
      guard errno == EEXIST, count < 1000 else { throw failure() }
      count += 1
      name = "\(destination).failed-\(count)"
    }
    try? FileManager.default.removeItem(atPath: path)
    return name
  }

  private func failure() -> TranscodingError {
    let reason = unsafe String(cString: strerror(errno))
    return TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)")
  }
}
