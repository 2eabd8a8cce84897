// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Notices about stills.
extension Notice {
  /// Frames that are smaller than the stills that were asked for.
  static func stillNotEnlarged(to width: Int, from size: VideoDimensions) -> Notice {
    Notice(
      "sizeNotReached", ["size": "\(size)", "wanted": "\(width)"],
      "stills are \(size), not \(width) wide as asked for: frames are never enlarged")
  }
}
