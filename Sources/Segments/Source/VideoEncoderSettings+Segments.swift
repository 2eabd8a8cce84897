// SPDX-License-Identifier: GPL-2.0-or-later
package import VideoEncoders

/// The minimum number of frames in a segment: one for key frames far apart, one for close ones.
private let (usual, shortest) = (240, 120)

/// How long segments are, which follows the encoder's key frames.
extension VideoEncoderSettings {
  /// Frames between two key frames.
  private var interval: Int {
    // Without a setting, x264 and x265 place a key frame after 250 frames at the latest.
    maxKeyFrameInterval.map { $0 > 0 ? $0 : .max } ?? 250
  }

  /// The fewest frames that a segment may have.
  var fewestSegmentFrames: Int { interval >= shortest ? usual : max(2 * interval, shortest) }

  /// Returns the frames that begin segments, without the first, assuming that no scene begins
  /// nearby.
  func segmentPlaces(among frames: Int) -> [Int] {
    let fewest = fewestSegmentFrames
    // A multiple of the interval lies where one encoder would have its key frame, so that none is
    // added. If key frames are very far apart, segments would become too long for that.
    let step = interval > 2 * usual ? fewest : (fewest + interval - 1) / interval * interval
    return Array(stride(from: step, through: frames - fewest, by: step))
  }

  /// Returns the frames of each segment, assuming that no scene begins nearby.
  package func segmentCounts(among frames: Int) -> [Int] {
    let bounds = [0] + segmentPlaces(among: frames) + [frames]
    return zip(bounds, bounds.dropFirst()).map { $1 - $0 }
  }
}
