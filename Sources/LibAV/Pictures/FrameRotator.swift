// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// Rotates frames by quarter turns and mirrors them. Each sample moves to its new place unchanged.
package final class FrameRotator: Sendable {
  /// A quarter turn, mirroring or both, described by where samples move.
  package struct Turn: Hashable, Sendable {
    package let swapsAxes: Bool
    /// Whether the last column of a frame comes first.
    package let reversesColumns: Bool
    /// Whether the last row of a frame comes first.
    package let reversesRows: Bool

    /// Makes a turn. Columns and rows refer to the frame before the turn.
    package init(swapsAxes: Bool, reversesColumns: Bool, reversesRows: Bool) {
      self.swapsAxes = swapsAxes
      self.reversesColumns = reversesColumns
      self.reversesRows = reversesRows
    }
  }

  private let turn: Turn
  private let pool: PixelBufferPool

  /// Makes a rotator for planar frames of one format and size. If rows become columns, chroma must
  /// be subsampled alike in both directions.
  package init(_ turn: Turn, format: PixelFormat, size: VideoDimensions) {
    self.turn = turn
    let turned = turn.swapsAxes ? size.transposed : size
    pool = PixelBufferPool(format, width: turned.width, height: turned.height)
  }

  /// Returns the turned frame, with all attachments of the source.
  package func turn(_ source: PixelBuffer) -> PixelBuffer {
    unsafe pool.makeBuffer(attachments: source.attachments) { planes in
      for unsafe(from, to) in unsafe zip(source.planes, planes) {
        if pool.format.bytesPerSample == 1 {
          unsafe move(from, to, UInt8.self)
        } else {
          unsafe move(from, to, UInt16.self)
        }
      }
    }
  }

  // Reading along columns touches a cache line for each sample. In tiles of this size, lines stay
  // in the cache until all of their samples are used.
  /// The side of a tile in samples.
  private static let tile = 32

  private func move<Sample: BitwiseCopyable>(
    _ source: PixelBuffer.Plane, _ target: PixelBuffer.MutablePlane, _: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.stride
    let (across, down) = unsafe (size, source.bytesPerRow)
    // Start at the source sample that becomes the first sample of the result. From a sample, the
    // step `right` leads to the one that comes next in a row of the result, and the step `below`
    // leads to the one that comes next in a column.
    let first =
      unsafe source.baseAddress + (turn.reversesColumns ? (source.width - 1) * across : 0)
      + (turn.reversesRows ? (source.height - 1) * down : 0)
    let alongColumns = turn.reversesColumns ? -across : across
    let alongRows = turn.reversesRows ? -down : down
    let (right, below) =
      turn.swapsAxes ? (alongRows, alongColumns) : (alongColumns, alongRows)
    let (width, height) = unsafe (target.width, target.height)
    for top in stride(from: 0, to: height, by: Self.tile) {
      for left in stride(from: 0, to: width, by: Self.tile) {
        for y in top..<min(top + Self.tile, height) {
          let row = unsafe (target.baseAddress + y * target.bytesPerRow)
            .assumingMemoryBound(to: Sample.self)
          let from = unsafe first + y * below
          for x in left..<min(left + Self.tile, width) {
            unsafe row[x] = unsafe from.load(fromByteOffset: x * right, as: Sample.self)
          }
        }
      }
    }
  }
}
