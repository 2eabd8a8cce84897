// SPDX-License-Identifier: GPL-2.0-or-later
package import VideoEncoders

/// The minimum number of frames in a segment is `usual`. But if key frames have to be closer than
/// `shortest` frames, it is twice their maximum distance, and at least `shortest`.
private let (usual, shortest) = (240, 120)

/// Chooses the length of segments to suit the encoder's key frames.
extension VideoEncoderSettings {
  /// The maximum number of frames from one key frame to the next; `Int.max` if there is no limit.
  private var interval: Int {
    // Without a setting, x264 and x265 place a key frame after 250 frames at the latest. The same
    // is assumed of SVT-AV1.
    maxKeyFrameInterval.map { $0 > 0 ? $0 : .max } ?? 250
  }

  /// The minimum number of frames in a segment.
  var fewestSegmentFrames: Int { interval >= shortest ? usual : max(2 * interval, shortest) }

  /// Returns the numbers of the frames at which the second and all later segments begin, assuming
  /// that no scene begins nearby.
  func segmentPlaces(among frames: Int) -> [Int] {
    let fewest = fewestSegmentFrames
    // Use a multiple of the interval. A single encoder would place key frames there anyway, so
    // segments add no key frames. But if key frames are very far apart, a multiple of the interval
    // would make segments too long, so ignore the interval.
    let step = interval > 2 * usual ? fewest : (fewest + interval - 1) / interval * interval
    return Array(stride(from: step, through: frames - fewest, by: step))
  }

  /// Returns the number of frames in each segment, assuming that no scene begins nearby.
  package func segmentCounts(among frames: Int) -> [Int] {
    let bounds = [0] + segmentPlaces(among: frames) + [frames]
    return zip(bounds, bounds.dropFirst()).map { $1 - $0 }
  }
}
