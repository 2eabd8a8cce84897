// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import LibAV

/// Counts damage and other findings while a track is read. It can also turn damage into an error.
package final class ReadingTally {
  /// Number of packets, frames and values of dynamic metadata that were missing or damaged, and
  /// were concealed or left out.
  package private(set) var damagedCount = 0
  /// Number of frames that were lost or damaged.
  package private(set) var lostFrameCount = 0
  /// Number of packets read so far that contain a frame.
  package private(set) var readFrameCount = 0
  /// Number of decoded frames with captions.
  package private(set) var captionCount = 0
  // Frames before the first requested one may refer to samples that were not read, so their errors
  // do not count as damage.
  /// Whether the first requested frame is still to come.
  var isEarly: Bool

  private let trackID: Int
  private let concealsDamage: Bool

  package init(of track: AssetTrack, concealsDamage: Bool, isEarly: Bool = false) {
    trackID = track.demuxed.id
    (self.concealsDamage, self.isEarly) = (concealsDamage, isEarly)
  }

  /// Counts damage, or throws if damage is not concealed.
  package func addDamage(_ reason: String = "a frame is incomplete", count: Int = 1) throws {
    guard !isEarly else { return }
    damagedCount += count
    guard !concealsDamage else { return }
    throw TranscodingError(
      .unusableInput, "track \(trackID) is damaged: \(reason)", code: .damagedInput)
  }

  /// Counts samples that should be copied but cannot be read, or throws if damage is not concealed.
  package func addUnreadableSamples(_ count: Int) throws {
    guard count > 0 else { return }
    try addDamage("\(count.counted("sample")) cannot be read", count: count)
  }

  /// Counts a lost or damaged frame.
  func addLostFrame(_ reason: String = "a frame is incomplete") throws {
    if !isEarly { lostFrameCount += 1 }
    try addDamage(reason)
  }

  func addReadFrame() { readFrameCount += 1 }

  func addCaptions() { captionCount += 1 }

  /// Throws if several frames are lost, and more are lost than are whole.
  ///
  /// - Parameter path: the file, for the message.
  /// - Throws: ``TranscodingError`` of kind `unusableInput`.
  package func refuseMajority(of path: String) throws(TranscodingError) {
    // The result would not look like the source. Usually, the source uses a variant of the codec
    // that FFmpeg cannot decode.
    guard lostFrameCount > readFrameCount - lostFrameCount, lostFrameCount > 1 else { return }
    throw TranscodingError(
      .unusableInput,
      "\(path): \(lostFrameCount) of its \(readFrameCount.counted("frame")) cannot be decoded: it "
        + "is damaged beyond use, or uses a variant of the codec that this FFmpeg library cannot "
        + "decode")
  }
}
