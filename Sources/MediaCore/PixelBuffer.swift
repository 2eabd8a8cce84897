// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// One frame in memory: its maker writes it once, and from then on it is only read.
///
/// The samples belong to an owner (a decoder's frame, a block of a ``PixelBufferPool``) that lives
/// at least as long as the buffer. Wrapping them copies nothing.
@safe
public final class PixelBuffer: Sendable {
  /// The samples of one plane, which can only be read.
  @unsafe
  public struct Plane: @unchecked Sendable {
    // This is sendable although it holds a pointer, because nobody writes to the buffer after it is
    // made.
    /// The address of the first row's first sample.
    public let baseAddress: UnsafeRawPointer
    /// The distance from one row to the next in bytes; negative if the frame is stored bottom up.
    public let bytesPerRow: Int
    /// The number of samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// Makes a plane over memory that the buffer's owner keeps alive.
    public init(baseAddress: UnsafeRawPointer, bytesPerRow: Int, width: Int, height: Int) {
      unsafe self.baseAddress = unsafe baseAddress
      unsafe self.bytesPerRow = bytesPerRow
      unsafe self.width = width
      unsafe self.height = height
    }
  }

  /// The layout of the samples in memory.
  public let format: PixelFormat
  /// The width in luma samples.
  public let width: Int
  /// The height in luma samples.
  public let height: Int
  /// Width and height in luma samples.
  public var size: VideoDimensions { VideoDimensions(width: width, height: height) }
  /// What the samples mean, and HDR metadata.
  public let attachments: Attachments
  /// The planes: Y', Cb, Cr or G', B', R'. There are only one or two planes if components share a
  /// plane or if there is no chroma.
  @unsafe public let planes: [Plane]

  private let owner: any AnyObject & Sendable

  /// Wraps samples that `owner` keeps in memory and that no longer change. The number and the sizes
  /// of the planes have to fit the format.
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

  /// Returns the same samples with other attachments. Nothing is copied.
  public func withAttachments(_ attachments: Attachments) -> PixelBuffer {
    unsafe PixelBuffer(
      format, width: width, height: height, attachments: attachments, planes: planes, owner: self)
  }
}
