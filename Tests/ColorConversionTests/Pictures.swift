// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore

/// Makes frames from numbers for tests, and reads their samples back as numbers.
enum Pictures {
  /// Makes a frame whose samples come from a function of plane, column and row.
  static func make(
    _ format: PixelFormat, _ width: Int, _ height: Int,
    _ sample: (_ plane: Int, _ x: Int, _ y: Int) -> Int
  ) -> PixelBuffer {
    PixelBufferPool(format, width: width, height: height).makeBuffer(
      attachments: Attachments()
    ) { planes in
      for (index, plane) in planes.enumerated() {
        for y in 0..<plane.height {
          let row = plane.baseAddress + y * plane.bytesPerRow
          for x in 0..<plane.width {
            if format.bytesPerSample == 1 {
              row.storeBytes(of: UInt8(sample(index, x, y)), toByteOffset: x, as: UInt8.self)
            } else {
              row.storeBytes(of: UInt16(sample(index, x, y)), toByteOffset: 2 * x, as: UInt16.self)
            }
          }
        }
      }
    }
  }

  /// Returns the samples of a plane, row by row.
  static func samples(_ buffer: PixelBuffer, plane index: Int) -> [[Int]] {
    let plane = buffer.planes[index]
    return (0..<plane.height).map { y in
      let row = plane.baseAddress + y * plane.bytesPerRow
      return (0..<plane.width).map { x in
        buffer.format.bytesPerSample == 1
          ? Int(row.load(fromByteOffset: x, as: UInt8.self))
          : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
      }
    }
  }
}
