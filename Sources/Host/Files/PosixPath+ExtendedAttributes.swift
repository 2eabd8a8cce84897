// SPDX-License-Identifier: GPL-2.0-or-later
internal import CSystem
internal import Glibc
internal import MediaCore

/// Extended attributes, which users, desktops and the system attach to a file (xattr(7)).
extension PosixPath {
  /// Copies the extended attributes from one file to another.
  ///
  /// - Returns: whether all of them were copied.
  package static func copyExtendedAttributes(from old: String, to new: String) -> Bool {
    let (old, new) = (old.systemBytes, new.systemBytes)
    guard let list = unsafe bytes({ unsafe listxattr(old, $0, $1) }) else {
      // A file system without attributes has none to lose, so this is a success.
      return errno == ENOTSUP
    }
    return list.split(separator: 0).allSatisfy { part in
      let name = Array(part) + [0]
      guard let value = unsafe bytes({ unsafe getxattr(old, name, $0, $1) }) else { return false }
      return unsafe setxattr(new, name, value, value.count, 0) == 0
    }
  }

  /// Returns the bytes that a system function gives, or `nil` if it fails.
  private static func bytes(_ read: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [CChar]? {
    // Called without a buffer, these functions return the size that they need.
    let size = read(nil, 0)
    guard size >= 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: size)
    guard size > 0 else { return bytes }
    let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe read(buffer.baseAddress, buffer.count)
    }
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }
}
