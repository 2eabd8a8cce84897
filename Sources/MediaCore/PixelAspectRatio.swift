// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The shape of a luma sample when it is shown, as the ratio of its width to its height: the box
/// 'pasp' (ISO/IEC 14496-12, 12.1.4), `sar_width` and `sar_height` (H.265, E.3.1).
public struct PixelAspectRatio: Hashable, Sendable {
  /// The relative width of a sample, above 0.
  public let horizontalSpacing: Int
  /// The relative height of a sample, above 0.
  public let verticalSpacing: Int

  /// Makes a shape from its relative width and height; `nil` unless both are above 0 and fit into
  /// the 32 bits of 'pasp'.
  public init?(horizontalSpacing: Int, verticalSpacing: Int) {
    guard horizontalSpacing > 0, verticalSpacing > 0,
      max(horizontalSpacing, verticalSpacing) <= UInt32.max
    else { return nil }
    self.init(horizontalSpacing, verticalSpacing)
  }

  private init(_ horizontalSpacing: Int, _ verticalSpacing: Int) {
    (self.horizontalSpacing, self.verticalSpacing) = (horizontalSpacing, verticalSpacing)
  }

  /// The shape of square samples, 1:1.
  public static let square = PixelAspectRatio(1, 1)

  /// The shape of a sample after a quarter turn.
  package var transposed: PixelAspectRatio {
    PixelAspectRatio(verticalSpacing, horizontalSpacing)
  }
}

extension PixelAspectRatio: CustomStringConvertible {
  /// The width, a colon and the height: `59:54`.
  public var description: String { "\(horizontalSpacing):\(verticalSpacing)" }
}

extension PixelAspectRatio? {
  /// Returns the shape after scaling a part of a frame. It changes only if scaling changes the
  /// part's aspect ratio. `nil` is an undeclared shape and counts as square.
  package func scaled(from part: VideoDimensions, to size: VideoDimensions) -> PixelAspectRatio? {
    // Sides up to 2¹⁵ and spacings below 2³² keep the products below 2⁶². With longer sides, the
    // shape is left unchanged.
    let sides = [part.width, part.height, size.width, size.height]
    guard sides.allSatisfy((1...1 << 15).contains) else { return self }
    let ratio = self ?? .square
    let width = ratio.horizontalSpacing * part.width * size.height
    let height = ratio.verticalSpacing * part.height * size.width
    // Rounding to whole samples changes the ratio a little, but that does not count as a change of
    // shape.
    let change =
      Double(width) * Double(ratio.verticalSpacing)
      / (Double(height) * Double(ratio.horizontalSpacing))
    return abs(change - 1) < 0.02 ? self : PixelAspectRatio.reduced(width, to: height)
  }
}

extension PixelAspectRatio {
  /// Returns a ratio in lowest terms, approximated if one of its numbers has more than 16 bits;
  /// `nil` if one of them is zero.
  fileprivate static func reduced(_ width: Int, to height: Int) -> PixelAspectRatio? {
    let divisor = max(greatestCommonDivisor(width, height), 1)
    var (across, down) = (width / divisor, height / divisor)
    // `sar_width` and `sar_height` have 16 bits in H.264 and in HEVC. The fields of `pasp` have 32.
    while max(across, down) > 65_535 { (across, down) = (max(across / 2, 1), max(down / 2, 1)) }
    return PixelAspectRatio(horizontalSpacing: across, verticalSpacing: down)
  }
}
