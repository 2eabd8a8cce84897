// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The shape of a luma sample as it is shown: the ratio of its width to its height. The box 'pasp'
/// (ISO/IEC 14496-12, 12.1.4), `sar_width` and `sar_height` (H.265, E.3.1).
public struct PixelAspectRatio: Hashable, Sendable {
  /// The relative width of a sample, above 0.
  public var horizontalSpacing: Int
  /// The relative height of a sample, above 0.
  public var verticalSpacing: Int

  /// A shape from its relative width and height, both above 0.
  public init(horizontalSpacing: Int, verticalSpacing: Int) {
    precondition(horizontalSpacing > 0 && verticalSpacing > 0, "a ratio is of numbers above 0")
    self.horizontalSpacing = horizontalSpacing
    self.verticalSpacing = verticalSpacing
  }

  /// Square samples.
  public static let square = PixelAspectRatio(horizontalSpacing: 1, verticalSpacing: 1)
}

extension PixelAspectRatio: CustomStringConvertible {
  /// Width to height: `59:54`.
  public var description: String { "\(horizontalSpacing):\(verticalSpacing)" }
}

extension PixelAspectRatio? {
  /// The shape after a part of a frame was scaled: it changes only if the part's aspect ratio does.
  /// Nil stands for an unstated shape, which counts as square.
  package func scaled(from part: VideoDimensions, to size: VideoDimensions) -> PixelAspectRatio? {
    let ratio = self ?? .square
    let width = ratio.horizontalSpacing * part.width * size.height
    let height = ratio.verticalSpacing * part.height * size.width
    // Rounding to whole samples is not a change of shape.
    let change =
      Double(width * ratio.verticalSpacing) / Double(height * ratio.horizontalSpacing)
    return abs(change - 1) < 0.02 ? self : PixelAspectRatio.reduced(width, to: height)
  }
}

extension PixelAspectRatio {
  /// A ratio in lowest terms, of at most 16 bits a side, as both bitstreams have it.
  fileprivate static func reduced(_ width: Int, to height: Int) -> PixelAspectRatio {
    let divisor = greatestCommonDivisor(width, height)
    var (across, down) = (width / divisor, height / divisor)
    while max(across, down) > 65_535 { (across, down) = (max(across / 2, 1), max(down / 2, 1)) }
    return PixelAspectRatio(horizontalSpacing: across, verticalSpacing: down)
  }
}
