// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints

/// The frames that decoding lost or made up in part, among those that were read.
struct FrameLosses: Sendable {
  /// Packets of frames that were read.
  var readCount = 0
  /// Frames that were lost or damaged.
  var count = 0

  /// - Parameter path: the file that they were read from.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where more frames are lost than are
  ///   whole: what was made of them is no picture of the source, however it is called.
  func refuseMajority(of path: String) throws(TranscodingError) {
    guard count > readCount - count, count > 1 else { return }
    throw TranscodingError(
      .unusableInput,
      "\(path): \(count) of its \(readCount.counted("frame")) cannot be decoded: it is damaged beyond "
        + "use, or of a variant that FFmpeg's library does not decode here")
  }
}
