// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import NALUnits
import Testing

/// The first bytes of a unit say what it is, and they mean different things in the two codecs.
@Suite struct NALUnitTypeTests {
  /// The header has one bit, then six bits for the type, six for the layer and three for the
  /// sublayer (H.265, 7.3.1.2). Types are those of table 7-1.
  @Test(
    arguments: [
      ([0x02, 1], 1, isSlice: true, isVCL: true), ([0x26, 1], 19, isSlice: true, isVCL: true),
      ([0x2C, 1], 22, isSlice: false, isVCL: true), ([0x40, 1], 32, isSlice: false, isVCL: false),
      ([0x7C, 1], 62, isSlice: false, isVCL: false), ([], 47, isSlice: false, isVCL: false),
    ] as [([UInt8], UInt8, isSlice: Bool, isVCL: Bool)])
  func typesOfHEVC(bytes: [UInt8], number: UInt8, isSlice: Bool, isVCL: Bool) {
    let type = NALUnit(bytes, .hevc).type
    #expect(type == .hevc(HEVCNALUnitType(rawValue: number)))
    #expect((type.rawValue, type.isSlice, type.isVCL) == (number, isSlice, isVCL))
  }

  /// The header has one bit, then two bits for the importance and five for the type (H.264, 7.3.1).
  /// Types are those of table 7-1.
  @Test(
    arguments: [
      ([0x65], 5, isSlice: true), ([0x04], 4, isSlice: true), ([0x67], 7, isSlice: false),
      ([0x74], 20, isSlice: false), ([], 23, isSlice: false),
    ] as [([UInt8], UInt8, isSlice: Bool)])
  func typesOfH264(bytes: [UInt8], number: UInt8, isSlice: Bool) {
    let type = NALUnit(bytes, .h264).type
    #expect(type == .avc(AVCNALUnitType(rawValue: number)))
    #expect((type.rawValue, type.isSlice) == (number, isSlice))
  }

  @Test func sameBytesAreOtherUnitsInAnotherCodec() {
    let bytes: [UInt8] = [0x42, 1, 0, 0, 3, 1]
    let (hevc, h264) = (NALUnit(bytes, .hevc), NALUnit(bytes, .h264))
    #expect(hevc != h264)
    #expect(hevc.type == .hevc(.sequenceParameterSet))
    #expect(h264.type.rawValue == 2)
    #expect(hevc.payload == [0, 0, 1])
    #expect(h264.payload == [1, 0, 0, 1])
    // `nal_unit_type` 62 is an RPU of HEVC, and no type of H.264.
    #expect(NALUnit([0x7C, 1, 0x19], .hevc).isDolbyVisionRPU)
    #expect(!NALUnit([0x7C, 1, 0x19], .h264).isDolbyVisionRPU)
  }

  @Test(
    arguments: [
      (0x40, .hevc, .parameterSet), (0x42, .hevc, .parameterSet), (0x44, .hevc, .parameterSet),
      (0x4E, .hevc, .sei), (0x50, .hevc, .sei), (0x46, .hevc, .neither),
      (0x67, .h264, .parameterSet), (0x68, .h264, .parameterSet), (0x06, .h264, .sei),
      (0x09, .h264, .neither), (0x6F, .h264, .neither),
    ] as [(UInt8, NALCodec, Kind)])
  func parameterSetsAndSEI(byte: UInt8, codec: NALCodec, kind: Kind) {
    let type = NALUnit([byte, 1], codec).type
    #expect(type.isParameterSet == (kind == .parameterSet))
    #expect(type.isSEI == (kind == .sei))
  }

  enum Kind: Sendable { case parameterSet, sei, neither }

  /// H.265, 7.4.2.4.4. A slice begins an access unit if it is the first of its picture.
  @Test(
    arguments: [
      ([0x40, 1], begins: true, follows: false), ([0x4E, 1], begins: true, follows: false),
      ([0x26, 1, 0x80], begins: true, follows: false),
      ([0x26, 1, 0x00], begins: false, follows: false),
      ([0x48, 1], begins: false, follows: true), ([0x50, 1], begins: false, follows: true),
      ([0x7C, 1], begins: false, follows: true),
      // A unit of another layer begins no access unit.
      ([0x40, 9], begins: false, follows: false),
    ] as [([UInt8], begins: Bool, follows: Bool)])
  func placesInAnAccessUnit(bytes: [UInt8], begins: Bool, follows: Bool) {
    let unit = NALUnit(bytes, .hevc)
    #expect((unit.beginsAccessUnit, unit.followsPicture) == (begins, follows))
    let other = NALUnit(bytes, .h264)
    #expect((other.beginsAccessUnit, other.followsPicture) == (false, false))
  }

  /// If a sequence parameter set ends inside its profile, the error says which unit it is, where it
  /// ends and how much is missing.
  @Test func aCutOffParameterSetSaysWhere() {
    let error = #expect(throws: NALUnitError.self) {
      try SequenceParameterSet(NALUnit([0x42, 1, 1, 2, 0x20, 0, 0], .hevc))
    }
    #expect(
      error?.description
        == "a NAL unit of type 33 cannot be read: the data ends early: 80 bits are needed "
        + "at bit 16, but 24 are left")
  }
}

/// The type of a unit says whether a leading picture can be decoded, and whether a picture closes
/// its group. Leading pictures are shown before the picture that starts their group.
@Suite struct LeadingPictureTests {
  /// If decoding starts with a group, its leading pictures can be decoded, except RASL pictures
  /// (types 8 and 9 of H.265, table 7-1). The types of trailing pictures are tested, too, because
  /// encoders also give them to leading pictures.
  @Test(arguments: 0..<22) func allButRASLCanBeDecoded(type: UInt8) {
    let type = NALUnitType.hevc(HEVCNALUnitType(rawValue: type))
    #expect(type.isDecodableWhenLeading == ![8, 9].contains(type.rawValue))
    #expect(!type.closesGroup)
  }

  @Test func ofH264AnIDRPictureAloneTells() {
    #expect(NALUnitType.avc(.idrSlice).closesGroup)
    #expect(!NALUnitType.avc(.idrSlice).isDecodableWhenLeading)
    #expect(!NALUnitType.avc(AVCNALUnitType(rawValue: 1)).closesGroup)
  }
}
