// SPDX-License-Identifier: GPL-2.0-or-later
extension PixelBuffer {
  /// Calls `body` with one row of a plane, which `body` can only read.
  ///
  /// In RGBA formats a row has four numbers for each pixel. In the second plane of bi-planar
  /// formats, Cb and Cr alternate.
  ///
  /// - Parameters:
  ///   - y: the row. The first one is 0; a row outside the plane is a caller's error.
  ///   - plane: the plane. The first one is 0; a plane that the format lacks is a caller's error.
  ///   - type: the type of the numbers: `UInt8`, `UInt16` or `Float16`.
  public func withRow<Sample: SIMDScalar & BitwiseCopyable, Result, Failure: Error>(
    _ y: Int, ofPlane plane: Int = 0, as type: Sample.Type,
    _ body: (Span<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let rows = unsafe planes[plane]
    unsafe precondition((0..<rows.height).contains(y), "a row of the plane")
    let bytes = unsafe UnsafeRawBufferPointer(
      start: rows.baseAddress + y * rows.bytesPerRow,
      count: format.byteCount(ofRow: rows.width, plane, Sample.self))
    return try body(unsafe Span(_unsafeBytes: bytes))
  }
}

extension PixelBufferPool {
  /// Makes a frame by calling `write` with its rows, one after another, plane by plane.
  ///
  /// The rows contain old data, so `write` has to set every number.
  ///
  /// - Parameters:
  ///   - type: the type of the numbers: `UInt8`, `UInt16` or `Float16`.
  ///   - write: fills a row of a plane.
  public func makeBuffer<Sample: SIMDScalar & BitwiseCopyable, Failure: Error>(
    attachments: Attachments, rowsOf type: Sample.Type,
    write: (_ plane: Int, _ y: Int, _ row: inout MutableSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try unsafe makeBuffer(attachments: attachments) { planes throws(Failure) in
      for unsafe(index, plane) in unsafe planes.enumerated() {
        let count = unsafe format.byteCount(ofRow: plane.width, index, Sample.self)
        for y in 0..<(unsafe plane.height) {
          let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: plane.baseAddress + y * plane.bytesPerRow, count: count)
          var row = unsafe MutableSpan<Sample>(_unsafeBytes: bytes)
          try write(index, y, &row)
        }
      }
    }
  }

  /// Makes a frame that is derived from `source`. The frame gets the attachments of `source` that
  /// propagate. `write` is called with the frame's rows, one after another, plane by plane.
  ///
  /// The rows contain old data, so `write` has to set every number.
  ///
  /// - Parameters:
  ///   - type: the type of the numbers: `UInt8`, `UInt16` or `Float16`.
  ///   - write: fills a row of a plane.
  public func makeBuffer<Sample: SIMDScalar & BitwiseCopyable, Failure: Error>(
    from source: PixelBuffer, rowsOf type: Sample.Type,
    write: (_ plane: Int, _ y: Int, _ row: inout MutableSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try makeBuffer(attachments: source.attachments.propagated, rowsOf: type, write: write)
  }
}

extension PixelFormat {
  /// Returns how many bytes of a plane's row can be read as whole values of a type. Padding does
  /// not count.
  ///
  /// - Parameter width: the number of positions in the row.
  fileprivate func byteCount<Sample>(ofRow width: Int, _ plane: Int, _: Sample.Type) -> Int {
    let size = MemoryLayout<Sample>.size
    // A caller may ask for a type that is larger than the row's samples. Even then, the `Span` must
    // not reach into the padding.
    return width * bytesPerPosition(ofPlane: plane) / size * size
  }
}
