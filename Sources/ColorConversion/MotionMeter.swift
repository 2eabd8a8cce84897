// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Measures how much luma differs from frame to frame. It compares means of 2 × 2 samples.
package struct MotionMeter: Sendable {
  /// The distance between the columns that are examined, and between the rows.
  private static let step = 8
  /// Scenes count as still if their mean difference is below this share of the largest code value.
  /// In still scenes, encoders give the first frames lower quality than later ones. In other
  /// scenes, the quality is about the same from the beginning.
  private static let threshold = 1.0 / 255

  private var before: [Int] = []
  private var difference = 0.0
  private var count = 0

  /// Makes a meter that has seen no frame.
  package init() {}

  /// Whether the frames that were added hardly differ.
  package var isStill: Bool { count > 0 && difference / Double(count) < Self.threshold }

  /// Compares the next frame with the one before it.
  package mutating func add(_ picture: PixelBuffer) {
    let means = Self.means(picture)
    defer { before = means }
    guard means.count == before.count, !means.isEmpty else { return }
    let sum = zip(means, before).reduce(0) { $0 + abs($1.0 - $1.1) }
    let depth = picture.format.bitDepth
    // Two-plane formats keep samples in the upper bits of a word, so their values have 16 bits.
    let bits = picture.format.layout == .biPlanar && depth > 8 ? 16 : depth
    difference += Double(sum) / Double(4 * means.count * (1 << bits - 1))
    count += 1
  }

  /// Returns the sums of 2 × 2 samples.
  private static func means(_ picture: PixelBuffer) -> [Int] {
    let plane = unsafe picture.planes[0]
    let isWide = picture.format.bitDepth > 8
    func sample(_ row: UnsafeRawPointer, _ column: Int) -> Int {
      isWide
        ? Int(unsafe row.load(fromByteOffset: column * 2, as: UInt16.self))
        : Int(unsafe row.load(fromByteOffset: column, as: UInt8.self))
    }
    // Four samples are added up, because the noise of single samples would look like motion.
    var sums: [Int] = []
    for line in unsafe stride(from: 0, to: plane.height - 1, by: step) {
      let row = unsafe UnsafeRawPointer(plane.baseAddress + line * plane.bytesPerRow)
      let next = unsafe row + plane.bytesPerRow
      for column in unsafe stride(from: 0, to: plane.width - 1, by: step) {
        unsafe sums.append(
          sample(row, column) + sample(row, column + 1) + sample(next, column)
            + sample(next, column + 1))
      }
    }
    return sums
  }
}
