// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Synchronization

/// A maker of frames of one size and format. It takes their memory back when they are released, so
/// that a running pipeline allocates nothing.
///
/// Rows begin on 64-byte boundaries and are padded to whole multiples of 64 bytes, so that row
/// kernels need no tail: what they write into the padding is never read.
public final class PixelBufferPool: Sendable {
  /// The format of the frames.
  public let format: PixelFormat
  /// Luma samples in a row.
  public let width: Int
  /// Luma rows.
  public let height: Int

  static let alignment = 64

  private let layout: [(offset: Int, bytesPerRow: Int, width: Int, height: Int)]
  private let byteCount: Int
  private let free = Mutex<[Block]>([])

  /// A pool for frames of `width` × `height` luma samples, which are known to be possible.
  package init(_ format: PixelFormat, width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a frame has at least one sample")
    self.format = format
    self.width = width
    self.height = height
    var offset = 0
    layout = (0..<format.planeCount).map { plane in
      let size = format.planeSize(plane, width: width, height: height)
      let bytes = size.width * format.bytesPerPosition(ofPlane: plane)
      let bytesPerRow = (bytes + Self.alignment - 1) / Self.alignment * Self.alignment
      defer { offset += bytesPerRow * size.height }
      return (offset, bytesPerRow, size.width, size.height)
    }
    byteCount = offset
  }

  /// Makes a frame: hands its memory to `write`, once, and returns it to be read.
  ///
  /// The memory holds old data; `write` sets every sample.
  public func makeBuffer<Failure: Error>(
    attachments: Attachments, write: ([PixelBuffer.MutablePlane]) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    let block = free.withLock { $0.popLast() } ?? Block(byteCount: byteCount)
    let lease = Lease(block: block, pool: self)
    let base = unsafe block.baseAddress
    try unsafe write(
      layout.map { plane in
        unsafe PixelBuffer.MutablePlane(
          baseAddress: base + plane.offset, bytesPerRow: plane.bytesPerRow,
          width: plane.width, height: plane.height)
      })
    return unsafe PixelBuffer(
      format, width: width, height: height, attachments: attachments,
      planes: layout.map { plane in
        unsafe PixelBuffer.Plane(
          baseAddress: UnsafeRawPointer(base + plane.offset), bytesPerRow: plane.bytesPerRow,
          width: plane.width, height: plane.height)
      },
      owner: lease)
  }

  /// Makes a frame from another. The new one takes over the attachments that propagate.
  public func makeBuffer<Failure: Error>(
    from source: PixelBuffer, write: ([PixelBuffer.MutablePlane]) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try unsafe makeBuffer(attachments: source.attachments.propagated, write: write)
  }

  fileprivate func takeBack(_ block: Block) {
    free.withLock { $0.append(block) }
  }
}

extension PixelBuffer {
  /// One plane of a frame that is being written.
  @unsafe
  public struct MutablePlane: @unchecked Sendable {
    // Sendable so that stripes of one frame can be written side by side, each its own rows.
    /// The first sample of the first row, on a 64-byte boundary.
    public let baseAddress: UnsafeMutableRawPointer
    /// The distance from one row to the next in bytes, a multiple of 64.
    public let bytesPerRow: Int
    /// Samples in a row.
    public let width: Int
    /// Rows.
    public let height: Int
  }
}

/// The memory of one frame.
@safe
private final class Block: @unchecked Sendable {
  // Sendable although it holds a pointer: one lease at a time has it.
  let baseAddress: UnsafeMutableRawPointer

  init(byteCount: Int) {
    unsafe baseAddress = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: PixelBufferPool.alignment)
    // Rows are handed out as numbers, which have to be some.
    unsafe baseAddress.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    unsafe baseAddress.deallocate()
  }
}

/// Holds a block for as long as somebody reads it, and then gives it back to its pool.
private final class Lease: Sendable {
  let block: Block
  let pool: PixelBufferPool

  init(block: Block, pool: PixelBufferPool) {
    self.block = block
    self.pool = pool
  }

  deinit {
    pool.takeBack(block)
  }
}
