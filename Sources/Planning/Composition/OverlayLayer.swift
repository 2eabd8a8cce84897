// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// One component of an overlay, with code values multiplied by opacity.
struct OverlayLayer: Sendable {
  let width: Int
  let height: Int
  let color: [Float]
  let cover: [Float]

  /// Computes two means over the pixels of each sample: of color times opacity, and of opacity
  /// alone.
  ///
  /// - Parameters:
  ///   - codes: a code value for each pixel, row by row.
  ///   - opacity: 0…1 for each pixel.
  ///   - shift: how many pixels a sample covers across and down, as base-two logarithms.
  ///   - phase: the position of the first pixel inside its sample.
  init(
    codes: [Float], opacity: [Float], size: VideoDimensions, shift: (x: Int, y: Int),
    phase: (x: Int, y: Int)
  ) {
    width = (size.width + phase.x + (1 << shift.x) - 1) >> shift.x
    height = (size.height + phase.y + (1 << shift.y) - 1) >> shift.y
    var color = [Float](repeating: 0, count: width * height)
    var cover = color
    // Even at the edge, divide by the number of pixels of a whole sample, because pixels beyond the
    // image count as transparent. Multiply color by opacity before averaging. Otherwise,
    // transparent pixels would tint the edges.
    let share = 1 / Float(1 << (shift.x + shift.y))
    for y in 0..<size.height {
      let row = (y + phase.y) >> shift.y * width
      for x in 0..<size.width {
        let (pixel, sample) = (y * size.width + x, row + (x + phase.x) >> shift.x)
        color[sample] += codes[pixel] * opacity[pixel] * share
        cover[sample] += opacity[pixel] * share
      }
    }
    self.color = color
    self.cover = cover
  }
}
