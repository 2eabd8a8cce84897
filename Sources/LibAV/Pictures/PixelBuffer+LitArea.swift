// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

extension PixelBuffer {
  /// The part of a planar frame that is not black: without the rows and columns at its edges in
  /// which nearly all samples are at most a limit. Nil where nothing is left.
  ///
  /// - Parameter limit: of Y', or of each of G', B' and R'.
  package func litArea(above limit: Int, isRGB: Bool) -> PixelRectangle? {
    let areas = unsafe planes.prefix(isRGB ? 3 : 1).compactMap { plane in
      format.bytesPerSample == 1
        ? unsafe Self.litArea(plane, UInt8.self, limit)
        : unsafe Self.litArea(plane, UInt16.self, limit)
    }
    return areas.reduce(nil) { $0?.union($1) ?? $1 }
  }

  private static func litArea<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ plane: Plane, _: Sample.Type, _ limit: Int
  ) -> PixelRectangle? {
    let size = MemoryLayout<Sample>.stride
    let limit = Sample(clamping: limit)
    /// A few samples of noise are no picture.
    func isLit(_ start: Int, _ count: Int, _ step: Int) -> Bool {
      let needed = max(count / 200, 1)
      var lit = 0
      for index in 0..<count {
        let sample = unsafe plane.baseAddress.load(
          fromByteOffset: start + index * step, as: Sample.self)
        if sample > limit { lit += 1 }
        if lit > needed { return true }
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
