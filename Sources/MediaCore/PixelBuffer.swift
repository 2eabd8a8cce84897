// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// One frame in memory: written once, by its maker, and then only read.
///
/// The samples belong to the owner that the buffer was made with (a decoder's frame, a block of a
/// ``PixelBufferPool``), which lives at least as long as the buffer. Nothing is copied to wrap
/// them.
@safe
public final class PixelBuffer: Sendable {
  /// One plane's samples, to be read only.
  @unsafe
  public struct Plane: @unchecked Sendable {
    // Sendable although it holds a pointer: nobody writes after the buffer was made.
    /// The first sample of the first row.
    public let baseAddress: UnsafeRawPointer
    /// The distance from one row to the next, in bytes; negative for frames stored bottom up.
    public let bytesPerRow: Int
    /// Samples in a row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// A plane over memory that its buffer's owner keeps alive.
    public init(baseAddress: UnsafeRawPointer, bytesPerRow: Int, width: Int, height: Int) {
      unsafe self.baseAddress = unsafe baseAddress
      unsafe self.bytesPerRow = bytesPerRow
      unsafe self.width = width
      unsafe self.height = height
    }
  }

  /// The layout of the samples in memory.
  public let format: PixelFormat
  /// Luma samples in a row.
  public let width: Int
  /// Luma rows.
  public let height: Int
  /// Width and height in luma samples.
  public var size: VideoDimensions { VideoDimensions(width: width, height: height) }
  /// The meaning of the samples, and HDR metadata.
  public let attachments: Attachments
  /// The planes: Y', Cb, Cr or G', B', R'.
  @unsafe public let planes: [Plane]

  private let owner: any AnyObject & Sendable

  /// Wraps samples that `owner` keeps in memory and that no longer change, in planes that are known
  /// to be those of the format.
  @unsafe
  package init(
    _ format: PixelFormat, width: Int, height: Int, attachments: Attachments, planes: [Plane],
    owner: any AnyObject & Sendable
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.attachments = attachments
    unsafe self.planes = unsafe planes
    self.owner = owner
  }

  /// The same samples with other attachments; nothing is copied.
  public func withAttachments(_ attachments: Attachments) -> PixelBuffer {
    unsafe PixelBuffer(
      format, width: width, height: height, attachments: attachments, planes: planes, owner: self)
  }
}
