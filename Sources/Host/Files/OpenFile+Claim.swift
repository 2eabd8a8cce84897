// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

extension OpenFile {
  /// Claims the name of an output for this run, for as long as the returned file is open.
  ///
  /// - Returns: `nil` if another run has claimed it. On a system without abstract sockets, other
  ///   runs do not see the claim.
  static func claim(on destination: String) -> OpenFile? {
    // A second run on the same output should fail when it begins, not after hours of work. The
    // claim is an abstract Unix socket (unix(7)). One process at a time can have its name, no file
    // is left behind, and the system frees it however the process ends. Runs on other machines, or
    // in containers with their own network, do not see it. A conflict with such runs shows only at
    // the end, when the output is published.
    let claim = OpenFile(
      closing: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    guard claim.descriptor >= 0, let identity = FileIdentity(nameAt: destination) else {
      return claim
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A leading zero makes the name abstract, so no file is created.
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
