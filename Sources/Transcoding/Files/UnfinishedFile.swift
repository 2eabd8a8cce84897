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
    // Through a symbolic link, what it points to is written.
    let url = URL(fileURLWithPath: destination).resolvingSymlinksInPath()
    self.destination = FileManager.default.fileExists(atPath: destination) ? url.path : destination
    self.overwrite = overwrite
    let directory = url.deletingLastPathComponent().path
    let mark = String(UInt32.random(in: .min ... .max), radix: 36)
    // Short, and not made of the name: names have a limit of 255 bytes.
    path = "\(directory)/.candela-\(mark).unfinished"
    samplesPath = path + ".samples"
    try Self.check(destination, directory: directory, overwrite: overwrite)
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

  private static func check(_ destination: String, directory: String, overwrite: Bool) throws {
    func refuse(_ reason: String) -> TranscodingError {
      TranscodingError(.cannotCreateOutput, "cannot create \(destination): \(reason)")
    }
    var isDirectory: ObjCBool = false
    let manager = FileManager.default
    if unsafe manager.fileExists(atPath: destination, isDirectory: &isDirectory) {
      if isDirectory.boolValue { throw refuse("it is a directory") }
      if !overwrite { throw refuse("it exists already; use --overwrite to replace it") }
    }
    guard unsafe manager.fileExists(atPath: directory, isDirectory: &isDirectory) else {
      throw refuse("the directory \(directory) does not exist")
    }
    guard isDirectory.boolValue else { throw refuse("\(directory) is not a directory") }
    guard manager.isWritableFile(atPath: directory) else {
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
          try Self.check(
            destination, directory: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            overwrite: false)
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
