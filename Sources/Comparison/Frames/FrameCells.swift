// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// A frame reduced to a few cells of one plane, usually the first (Y′ or G′). The cells keep what
/// the image shows, but not its noise, its details or its size.
package struct FrameCells: Sendable {
  /// The mean of each cell, row by row, from 0 to 1.
  package let means: [Float]

  /// Returns the number of cells across and down for frames of two sizes.
  package static func grid(_ one: VideoDimensions, _ other: VideoDimensions) -> VideoDimensions {
    // No cell is smaller than an encoder's 16 × 16 block, in which all detail may vanish at low bit
    // rates.
    VideoDimensions(
      width: min(max(min(one.width, other.width) / 16, 1), 32),
      height: min(max(min(one.height, other.height) / 16, 1), 18))
  }

  // About this many samples in each direction of a cell are enough to tell whether two frames show
  // the same thing. More samples would take time and change little.
  private static let samples = 8

  /// - Parameters:
  ///   - part: the part of the frame that the cells cover, in luma samples, or `nil` for the whole
  ///     frame.
  ///   - plane: the number of the plane, counted from 0.
  ///   - isExact: whether every sample counts.
  /// - Returns: `nil` if the frame's format is not planar, or if it has no plane with that number.
  package init?(
    _ frame: PixelBuffer, _ grid: VideoDimensions, part: PixelRectangle? = nil, plane: Int = 0,
    isExact: Bool = false
  ) {
    guard frame.format.layout == .planar, frame.width > 0, frame.height > 0,
      unsafe frame.planes.indices.contains(plane)
    else { return nil }
    let samples = unsafe frame.planes[plane]
    var part = part ?? PixelRectangle(whole: frame.size)
    if plane > 0 {
      let (width, height) = unsafe (samples.width, samples.height)
      part = PixelRectangle(
        x: part.x * width / frame.width, y: part.y * height / frame.height,
        width: part.width * width / frame.width, height: part.height * height / frame.height)
    }
    let peak = Float((1 << frame.format.bitDepth) - 1)
    let most = isExact ? Int.max : Self.samples
    means =
      frame.format.bytesPerSample == 1
      ? unsafe Self.means(samples, UInt8.self, part, grid, peak, most)
      : unsafe Self.means(samples, UInt16.self, part, grid, peak, most)
  }

  private static func means<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ plane: PixelBuffer.Plane, _: Sample.Type, _ part: PixelRectangle, _ grid: VideoDimensions,
    _ peak: Float, _ samples: Int
  ) -> [Float] {
    let bytesPerRow = unsafe plane.bytesPerRow
    func places(_ index: Int, of count: Int, in length: Int) -> StrideTo<Int> {
      let start = index * length / count
      let end = min(max((index + 1) * length / count, start + 1), length)
      return stride(from: start, to: end, by: max((end - start) / samples, 1))
    }
    var means: [Float] = []
    means.reserveCapacity(grid.width * grid.height)
    for row in 0..<grid.height {
      for column in 0..<grid.width {
        var (sum, count) = (0, 0)
        for y in places(row, of: grid.height, in: part.height) {
          for x in places(column, of: grid.width, in: part.width) {
            sum += Int(
              unsafe plane.baseAddress.load(
                fromByteOffset: (part.y + y) * bytesPerRow
                  + (part.x + x) * MemoryLayout<Sample>.stride,
                as: Sample.self))
            count += 1
          }
        }
        means.append(Float(sum) / Float(max(count, 1)) / peak)
      }
    }
    return means
  }

  private var mean: Float { means.reduce(0, +) / Float(means.count) }

  /// Returns the share of cells whose means differ from the given means by more than a limit.
  private func part(beyond limit: Float, from others: [Float]) -> Float {
    Float(zip(means, others).count { abs($0 - $1) > limit }) / Float(means.count)
  }

  /// Returns the mean difference of the cells from those of another frame.
  package func difference(from other: FrameCells) -> Float {
    zip(means, other.means).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(means.count)
  }

  /// Whether the frame shows nothing, because all cells are nearly the same.
  package var isFlat: Bool {
    let (least, most) = (means.min() ?? 0, means.max() ?? 0)
    // A white frame does not count as flat, because tone curves turn everything bright into white.
    return most - least < 0.01 && most < 0.9
  }

  /// Whether the frame certainly shows something, because many cells differ from the mean.
  var isVaried: Bool {
    part(beyond: 0.1, from: [Float](repeating: mean, count: means.count)) >= 0.1
  }

  // 0.004 is just above one code value in 8 bits.
  /// Whether another frame is the same, except for rounding.
  func isSame(as other: FrameCells) -> Bool { part(beyond: 0.004, from: other.means) == 0 }

  // No encoder changes 3 % of the cells by as much as 15 % of full scale.
  /// Whether another frame certainly shows something else.
  package func isOther(than other: FrameCells) -> Bool {
    part(beyond: 0.15, from: other.means) >= 0.03
  }

  /// Whether another frame is bright and dark in the same places, whatever tone curve it went
  /// through.
  package func hasPlaces(of other: FrameCells) -> Bool {
    let (one, two) = (mean, other.mean)
    var (product, squares, others): (Float, Float, Float) = (0, 0, 0)
    for (a, b) in zip(means, other.means) {
      product += (a - one) * (b - two)
      squares += (a - one) * (a - one)
      others += (b - two) * (b - two)
    }
    // The correlation of the two frames has to exceed 0.9. It is undefined for flat frames, and low
    // if one shows only a part of the other.
    return product > 0.9 * (squares * others).squareRoot()
  }
}
