// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import MediaCore

@Suite struct PixelBufferPoolTests {
  @Test func memoryIsUsedAgainAfterItWasLetGo() {
    let pool = PixelBufferPool(.yuv420p10, width: 50, height: 30)
    func makeAddress() -> UInt {
      let buffer = pool.makeBuffer(attachments: Attachments()) { _ in }
      return UInt(bitPattern: buffer.planes[0].baseAddress)
    }
    let first = makeAddress()
    #expect(makeAddress() == first)
  }

  @Test func aBufferThatIsReadKeepsItsMemory() {
    let pool = PixelBufferPool(.yuv420p8, width: 16, height: 16)
    let one = pool.makeBuffer(attachments: Attachments()) { _ in }
    let copy = one.withAttachments(Attachments())
    let two = pool.makeBuffer(attachments: Attachments()) { _ in }
    #expect(copy.planes[0].baseAddress == one.planes[0].baseAddress)
    #expect(two.planes[0].baseAddress != one.planes[0].baseAddress)
  }

  @Test func rowsAreAlignedAndOddSizesRoundUp() {
    let pool = PixelBufferPool(.yuv420p10, width: 33, height: 7)
    let buffer = pool.makeBuffer(attachments: Attachments()) { _ in }
    #expect(buffer.planes.map(\.width) == [33, 17, 17])
    #expect(buffer.planes.map(\.height) == [7, 4, 4])
    for plane in buffer.planes {
      #expect(plane.bytesPerRow % 64 == 0)
      #expect(UInt(bitPattern: plane.baseAddress) % 64 == 0)
    }
  }

  /// Core Video's names: `x420` is 10 bits in two planes with limited range, and `xf20` is the same
  /// with full range.
  @Test func coreVideosNames() throws {
    let x420 = try #require(PixelFormat.named(osType: "x420"))
    #expect(x420.format == .biPlanar420p10 && x420.videoFullRangeFlag == false)
    #expect(PixelFormat.biPlanar420p10.osType(videoFullRangeFlag: true) == "xf20")
    #expect(PixelFormat.biPlanar420p8.osType(videoFullRangeFlag: nil) == "420v")
    #expect(PixelFormat.halfRGBA.osType(videoFullRangeFlag: nil) == "RGhA")
    #expect(PixelFormat.named(osType: "2vuy") == nil)
    #expect(PixelFormat.yuv420p10.osType(videoFullRangeFlag: false) == nil)
  }
}
