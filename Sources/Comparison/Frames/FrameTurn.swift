// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Turns and mirrors frames of an output by quarters, so that they lie as those of the source,
/// where one file has the turn in its frames and the other in its matrix.
struct FrameTurn: Sendable {
  // Direction in the frame of a step to the right, and of one down, in the result.
  private let across: (right: Int, down: Int)
  private let along: (right: Int, down: Int)

  /// The turn that leads from frames with one matrix to frames with another; nil where a matrix
  /// does more than turn and mirror.
  init?(from output: [Int32]?, to source: [Int32]?) {
    guard let one = Self.turn(source), let other = Self.turn(output) else { return nil }
    // The inverse of the source's matrix, which is its transpose, times the output's.
    across = (one.a * other.a + one.b * other.b, one.c * other.a + one.d * other.b)
    along = (one.a * other.c + one.b * other.d, one.c * other.c + one.d * other.d)
  }

  private static func turn(_ matrix: [Int32]?) -> (a: Int, b: Int, c: Int, d: Int)? {
    guard let matrix else { return (1, 0, 0, 1) }
    return DisplayMatrix(matrix)?.quarterTurn
  }

  /// True if frames lie alike already.
  var isIdentity: Bool { across == (1, 0) && along == (0, 1) }

  /// True if rows become columns.
  private var isTransposed: Bool { across.right == 0 }

  /// The frame, turned, unless it lies on the same side as the source's already, which lost its
  /// matrix then; nil where chroma would be subsampled down and not across.
  func callAsFunction(_ frame: PixelBuffer, as source: PixelBuffer) -> PixelBuffer? {
    let isLost =
      isTransposed && frame.width != frame.height
      && (frame.width > frame.height) == (source.width > source.height)
    guard !isIdentity, !isLost else { return frame }
    guard !isTransposed || frame.format.chromaSubsampling != .cs422, frame.format.layout == .planar
    else { return nil }
    let size = isTransposed ? frame.size.transposed : frame.size
    let pool = PixelBufferPool(frame.format, width: size.width, height: size.height)
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
