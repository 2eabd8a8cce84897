// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Finds the first frame of each shot. It compares the distribution of luma from one frame to the
/// next, and judges each frame without looking at later ones.
package struct ShotDetector: Sendable {
  private static let binCount = 32
  /// The distance between the columns that are examined, and between the rows.
  private static let step = 8
  /// The share of samples that must move to other bins before a frame counts as the first of a
  /// shot.
  private static let threshold = 0.4

  private var before: [Int]?

  /// Makes a detector that has seen no frame.
  package init() {}

  /// Returns whether a frame, in presentation order, is the first of its shot.
  package mutating func beginsShot(_ picture: PixelBuffer) -> Bool {
    let bins = Self.histogram(picture)
    defer { before = bins }
    guard let before else { return true }
    let moved = zip(bins, before).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
    // A cut moves many samples to other bins. Pans, and flashes in part of the frame, move fewer.
    return Double(moved) > Self.threshold * Double(max(bins.reduce(0, +), 1))
  }

  private static func histogram(_ picture: PixelBuffer) -> [Int] {
    var bins = [Int](repeating: 0, count: binCount)
    let depth = picture.format.bitDepth
    // With 32 bins, the upper five bits of a sample select its bin. Two-plane formats of more than
    // 8 bits have them at the top of a 16-bit word.
    let shift = picture.format.layout == .biPlanar && depth > 8 ? 16 - 5 : depth - 5
    let plane = unsafe picture.planes[0]
    for line in unsafe stride(from: 0, to: plane.height, by: step) {
      let row = unsafe plane.baseAddress + line * plane.bytesPerRow
      for column in unsafe stride(from: 0, to: plane.width, by: step) {
        let sample =
          depth > 8
          ? Int(unsafe row.load(fromByteOffset: column * 2, as: UInt16.self))
          : Int(unsafe row.load(fromByteOffset: column, as: UInt8.self))
        bins[min(sample >> shift, binCount - 1)] += 1
      }
    }
    return bins
  }
}
