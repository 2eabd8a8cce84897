// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Says that an output does not fit on its disk.
package struct SpaceShortage: Sendable, CustomStringConvertible {
  /// The path of the output.
  package let destination: String
  /// The estimated number of bytes that the output needs while it is written.
  package let needed: UInt64
  package let free: UInt64

  /// The shortage as text, with units such as kB and MB.
  package var description: String {
    "\(destination) does not fit on its disk: about \(needed.byteCountText) is needed during the "
      + "run, but only \(free.byteCountText) is free"
  }
}

extension SpaceShortage {
  /// Checks that there is enough room for an output.
  ///
  /// - Parameters:
  ///   - bytes: the estimated number of bytes that the output needs while it is written.
  ///   - destination: the path of the output.
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if there is less room.
  package static func refuse(_ bytes: UInt64, for destination: String) throws {
    guard let shortage = SpaceShortage(of: bytes, for: destination) else { return }
    throw TranscodingError(.inputOutput, "\(shortage); make room", code: .doesNotFit)
  }

  /// Returns `nil` if there is enough room, or if the system does not say.
  package init?(of bytes: UInt64, for destination: String) {
    let place = PosixPath.resolved(destination) ?? destination
    // The folder of a planned output may be missing.
    let folder = PosixPath.existing(PosixPath.directory(of: place))
    var status = statvfs()
    // A file system with 0 blocks does not count blocks, so nothing is known about its free space.
    guard unsafe statvfs(folder.systemBytes, &status) == 0, status.f_blocks > 0 else {
      return nil
    }
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    guard !free.overflow, free.partialValue < bytes else { return nil }
    self.init(destination: destination, needed: bytes, free: free.partialValue)
  }
}
