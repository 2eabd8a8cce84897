// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import MediaCore

/// Rotates and mirrors an output's frames to the orientation of the source's frames.
package struct FrameTurn: Sendable {
  // A step to the right in the result is a move in the original frame, by `across.right` columns
  // and `along.right` rows. A step down is a move by `across.down` columns and `along.down` rows.
  private let across: (right: Int, down: Int)
  private let along: (right: Int, down: Int)

  /// Creates the turn from the display matrices of both files. Returns `nil` if a matrix does more
  /// than rotate by quarter turns, mirror and scale.
  package init?(from output: [Int32]?, to source: [Int32]?) {
    guard let one = Self.turn(source), let other = Self.turn(output) else { return nil }
    // First, the output's matrix turns a frame into the image as shown. Then the inverse of the
    // source's matrix turns that image into the source's orientation. For quarter turns and
    // mirrorings, the inverse of a matrix is its transpose.
    across = (one.a * other.a + one.b * other.b, one.c * other.a + one.d * other.b)
    along = (one.a * other.c + one.b * other.d, one.c * other.c + one.d * other.d)
  }

  private static func turn(_ matrix: [Int32]?) -> (a: Int, b: Int, c: Int, d: Int)? {
    guard let matrix else { return (1, 0, 0, 1) }
    return DisplayMatrix(matrix)?.quarterTurn
  }

  /// Whether frames already have the same orientation.
  package var isIdentity: Bool { across == (1, 0) && along == (0, 1) }

  /// Whether rows become columns.
  private var isTransposed: Bool { across.right == 0 }

  /// Returns the turned frame, or `nil` if the frame is not planar or its chroma would be
  /// subsampled only vertically.
  ///
  /// - Parameter size: the size of the source's frames.
  package func callAsFunction(_ frame: PixelBuffer, as size: VideoDimensions) -> PixelBuffer? {
    // If the matrices differ by a quarter turn, but both frames are wide or both are tall, nothing
    // was turned: the output only lost its matrix. In that case, compare the frame unturned.
    let isLost =
      isTransposed && frame.width != frame.height
      && (frame.width > frame.height) == (size.width > size.height)
    guard !isIdentity, !isLost else { return frame }
    // After a quarter turn, 4:2:2 would have half the chroma rows but all columns. There is no
    // pixel format for that.
    guard !isTransposed || frame.format.chromaSubsampling != .cs422, frame.format.layout == .planar
    else { return nil }
    let turned = isTransposed ? frame.size.transposed : frame.size
    let pool = PixelBufferPool(frame.format, width: turned.width, height: turned.height)
    return unsafe pool.makeBuffer(from: frame) { planes in
      for index in unsafe planes.indices {
        if frame.format.bytesPerSample == 1 {
          unsafe copy(frame.planes[index], to: planes[index], UInt8.self)
        } else {
          unsafe copy(frame.planes[index], to: planes[index], UInt16.self)
        }
      }
    }
  }

  private func copy<Sample>(
    _ source: PixelBuffer.Plane, to target: PixelBuffer.MutablePlane, _: Sample.Type
  ) {
    let stride = MemoryLayout<Sample>.stride
    let (width, height) = unsafe (source.width, source.height)
    func place(_ direction: Int, _ index: Int, _ length: Int) -> Int {
      direction > 0 ? index : length - 1 - index
    }
    for y in unsafe 0..<target.height {
      let row = unsafe (target.baseAddress + y * target.bytesPerRow)
        .assumingMemoryBound(to: Sample.self)
      for x in unsafe 0..<target.width {
        let column = isTransposed ? place(across.down, y, width) : place(across.right, x, width)
        let line = isTransposed ? place(along.right, x, height) : place(along.down, y, height)
        unsafe row[x] = unsafe source.baseAddress.load(
          fromByteOffset: line * source.bytesPerRow + column * stride, as: Sample.self)
      }
    }
  }
}
