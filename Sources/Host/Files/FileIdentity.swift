// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Identifies the file at a path. Two paths have the same identity if they lead to the same file,
/// for example through links.
package struct FileIdentity: Hashable, Sendable {
  // Device and inode identify the file, or the directory that contains `name`.
  private let device: UInt64
  private let inode: UInt64
  // `nil` if this identifies a file. Otherwise, this identifies a name in a directory, because the
  // file does not exist yet or because `init(nameAt:)` was called. The name is kept as bytes,
  // because that is how the kernel compares names. Swift's strings compare by Unicode equivalence
  // instead.
  private let name: [CChar]?

  /// - Returns: `nil` if neither the file nor its directory exists.
  init?(_ path: String) {
    guard let identity = FileIdentity(path, name: nil) ?? FileIdentity(nameAt: path) else {
      return nil
    }
    self = identity
  }

  /// The identity as text, the same in every process.
  var text: String {
    // This text becomes part of an abstract socket's name. That name has 107 bytes at most, but a
    // file name can have 255, so hash it. Swift's own hashing differs from process to process,
    // which is why this is FNV-1a.
    let hash = name.map { name in
      name.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64(UInt8(bitPattern: $1))) &* 0x100_0000_01B3
      }
    }
    return ([device, inode] + [hash].compactMap { $0 }).map { String($0, radix: 36) }
      .joined(separator: "-")
  }

  /// Identifies a name, no matter which file has it now. Returns `nil` if its directory does not
  /// exist.
  init?(nameAt path: String) {
    self.init(PosixPath.directory(of: path), name: PosixPath.name(of: path).systemBytes)
  }

  private init?(_ path: String, name: [CChar]?) {
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0 else { return nil }
    self.init(status, name: name)
  }

  private init(_ status: stat, name: [CChar]?) {
    (device, inode, self.name) = (UInt64(status.st_dev), UInt64(status.st_ino), name)
  }

  /// Identifies a file in a folder, or just its name there if the file does not exist yet.
  init?(of name: String, in folder: OpenFolder) {
    var status = stat()
    let descriptor = folder.file.descriptor
    if unsafe fstatat(descriptor, name.systemBytes, &status, 0) == 0 {
      self.init(status, name: nil)
    } else {
      guard unsafe fstat(descriptor, &status) == 0 else { return nil }
      self.init(status, name: name.systemBytes)
    }
  }

  /// Identifies an open file. Returns `nil` if the descriptor is not open.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status, name: nil)
  }
}
