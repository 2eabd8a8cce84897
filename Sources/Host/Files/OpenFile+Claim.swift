// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

extension OpenFile {
  /// The claim of a run on the name of its output, as long as it is open, so that a second run on
  /// that name fails when it begins, not after its work.
  ///
  /// It is an abstract Unix socket (unix(7)): a name that one process has, that is no file, and
  /// that the system takes back however the process ends. Runs on other machines, or in containers
  /// with a network of their own, do not see it: publishing tells them in the end.
  ///
  /// - Returns: nil where another run has claimed it. Where the system has no such sockets, there
  ///   is a claim that no other run sees.
  static func claim(on destination: String) -> OpenFile? {
    let claim = OpenFile(
      closing: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    guard claim.descriptor >= 0, let identity = FileIdentity(nameAt: destination) else {
      return claim
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A zero at the beginning says that the name is no file's.
    let name = [0] + Array("candela-\(identity.text)".utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(claim.descriptor, $0, length)
      }
    }
    return result != 0 && errno == EADDRINUSE ? nil : claim
  }
}
