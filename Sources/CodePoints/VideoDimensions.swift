// SPDX-License-Identifier: GPL-2.0-or-later
/// The size of a frame, like Core Media's `CMVideoDimensions`.
public struct VideoDimensions: Hashable, Sendable {
  /// The width in luma samples.
  public var width: Int
  /// The height in luma samples.
  public var height: Int

  /// The longest side that a frame can have, in luma samples.
  package static let longestSide = 16_384

  /// Makes a size from its sides, in luma samples.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether a frame of this size can be made.
  package var isPossible: Bool {
    min(width, height) >= 1 && max(width, height) <= Self.longestSide
  }

  /// The size with width and height swapped.
  package var transposed: VideoDimensions { VideoDimensions(width: height, height: width) }
}

extension VideoDimensions: CustomStringConvertible {
  /// The width and height: `1920×1080`.
  public var description: String { "\(width)×\(height)" }
}

/// A part of a frame, in luma samples. In a direction in which chroma is subsampled, position and
/// size must be even.
public struct PixelRectangle: Hashable, Sendable {
  /// The distance from the frame's left edge.
  public var x: Int
  /// The distance from the frame's upper edge.
  public var y: Int
  /// The width in luma samples.
  public var width: Int
  /// The height in luma samples.
  public var height: Int

  /// Makes a rectangle from its left and upper edges and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Makes a rectangle that covers a whole frame.
  public init(whole size: VideoDimensions) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// Returns the smallest rectangle that contains both rectangles.
  package func union(_ other: PixelRectangle) -> PixelRectangle {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRectangle(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// Returns the part that both rectangles share, or `nil` if they do not overlap.
  package func intersection(_ other: PixelRectangle) -> PixelRectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    // Rectangles that only touch share no pixel.
    guard left < right, top < bottom else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The size of the rectangle.
  public var size: VideoDimensions { VideoDimensions(width: width, height: height) }
}
