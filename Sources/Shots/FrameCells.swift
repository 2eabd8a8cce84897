// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Mean luma of the cells of a frame, which tells what of a scene stands still.
struct FrameCells: Sendable {
  /// Cells across and down.
  private static let count = 16
  /// So many samples lie between two that are counted, across and down.
  private static let step = 4
  /// Cells that differ less are the same, and those that are darker are black: parts of the largest
  /// code value.
  private static let (same, black) = (0.01, 0.085)

  private let means: [Double]

  init(of picture: PixelBuffer) {
    var sums = [Int](repeating: 0, count: Self.count * Self.count)
    var counts = sums
    func add<Sample: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(_ y: Int, _: Sample.Type) {
      let first = y * Self.count / picture.height * Self.count
      picture.withRow(y, as: Sample.self) { row in
        for x in stride(from: 0, to: picture.width, by: Self.step) {
          let cell = first + x * Self.count / picture.width
          sums[cell] += Int(row[x])
          counts[cell] += 1
        }
      }
    }
    let isWide = picture.format.bytesPerSample == 2
    for y in stride(from: 0, to: picture.height, by: Self.step) {
      if isWide { add(y, UInt16.self) } else { add(y, UInt8.self) }
    }
    let most = Double((1 << picture.format.bitDepth) - 1)
    means = zip(sums, counts).map { $1 > 0 ? Double($0) / Double($1) / most : 0 }
  }

  /// The share of the cells that are as they were, 0…1. Those that are black in both say nothing.
  func unchangedShare(since other: FrameCells) -> Double {
    var (seen, unchanged) = (0, 0)
    for (one, before) in zip(means, other.means) where max(one, before) > Self.black {
      seen += 1
      if abs(one - before) < Self.same { unchanged += 1 }
    }
    return seen > 0 ? Double(unchanged) / Double(seen) : 1
  }
}
