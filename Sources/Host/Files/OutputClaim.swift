// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore
internal import Synchronization

/// A run's claim on the name of an output, for as long as this object lives.
///
/// A second run on the same output should fail when it begins, not after hours of work. The claim
/// is an abstract Unix socket (unix(7)). Only one process at a time can have the socket's name, no
/// file is left behind, and the system frees the name however the process ends. Runs on other
/// machines, or in containers with their own network, do not see the claim. A conflict with such
/// runs shows only at the end, when the output is published.
package final class OutputClaim: Sendable {
  /// What a run claims a name for.
  package enum Purpose: String, Sendable {
    /// Writing the file.
    case writing = "candela-"
    /// A batch's work on the output, from before its source is read until the output is in the
    /// batch's records.
    case work = "candela-work-"
  }

  private let descriptor: Int32

  /// Claims a name.
  ///
  /// - Returns: `nil` if another run has claimed it. On a system without abstract sockets, other
  ///   runs do not see the claim.
  package init?(of path: String, for purpose: Purpose = .writing) {
    descriptor = Self.makeSocket()
    let error = unsafe Self.call(descriptor, path, purpose) { unsafe bind($0, $1, $2) }
    if error == EADDRINUSE { return nil }
  }

  deinit {
    // A process that is just being started has a copy of the socket, which would keep the claim. So
    // wait until no process is being started.
    if descriptor >= 0 { OpenFile.copies.withLock { _ in _ = close(descriptor) } }
  }

  /// Whether a run has claimed a name. Looking does not claim it, not even for a moment.
  package static func isHeld(on path: String, for purpose: Purpose = .writing) -> Bool {
    let socket = OpenFile(closing: makeSocket())
    return unsafe call(socket.descriptor, path, purpose) { unsafe connect($0, $1, $2) } == 0
  }

  private static func makeSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  /// Calls a function of the system with a socket and the address that stands for a name.
  ///
  /// - Returns: 0 or the system's error number; `nil` if there is no such address.
  private static func call(
    _ descriptor: Int32, _ path: String, _ purpose: Purpose,
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32? {
    let place = PosixPath.resolved(path) ?? path
    guard descriptor >= 0, let identity = FileIdentity(nameAt: place) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A leading zero makes the name abstract, so no file is created.
    let name = [0] + Array("\(purpose.rawValue)\(identity.text)".utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe function(descriptor, $0, length)
      }
    }
    return result == 0 ? 0 : errno
  }
}
