// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Identity of the file at a path, whatever its name: paths with one identity lead to one file,
/// through symbolic links and hard links alike.
package struct FileIdentity: Hashable, Sendable {
  /// The device and the inode of the file; of its directory where the file is not there yet.
  private let device: UInt64
  private let inode: UInt64
  /// The bytes of the name in the directory, as the system compares names; nil for a file that is
  /// there.
  private let name: [CChar]?

  /// - Returns: nil where neither the file nor its directory is there.
  init?(_ path: String) {
    guard let identity = FileIdentity(path, name: nil) ?? FileIdentity(nameAt: path) else {
      return nil
    }
    self = identity
  }

  /// The file as text; the same in every process.
  var text: String {
    // FNV-1a: a name may be longer than what takes the text.
    let hash = name.map { name in
      name.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64(UInt8(bitPattern: $1))) &* 0x100_0000_01B3
      }
    }
    return ([device, inode] + [hash].compactMap { $0 }).map { String($0, radix: 36) }
      .joined(separator: "-")
  }

  /// The identity of a name, whatever file has it now; nil where there is no directory for it.
  init?(nameAt path: String) {
    self.init(PosixPath.directory(of: path), name: SystemPath.bytes(PosixPath.name(of: path)))
  }

  private init?(_ path: String, name: [CChar]?) {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) == 0 else { return nil }
    self.init(status, name: name)
  }

  private init(_ status: stat, name: [CChar]?) {
    (device, inode, self.name) = (UInt64(status.st_dev), UInt64(status.st_ino), name)
  }

  /// The identity of a file in a folder, or of its name there where the file is not there yet.
  init?(of name: String, in folder: HeldFolder) {
    var status = stat()
    let descriptor = folder.file.descriptor
    if unsafe fstatat(descriptor, SystemPath.bytes(name), &status, 0) == 0 {
      self.init(status, name: nil)
    } else {
      guard unsafe fstat(descriptor, &status) == 0 else { return nil }
      self.init(status, name: SystemPath.bytes(name))
    }
  }

  /// The identity of an open file; nil where the descriptor is none.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status, name: nil)
  }
}
