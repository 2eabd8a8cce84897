// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import NALUnits

/// Units and messages for a second eye are recognized.
@Suite struct OtherEyesTests {
  /// The units are slice extensions of MVC (`svc_extension_flag` 0), of SVC (1) and of depth, and a
  /// plain slice.
  @Test(
    arguments: [
      ([0x74, 0x40], true), ([0x74, 0x80], false), ([0x75, 0], true), ([0x65, 0x40], false),
    ] as [([UInt8], Bool)])
  func viewsOfMVC(bytes: [UInt8], isOther: Bool) {
    #expect(NALUnit(bytes, .h264).isPictureOfOtherLayer == isOther)
  }

  @Test func aSliceExtensionWithoutItsHeaderIsNone() {
    #expect(!NALUnit([0x74], .h264).isPictureOfOtherLayer)
    #expect(!NALUnit([], .h264).isPictureOfOtherLayer)
  }

  /// `frame_packing_arrangement` begins with its ID, here 0 in one bit, and the cancel flag.
  @Test func framePacking() {
    #expect(SEIMessage(payloadType: 45, payload: [0b1000_0000]).isFramePacking)
    #expect(!SEIMessage(payloadType: 45, payload: [0b1100_0000]).isFramePacking)
    #expect(!SEIMessage(payloadType: 45, payload: []).isFramePacking)
    #expect(!SEIMessage(payloadType: 47, payload: [0b1000_0000]).isFramePacking)
  }
}
