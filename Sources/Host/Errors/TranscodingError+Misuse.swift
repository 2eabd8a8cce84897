// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
public import MediaCore

// The types of times, sizes and planes also allow values that make no sense. These values are
// refused when a program passes them in.

extension TranscodingError {
  // 2³¹ seconds, or 68 years. Times farther from 0 do not fit into every timescale.
  private static let farthestTime = 2_147_483_648.0

  /// Refuses a time that is invalid, or farther from zero than any time in a file.
  ///
  /// - Parameter name: what the time is, as a noun for the message.
  package static func refuse(_ time: MediaTime, as name: String) throws(TranscodingError) {
    guard !time.isValid || abs(time.seconds) > farthestTime else { return }
    throw TranscodingError(
      .invalidSettings,
      "the \(name) is \(time.value)/\(time.timescale) s: a timescale must be above 0, and a time "
        + "must be within 68 years of 0")
  }

  /// Refuses a size that no frame can have.
  package static func refuse(_ size: VideoDimensions) throws(TranscodingError) {
    guard !size.isPossible else { return }
    throw TranscodingError(
      .invalidSettings,
      "a frame must be 1 to \(VideoDimensions.longestSide) samples wide and high, not \(size)")
  }
}

extension PixelBufferPool {
  /// Creates a pool for frames of `width` × `height` luma samples, each from 1 to 16384.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for other sizes.
  public convenience init(format: PixelFormat, width: Int, height: Int) throws {
    try TranscodingError.refuse(VideoDimensions(width: width, height: height))
    self.init(format, width: width, height: height)
  }
}

extension PixelBuffer {
  /// Wraps samples that `owner` keeps in memory and that no longer change
  /// (`CVPixelBufferCreateWithPlanarBytes`).
  ///
  /// - Parameters:
  ///   - width: luma samples in a row, from 1 to 16384.
  ///   - height: luma rows, from 1 to 16384.
  ///   - planes: one for each plane of the format, with the sizes that the format demands.
  ///   - owner: an object that lives at least as long as the samples.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for other sizes and planes.
  @unsafe
  public convenience init(
    format: PixelFormat, width: Int, height: Int, attachments: Attachments, planes: [Plane],
    owner: any AnyObject & Sendable
  ) throws {
    let size = VideoDimensions(width: width, height: height)
    try TranscodingError.refuse(size)
    let count = unsafe planes.count
    guard count == format.planeCount else {
      throw TranscodingError(
        .invalidSettings,
        "frames of \(format) have \(format.planeCount.counted("plane")), not \(count)")
    }
    for index in 0..<count {
      let plane = unsafe planes[index]
      let stated = unsafe VideoDimensions(width: plane.width, height: plane.height)
      let wanted = format.planeSize(index, width: width, height: height)
      // A negative distance between rows is fine, because it means that rows are stored bottom up.
      let rowBytes = unsafe Int32(exactly: plane.bytesPerRow)?.magnitude ?? 0
      guard stated == wanted, rowBytes >= wanted.width * format.bytesPerPosition(ofPlane: index)
      else {
        throw TranscodingError(
          .invalidSettings,
          "plane \(index) does not suit \(format) frames of \(size): its size is wrong, or its "
            + "rows are too short or too far apart")
      }
    }
    unsafe self.init(
      format, width: width, height: height, attachments: attachments, planes: planes, owner: owner)
  }
}
