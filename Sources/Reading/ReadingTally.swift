// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import LibAV

/// Counts what reading a track met: damage above all, which it can also be told to end at.
package final class ReadingTally {
  /// The number of packets, frames and RPUs that were damaged, and were concealed or left out.
  package private(set) var damagedCount = 0
  /// Frames that were lost or damaged.
  package private(set) var lostFrameCount = 0
  /// Packets of frames that were read.
  package private(set) var readFrameCount = 0
  /// Decoded frames that hold captions.
  package private(set) var captionCount = 0
  /// True until the first frame comes that is wanted. Errors of frames before are no damage: they
  /// may refer to samples that were not read.
  var isEarly: Bool

  private let trackID: Int
  private let concealsDamage: Bool

  package init(of track: AssetTrack, concealsDamage: Bool, isEarly: Bool = false) {
    trackID = track.demuxed.id
    (self.concealsDamage, self.isEarly) = (concealsDamage, isEarly)
  }

  /// Counts damage, or throws where it is not to be concealed.
  package func addDamage(_ reason: String = "a frame is incomplete", count: Int = 1) throws {
    guard !isEarly else { return }
    damagedCount += count
    guard !concealsDamage else { return }
    throw TranscodingError(
      .unusableInput, "track \(trackID) is damaged: \(reason)", code: .damagedInput)
  }

  /// Counts a frame that is damaged, and not only what belongs to it.
  func addLostFrame(_ reason: String = "a frame is incomplete") throws {
    if !isEarly { lostFrameCount += 1 }
    try addDamage(reason)
  }

  func addReadFrame() { readFrameCount += 1 }

  func addCaptions() { captionCount += 1 }

  /// Refuses what was made of a track that is mostly lost.
  ///
  /// - Parameter path: the file that is read.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where more frames are lost than are
  ///   whole: what was made of them is no picture of the source, however it is called.
  package func refuseMajority(of path: String) throws(TranscodingError) {
    guard lostFrameCount > readFrameCount - lostFrameCount, lostFrameCount > 1 else { return }
    throw TranscodingError(
      .unusableInput,
      "\(path): \(lostFrameCount) of its \(readFrameCount.counted("frame")) cannot be decoded: it "
        + "is damaged beyond use, or of a variant that FFmpeg's library does not decode here")
  }
}
