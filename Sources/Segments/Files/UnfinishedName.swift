// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// A job's file that does not have its final name yet.
final class UnfinishedName {
  private static let prefix = ".unfinished-"

  /// Returns whether a name belongs to an unfinished file.
  static func isOne(_ name: String) -> Bool {
    // Files with such a name are removed, so compare with the exact spelling that this type writes.
    // A user's `.unfinished-Notes` must not match.
    let mark = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix)
      && UInt64(mark, radix: 36).map { String($0, radix: 36) == mark } ?? false
  }

  private let path: String
  private let name: String
  private let descriptor: Int32
  private var isPublished = false

  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  init(_ path: String) throws {
    self.path = path
    // Other processes, and other hosts, may be writing the same file, so the name is random.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    name = "\(PosixPath.directory(of: path))/\(Self.prefix)\(mark)"
    descriptor = PosixPath.open(name, O_RDWR | O_CREAT | O_EXCL)
    guard descriptor >= 0 else {
      throw TranscodingError(.inputOutput, "\(path) cannot be written: \(SystemCall.text())")
    }
  }

  deinit {
    close(descriptor)
    if !isPublished { _ = unsafe unlink(name.systemBytes) }
  }

  func write(_ bytes: [UInt8]) throws { try check(SystemCall.write(bytes, to: descriptor)) }

  /// Waits until the bytes are on the disk, then gives the file its name.
  func publish() throws {
    // Without this, a power cut could leave a file that has its name but not its content.
    try check(SystemCall.synchronize(descriptor))
    let result = unsafe rename(name.systemBytes, path.systemBytes)
    try check(result == 0 ? 0 : errno)
    isPublished = true
  }

  private func check(_ error: Int32) throws {
    guard error != 0 else { return }
    throw TranscodingError(.inputOutput, "writing \(path) failed: \(SystemCall.text(error))")
  }
}
