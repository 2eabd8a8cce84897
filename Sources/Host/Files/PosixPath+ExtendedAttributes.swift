// SPDX-License-Identifier: GPL-2.0-or-later
internal import CExtendedAttributes
internal import Glibc
internal import MediaCore

/// Attributes that users, desktops and the system itself attach to a file beside its content
/// (xattr(7)).
extension PosixPath {
  /// Gives a file the extended attributes of another.
  ///
  /// - Returns: true if all were copied.
  package static func copyExtendedAttributes(from old: String, to new: String) -> Bool {
    let (old, new) = (SystemPath.bytes(old), SystemPath.bytes(new))
    guard let list = unsafe bytes({ unsafe listxattr(old, $0, $1) }) else {
      return errno == ENOTSUP
    }
    return list.split(separator: 0).allSatisfy { part in
      let name = Array(part) + [0]
      guard let value = unsafe bytes({ unsafe getxattr(old, name, $0, $1) }) else { return false }
      return unsafe setxattr(new, name, value, value.count, 0) == 0
    }
  }

  /// Bytes that a function of the system gives; nil where it fails. Without a buffer it returns
  /// their number.
  private static func bytes(_ read: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [CChar]? {
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
