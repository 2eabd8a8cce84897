// SPDX-License-Identifier: GPL-2.0-or-later
package import VideoEncoders

/// The fewest frames of a segment where key frames are far apart, and where they are near.
private let (usual, shortest) = (240, 120)

/// The lengths that segments are planned with, which follow the encoder's key frames.
extension VideoEncoderSettings {
  /// Frames between two key frames.
  private var interval: Int { maxKeyFrameInterval.map { $0 > 0 ? $0 : .max } ?? 250 }

  /// The fewest frames of a segment.
  var fewestSegmentFrames: Int { interval >= shortest ? usual : max(2 * interval, shortest) }

  /// The frames with which segments begin behind the first, where no scene begins near.
  func segmentPlaces(among frames: Int) -> [Int] {
    let fewest = fewestSegmentFrames
    let step = interval > 2 * usual ? fewest : (fewest + interval - 1) / interval * interval
    return Array(stride(from: step, through: frames - fewest, by: step))
  }

  /// Frames of each segment, where no scene begins near.
  package func segmentCounts(among frames: Int) -> [Int] {
    let bounds = [0] + segmentPlaces(among: frames) + [frames]
    return zip(bounds, bounds.dropFirst()).map { $1 - $0 }
  }
}
