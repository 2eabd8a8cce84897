internal import Foundation
internal import MediaCore

/// Which file a path means, whatever it is called: paths with one identity lead to one file,
/// through symbolic links and hard links alike.
struct FileIdentity: Hashable, Sendable {
  /// The device and the inode of the file; of its directory where the file is not there yet.
  private let device: UInt64
  private let inode: UInt64
  /// The name in the directory; nil for a file that is there.
  private let name: String?

  /// - Returns: nil where neither the file nor its directory is there.
  init?(_ path: String) {
    var status = stat()
    if unsafe stat(SystemPath.bytes(path), &status) == 0 {
      name = nil
    } else {
      guard unsafe stat(SystemPath.bytes(PosixPath.directory(of: path)), &status) == 0 else {
        return nil
      }
      name = PosixPath.name(of: path)
    }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of an open file; nil where the descriptor is none.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    (device, inode, name) = (UInt64(status.st_dev), UInt64(status.st_ino), nil)
  }

  /// - Parameter others: files that `path` must not be: what is read, and what else is written.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where it is one of them.
  static func refuse(_ path: String, among others: [String]) throws {
    guard let identity = FileIdentity(path),
      let other = others.first(where: { FileIdentity($0) == identity })
    else { return }
    throw TranscodingError(
      .invalidSettings,
      other == path
        ? "\(path) is read or written by this run itself and cannot be replaced; name another file"
        : "\(path) is the same file as \(other), which this run needs; name another file")
  }
}
