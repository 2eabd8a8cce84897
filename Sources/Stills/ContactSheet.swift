// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// Several pictures as one, in rows and columns.
package struct ContactSheet: Hashable, Sendable {
  /// Pictures in a row.
  package private(set) var columns: Int
  /// Rows.
  package private(set) var rows: Int

  /// A sheet from a text such as `4x3`, columns and rows; nil for other text.
  package init?(spelling text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1],
      (1...100).contains(columns), (1...100).contains(rows)
    else { return nil }
    (self.columns, self.rows) = (columns, rows)
  }

  /// The sheet without rows and columns that so many pictures do not need.
  func fitting(_ pictures: Int) -> ContactSheet {
    var sheet = self
    sheet.columns = min(columns, max(pictures, 1))
    sheet.rows = min(rows, (max(pictures, 1) + sheet.columns - 1) / sheet.columns)
    return sheet
  }

  /// The number of pictures.
  package var count: Int { columns * rows }

  /// Width of a picture where nobody names one.
  static let usualWidth = 320

  /// The sheet of pictures, which are of one size and format; places without one are black. Nil
  /// where there is none.
  func picture(of pictures: [PixelBuffer]) -> PixelBuffer? {
    guard let first = pictures.first else { return nil }
    let pool = PixelBufferPool(
      first.format, width: first.width * columns, height: first.height * rows)
    return unsafe pool.makeBuffer(attachments: first.attachments) { planes in
      for unsafe(index, plane) in unsafe planes.enumerated() {
        unsafe Self.blacken(plane, index, first)
        for (place, picture) in pictures.prefix(count).enumerated() {
          let source = unsafe picture.planes[index]
          let bytes = unsafe source.width * first.format.bytesPerSample
          let start =
            unsafe place / columns * source.height * plane.bytesPerRow
            + place % columns * bytes
          for row in unsafe 0..<source.height {
            unsafe (plane.baseAddress + start + row * plane.bytesPerRow).copyMemory(
              from: source.baseAddress + row * source.bytesPerRow, byteCount: bytes)
          }
        }
      }
    }
  }

  private static func blacken(
    _ plane: PixelBuffer.MutablePlane, _ index: Int, _ picture: PixelBuffer
  ) {
    let signal = picture.attachments.signal
    let isRGB = signal.color.matrixCoefficients == .identity
    let (depth, isLuma) = (picture.format.bitDepth, index == 0 || isRGB)
    let isFull = isRGB || picture.attachments.signal.videoFullRangeFlag == true
    let darkest = isFull ? 0 : 16 << (depth - 8)
    let value = isLuma ? darkest : 1 << (depth - 1)
    let count = unsafe plane.bytesPerRow * plane.height
    if picture.format.bytesPerSample == 1 {
      unsafe plane.baseAddress.initializeMemory(
        as: UInt8.self, repeating: UInt8(clamping: value), count: count)
    } else {
      unsafe plane.baseAddress.initializeMemory(
        as: UInt16.self, repeating: UInt16(clamping: value), count: count / 2)
    }
  }
}
