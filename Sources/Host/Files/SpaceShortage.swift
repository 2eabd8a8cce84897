// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// A disk with less room than an output needs.
package struct SpaceShortage: Sendable, CustomStringConvertible {
  /// The output.
  package let destination: String
  /// The bytes that it takes on the way, by estimate.
  package let needed: UInt64
  /// The bytes that are free.
  package let free: UInt64

  /// The shortage for people, in bytes, kB, MB and so on.
  package var description: String {
    "\(destination) does not fit on its disk: about \(needed.byteCountText) are needed on the "
      + "way, \(free.byteCountText) are free"
  }
}

extension SpaceShortage {
  /// - Parameters:
  ///   - bytes: the estimate of the bytes that the output takes on the way.
  ///   - destination: the path at which it is to appear.
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where there is less room. What the system
  ///   does not tell is no obstacle.
  package static func refuse(_ bytes: UInt64, for destination: String) throws {
    guard let shortage = SpaceShortage(of: bytes, for: destination) else { return }
    throw TranscodingError(.inputOutput, "\(shortage); make room", code: .doesNotFit)
  }

  /// Shortage of space for so many bytes; nil where there is enough, or where the system states
  /// none.
  package init?(of bytes: UInt64, for destination: String) {
    let place = PosixPath.resolved(destination) ?? destination
    var status = statvfs()
    guard unsafe statvfs(SystemPath.bytes(PosixPath.directory(of: place)), &status) == 0,
      status.f_blocks > 0
    else {
      return nil
    }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    guard !free.overflow, free.partialValue < bytes else { return nil }
    self.init(destination: destination, needed: bytes, free: free.partialValue)
  }
}
