// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Synchronization

/// Makes frames of one size and format. It takes back their memory when they are released, so that
/// a running pipeline allocates nothing.
///
/// Rows begin on 64-byte boundaries and are padded to multiples of 64 bytes.
public final class PixelBufferPool: Sendable {
  /// The format of the frames.
  public let format: PixelFormat
  /// The width in luma samples.
  public let width: Int
  /// The height in luma samples.
  public let height: Int

  // 64 bytes are a cache line, and the width of the widest vectors (AVX-512). With padding to this
  // size, row kernels need no special code for the end of a row, because they can write into the
  // padding, which nobody reads.
  static let alignment = 64

  private let layout: [(offset: Int, bytesPerRow: Int, width: Int, height: Int)]
  private let byteCount: Int
  private let free = Mutex<[Block]>([])

  /// Makes a pool for frames of `width` × `height` luma samples, both above 0.
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

  /// Makes a frame by calling `write` with its memory, once.
  ///
  /// The memory contains old data, so `write` has to set every sample.
  public func makeBuffer<Failure: Error>(
    attachments: Attachments, write: ([PixelBuffer.MutablePlane]) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    let block = free.withLock { $0.popLast() } ?? Block(byteCount: byteCount)
    // The lease exists before `write` runs, so the block returns to the pool even if `write`
    // throws.
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

  /// Makes a frame that is derived from `source`, with the attachments of `source` that propagate.
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
  /// One plane of a frame while it is written.
  @unsafe
  public struct MutablePlane: @unchecked Sendable {
    // This is sendable so that several threads can write one frame. Each thread writes a separate
    // stripe of rows.
    /// The address of the first row's first sample, on a 64-byte boundary.
    public let baseAddress: UnsafeMutableRawPointer
    /// The distance from one row to the next in bytes, a multiple of 64.
    public let bytesPerRow: Int
    /// The number of samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
  }
}

@safe
private final class Block: @unchecked Sendable {
  // This is sendable although it holds a pointer, because only one lease has it at a time.
  let baseAddress: UnsafeMutableRawPointer

  init(byteCount: Int) {
    unsafe baseAddress = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: PixelBufferPool.alignment)
    // Clients get each row as a span of samples, which they may read before they write it.
    // Uninitialized memory has no defined value.
    unsafe baseAddress.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    unsafe baseAddress.deallocate()
  }
}

/// Holds a block while somebody reads it, then returns it to the pool.
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
