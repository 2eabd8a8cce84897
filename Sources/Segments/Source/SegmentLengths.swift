// SPDX-License-Identifier: GPL-2.0-or-later
package import VideoEncoders

/// The lengths that segments are planned with.
package struct SegmentLengths: Hashable, Sendable {
  /// The fewest frames of a segment.
  let fewest: Int
  /// Frames from one place where a segment may begin to the next.
  let step: Int

  /// The fewest frames of a segment where key frames are far apart, and where they are near.
  private static let (usual, shortest) = (240, 120)

  /// Lengths for an encoder, whose key frames they follow.
  package init(_ encoder: VideoEncoderSettings) {
    let stated = encoder.maxKeyFrameInterval ?? 250
    let interval = stated > 0 ? stated : .max
    fewest = interval >= Self.shortest ? Self.usual : max(2 * interval, Self.shortest)
    step = interval > 2 * Self.usual ? fewest : (fewest + interval - 1) / interval * interval
  }

  /// The frames with which segments begin behind the first, where no scene begins near.
  func places(among frames: Int) -> [Int] {
    Array(stride(from: step, through: frames - fewest, by: step))
  }

  /// Frames of each segment, where no scene begins near.
  package func counts(among frames: Int) -> [Int] {
    let bounds = [0] + places(among: frames) + [frames]
    return zip(bounds, bounds.dropFirst()).map { $1 - $0 }
  }
}
