// SPDX-License-Identifier: GPL-2.0-or-later
/// The size of a frame, as Core Media's `CMVideoDimensions`.
public struct VideoDimensions: Hashable, Sendable {
  /// Luma samples in a row.
  public var width: Int
  /// Luma rows.
  public var height: Int

  /// The longest side of frames that are made, in luma samples.
  package static let longestSide = 16_384

  /// A size from its sides, in luma samples.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// True if frames can be made of the size.
  package var isPossible: Bool {
    min(width, height) >= 1 && max(width, height) <= Self.longestSide
  }

  /// The same size lying on its other side.
  package var transposed: VideoDimensions { VideoDimensions(width: height, height: width) }
}

extension VideoDimensions: CustomStringConvertible {
  /// Width and height: `1920×1080`.
  public var description: String { "\(width)×\(height)" }
}

/// A part of a frame, in luma samples. Subsampled chroma needs even numbers.
public struct PixelRectangle: Hashable, Sendable {
  /// The left edge; 0 is that of the frame.
  public var x: Int
  /// The upper edge; 0 is that of the frame.
  public var y: Int
  /// Samples in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A rectangle from its left and upper edge and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// All of a frame.
  public init(whole size: VideoDimensions) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The smallest part that holds two.
  package func union(_ other: PixelRectangle) -> PixelRectangle {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRectangle(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// Common part of two rectangles; nil for none.
  package func intersection(_ other: PixelRectangle) -> PixelRectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    guard left < right, top < bottom else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The size without the place.
  public var size: VideoDimensions { VideoDimensions(width: width, height: height) }
}
