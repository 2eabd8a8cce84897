// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import MediaCore

@Suite struct PixelRowsTests {
  /// Each row has the numbers that its plane holds, without the padding. In bi-planar formats,
  /// chroma comes in pairs. In RGBA, each pixel has four numbers.
  @Test(arguments: [
    (PixelFormat.yuv420p10, [33, 17, 17], [7, 4, 4]), (.biPlanar420p10, [33, 34], [7, 4]),
    (.rgba16, [132], [7]),
  ])
  func rowsOfWords(format: PixelFormat, lengths: [Int], heights: [Int]) {
    let pool = PixelBufferPool(format, width: 33, height: 7)
    var rows = Array(repeating: 0, count: lengths.count)
    let buffer = pool.makeBuffer(attachments: Attachments(), rowsOf: UInt16.self) { plane, y, row in
      #expect(row.count == lengths[plane] && y == rows[plane])
      for x in row.indices { row[x] = UInt16(plane * 1000 + y * 100 + x) }
      rows[plane] += 1
    }
    #expect(rows == heights)
    for (plane, height) in heights.enumerated() {
      for y in 0..<height {
        let last = buffer.withRow(y, ofPlane: plane, as: UInt16.self) { $0[$0.count - 1] }
        #expect(Int(last) == plane * 1000 + y * 100 + lengths[plane] - 1)
      }
    }
  }

  @Test func coreVideosNamesOfPixels() throws {
    for (name, format) in [("BGRA", PixelFormat.bgra8), ("RGBA", .rgba8), ("l64r", .rgba16)] {
      let named = try #require(PixelFormat.named(osType: name))
      #expect(named.format == format && named.videoFullRangeFlag == nil)
      #expect(format.osType(videoFullRangeFlag: nil) == name)
      #expect(format.planeCount == 1 && format.componentCount == 3)
    }
  }
}
