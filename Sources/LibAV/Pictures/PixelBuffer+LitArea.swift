// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

extension PixelBuffer {
  /// Returns the part of a planar frame that is not black; `nil` if the whole frame is black. Rows
  /// and columns at the edges are left out if they are black on average and have only a few bright
  /// samples.
  ///
  /// Traces of compression in black bars do not count as image. Letters and logos do count, because
  /// they are bright.
  ///
  /// - Parameter black: the code value of black in Y', or in each of G', B' and R'.
  package func litArea(black: Int, isRGB: Bool) -> PixelRectangle? {
    let unit = 1 << (format.bitDepth - 8)
    let areas = unsafe planes.prefix(isRGB ? 3 : 1).compactMap { plane in
      format.bytesPerSample == 1
        ? unsafe Self.litArea(plane, UInt8.self, black, unit)
        : unsafe Self.litArea(plane, UInt16.self, black, unit)
    }
    return areas.reduce(nil) { $0?.union($1) ?? $1 }
  }

  /// The limits, in 8-bit code values above black. A sample is bright if it exceeds `bright`. A row
  /// or column is lit if its mean exceeds `litMean`, or if more than a few of its samples are
  /// bright.
  private static let (litMean, bright) = (6, 40)

  private static func litArea<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ plane: Plane, _: Sample.Type, _ black: Int, _ unit: Int
  ) -> PixelRectangle? {
    let size = MemoryLayout<Sample>.stride
    func isLit(_ start: Int, _ count: Int, _ step: Int) -> Bool {
      let (most, mostBright) = (litMean * unit * count, max(count / 200, 1))
      var (sum, brightCount) = (0, 0)
      for index in 0..<count {
        let sample = unsafe plane.baseAddress.load(
          fromByteOffset: start + index * step, as: Sample.self)
        let light = max(Int(sample) - black, 0)
        sum += light
        if light > bright * unit { brightCount += 1 }
        // Most rows of the image itself are lit within a few samples, so stop early.
        if sum > most || brightCount > mostBright { return true }
      }
      return false
    }
    let (width, height, bytesPerRow) = unsafe (plane.width, plane.height, plane.bytesPerRow)
    func isRowLit(_ y: Int) -> Bool { isLit(y * bytesPerRow, width, size) }
    guard let top = (0..<height).first(where: isRowLit),
      let bottom = (0..<height).last(where: isRowLit)
    else { return nil }
    let rows = bottom - top + 1
    func isColumnLit(_ x: Int) -> Bool { isLit(top * bytesPerRow + x * size, rows, bytesPerRow) }
    guard let left = (0..<width).first(where: isColumnLit),
      let right = (0..<width).last(where: isColumnLit)
    else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left + 1, height: rows)
  }
}
