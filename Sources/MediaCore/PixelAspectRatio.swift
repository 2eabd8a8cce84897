// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The shape of a luma sample as it is shown: the ratio of its width to its height. The box 'pasp'
/// (ISO/IEC 14496-12, 12.1.4), `sar_width` and `sar_height` (H.265, E.3.1).
public struct PixelAspectRatio: Hashable, Sendable {
  /// The relative width of a sample, above 0.
  public let horizontalSpacing: Int
  /// The relative height of a sample, above 0.
  public let verticalSpacing: Int

  /// A shape from its relative width and height; nil unless both are above 0 and fit into the 32
  /// bits of 'pasp'.
  public init?(horizontalSpacing: Int, verticalSpacing: Int) {
    guard horizontalSpacing > 0, verticalSpacing > 0,
      max(horizontalSpacing, verticalSpacing) <= UInt32.max
    else { return nil }
    self.init(horizontalSpacing, verticalSpacing)
  }

  private init(_ horizontalSpacing: Int, _ verticalSpacing: Int) {
    (self.horizontalSpacing, self.verticalSpacing) = (horizontalSpacing, verticalSpacing)
  }

  /// Square samples.
  public static let square = PixelAspectRatio(1, 1)

  /// The shape of a sample that lies on its other side.
  package var transposed: PixelAspectRatio {
    PixelAspectRatio(verticalSpacing, horizontalSpacing)
  }
}

extension PixelAspectRatio: CustomStringConvertible {
  /// Width to height: `59:54`.
  public var description: String { "\(horizontalSpacing):\(verticalSpacing)" }
}

extension PixelAspectRatio? {
  /// The shape after a part of a frame was scaled: it changes only if the part's aspect ratio does.
  /// Nil stands for an unstated shape, which counts as square.
  package func scaled(from part: VideoDimensions, to size: VideoDimensions) -> PixelAspectRatio? {
    // Numbers that no frame has change nothing.
    let sides = [part.width, part.height, size.width, size.height]
    guard sides.allSatisfy((1...1 << 15).contains) else { return self }
    let ratio = self ?? .square
    let width = ratio.horizontalSpacing * part.width * size.height
    let height = ratio.verticalSpacing * part.height * size.width
    // Rounding to whole samples is not a change of shape.
    let change =
      Double(width) * Double(ratio.verticalSpacing)
      / (Double(height) * Double(ratio.horizontalSpacing))
    return abs(change - 1) < 0.02 ? self : PixelAspectRatio.reduced(width, to: height)
  }
}

extension PixelAspectRatio {
  /// A ratio in lowest terms, of at most 16 bits a side, as both bitstreams have it; nil where a
  /// side is nothing.
  fileprivate static func reduced(_ width: Int, to height: Int) -> PixelAspectRatio? {
    let divisor = max(greatestCommonDivisor(width, height), 1)
    var (across, down) = (width / divisor, height / divisor)
    while max(across, down) > 65_535 { (across, down) = (max(across / 2, 1), max(down / 2, 1)) }
    return PixelAspectRatio(horizontalSpacing: across, verticalSpacing: down)
  }
}
