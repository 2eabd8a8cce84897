// SPDX-License-Identifier: GPL-2.0-or-later
import MediaCore
import Testing

@testable import ColorConversion

@Suite struct MotionMeterTests {
  /// A scene counts as motionless if it changes by less than 1/255 of the range on average. Here,
  /// all luma samples of a frame have the same 10-bit value.
  @Test(arguments: [
    ([500, 500, 500], true), ([500, 503, 500], true), ([500, 506, 500], false),
    ([500, 500, 500, 500, 900], false), ([500], false),
  ])
  func scenesThatHardlyChangeAreStill(values: [UInt16], isStill: Bool) {
    let pool = PixelBufferPool(.yuv420p10, width: 50, height: 34)
    var meter = MotionMeter()
    for value in values {
      meter.add(
        pool.makeBuffer(attachments: Attachments()) { planes in
          let plane = planes[0]
          for line in 0..<plane.height {
            let row = plane.baseAddress + line * plane.bytesPerRow
            for column in 0..<plane.width {
              row.storeBytes(of: value, toByteOffset: column * 2, as: UInt16.self)
            }
          }
        })
    }
    #expect(meter.isStill == isStill)
  }
}
