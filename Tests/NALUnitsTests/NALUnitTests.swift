// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import NALUnits

@Suite struct NALUnitTests {
  @Test func startCodesOfBothLengthsSeparateUnits() {
    let stream: [UInt8] = [
      0, 0, 0, 1, 0x40, 1, 9, 0, 0, 1, 0x42, 1, 0, 0, 3, 1, 0, 0, 0, 1, 0x7C, 1,
    ]
    let units = NALUnit.split(annexB: stream, .hevc)
    #expect(units.map(\.bytes) == [[0x40, 1, 9], [0x42, 1, 0, 0, 3, 1], [0x7C, 1]])
    #expect(
      units.map(\.type)
        == [.hevc(.videoParameterSet), .hevc(.sequenceParameterSet), .hevc(.dolbyVisionRPU)])
    #expect(units[1].payload == [0, 0, 1])
  }

  /// An empty unit, as configuration records may have, is neither a picture nor metadata.
  @Test(arguments: [NALCodec.hevc, .h264]) func emptyUnitsMeanNothing(codec: NALCodec) {
    let unit = NALUnit([], codec)
    #expect(!unit.isDolbyVisionEnhancementLayer && !unit.isDolbyVisionRPU)
    #expect(!unit.type.isVCL && !unit.type.isParameterSet && !unit.isBesidePicture)
    #expect(!unit.followsPicture && !unit.beginsAccessUnit && !unit.isPictureOfOtherLayer)
  }

  @Test func lengthsThatLieAreCutOff() {
    let sample: [UInt8] = [0, 0, 0, 2, 0x26, 1, 0, 0, 1, 0, 0x40]
    let units = NALUnit.split(sample: sample, lengthSize: 4, .hevc)
    #expect(units.map(\.bytes) == [[0x26, 1]])
  }

  /// H.265, 7.3.5: sizes and types above 254 take more bytes.
  @Test func seiMessagesWithLongNumbers() {
    let payload = [UInt8](repeating: 0xAB, count: 300)
    let unit = NALUnit([0x4E, 1, 255, 10, 255, 45] + payload + [137, 1, 7] + [0x80], .hevc)
    let messages = SEIMessage.messages(in: unit)
    #expect(messages.map(\.payloadType) == [265, 137])
    #expect(messages.map(\.payload.count) == [300, 1])
  }
}
