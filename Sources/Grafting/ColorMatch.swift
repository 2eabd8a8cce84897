// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Comparison
internal import MediaCore

/// Compares the light and colors of an encode with those of its source, on average over some pairs
/// of frames. An encoder's errors cancel out on average, but the changes of a grade do not.
struct ColorMatch {
  // Levels are shares of the range from black to white. Encodes at x265's rate factor 47 were off
  // by 0.002, and encodes with frames of a sixteenth of the size were off by 0.004.
  private static let sameLight: Float = 0.012
  private static let sameTint: Float = 0.012
  // Low bit rates blur, which lowers the contrast a little.
  private static let sameContrast: ClosedRange<Float> = 0.93...1.05
  // A change of colors is accepted up to `sameColors` + `lostColors` / the colors' strength (their
  // root mean square), because encoders round weak colors away: the loss was up to 0.0025 of the
  // range at rate factor 35, and up to 0.0045 at 47. If the encode's colors are stronger than the
  // source's, the limit is lower: `sameColors` + `addedColors` / strength. No encode's colors were
  // more than 1 % stronger.
  private static let sameColors: Float = 0.04
  private static let (lostColors, addedColors): (Float, Float) = (0.0045, 0.001)
  /// The largest change that is accepted, however weak the colors are.
  private static let mostLost: Float = 0.28
  // Colors with a strength of `leastColors` may become up to 14 % stronger: by `sameColors` +
  // `addedColors` / `leastColors`.
  /// If light varies less than this, or colors are weaker, there is little but noise to compare.
  private static let (leastContrast, leastColors): (Float, Float) = (0.03, 0.01)

  private var light = Sums()
  private var (blue, red) = (Sums(), Sums())
  private var contrast: (product: Float, square: Float) = (0, 0)
  /// Sums over all cells, in which the chroma of a cell is a vector of two components. `same` adds
  /// the dot product of the source's and the encode's vectors, `turned` adds their cross product,
  /// and `square` adds the squared length of the source's vector.
  private var hue: (same: Float, turned: Float, square: Float) = (0, 0, 0)

  private struct Sums {
    var count: Float = 0
    var difference: Float = 0

    var mean: Float { count > 0 ? difference / count : 0 }

    mutating func add(_ one: [Float], _ other: [Float]) {
      for (one, other) in zip(one, other) { difference += other - one }
      count += Float(one.count)
    }
  }

  /// Adds a pair of frames, each by the levels of its cells, one list for each plane.
  mutating func add(_ source: [[Float]], _ encoded: [[Float]]) {
    guard let one = source.first, let other = encoded.first, !one.isEmpty else { return }
    light.add(one, other)
    let mean = one.reduce(0, +) / Float(one.count)
    for (one, other) in zip(one, other) {
      contrast.product += (one - mean) * other
      contrast.square += (one - mean) * (one - mean)
    }
    // Frames without chroma have one plane.
    guard source.count == 3, encoded.count == 3 else { return }
    blue.add(source[1], encoded[1])
    red.add(source[2], encoded[2])
    for index in source[1].indices {
      let (one, two) = (source[1][index], source[2][index])
      let (other, another) = (encoded[1][index], encoded[2][index])
      hue.same += one * other + two * another
      hue.turned += one * another - two * other
      hue.square += one * one + two * two
    }
  }

  /// What differs, as a clause about the encode; `nil` if nothing does.
  var fault: String? {
    if abs(light.mean) > Self.sameLight {
      return light.mean > 0 ? "it is brighter" : "it is darker"
    }
    if contrast.square > Self.leastContrast * Self.leastContrast * light.count,
      !Self.sameContrast.contains(contrast.product / contrast.square)
    {
      return "its contrast is different"
    }
    if max(abs(blue.mean), abs(red.mean)) > Self.sameTint { return "its colors are different" }
    guard hue.square > Self.leastColors * Self.leastColors * blue.count else { return nil }
    let strength = (hue.square / blue.count).squareRoot()
    func limit(_ noise: Float) -> Float { min(Self.sameColors + noise / strength, Self.mostLost) }
    let (same, turned) = (hue.same / hue.square - 1, hue.turned / hue.square)
    if same > limit(Self.addedColors) { return "its colors are stronger" }
    return (same * same + turned * turned).squareRoot() > limit(Self.lostColors)
      ? "its colors are different" : nil
  }
}

extension PixelBuffer {
  /// Returns the levels of the frame's cells, one list for each plane.
  ///
  /// - Parameters:
  ///   - part: the part of the frame that is looked at.
  ///   - isFullRange: whether the code values have the full range.
  func levels(_ grid: VideoDimensions, part: PixelRectangle, isFullRange: Bool) -> [[Float]] {
    let scale = Float(1 << (max(format.bitDepth, 8) - 8))
    let peak = Float((1 << format.bitDepth) - 1)
    var planes: [[Float]] = []
    for plane in 0..<3 {
      // Frames of different sizes have different samples, so the mean of a few samples of a cell
      // would differ by chance. So count all samples of the cell.
      guard let cells = FrameCells(self, grid, part: part, plane: plane, isExact: true) else {
        break
      }
      let zero: Float = plane > 0 ? 128 * scale : isFullRange ? 0 : 16 * scale
      let range: Float = isFullRange ? peak : plane > 0 ? 224 * scale : 219 * scale
      planes.append(cells.means.map { ($0 * peak - zero) / range })
    }
    return planes
  }
}
