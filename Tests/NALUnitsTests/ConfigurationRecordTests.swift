// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import CodePoints
import NALUnits
import Testing

/// The content of `hvcC` and `avcC` is read, changed and written.
@Suite struct ConfigurationRecordTests {
  /// The fields of `hvcC` before its arrays: Main 10, level 3.1, 4:2:0, 10 bits, and lengths of 4
  /// bytes.
  private static let fields: [UInt8] = [
    0x01, 0x02, 0x20, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 0x5D, 0xF0, 0, 0xFC, 0xFD, 0xFA, 0xFA, 0, 0,
    0x0B,
  ]
  private static let video: [UInt8] = [
    0x40, 0x01, 0x0C, 0x01, 0xFF, 0xFF, 0x02, 0x20, 0, 0, 3, 0, 0xB0, 0, 0, 3, 0, 0, 3, 0, 0x5D,
    0x15, 0xC0, 0x90,
  ]
  private static let sequence: [UInt8] = [
    0x42, 0x01, 0x01, 0x02, 0x20, 0, 0, 3, 0, 0xB0, 0, 0, 3, 0, 0, 3, 0, 0x5D, 0xA0, 0x02, 0x80,
    0x80, 0x2D, 0x13, 0x62, 0x05, 0x7B, 0x91, 0x65, 0x53, 0x50, 0x91, 0x20, 0x90, 0x08,
  ]
  private static let picture: [UInt8] = [0x44, 0x01, 0xC0, 0x28, 0x64, 0xB8, 0x64, 0x14, 0xC9]
  /// An ambient viewing environment of 314 lx.
  private static let sei: [UInt8] = [
    0x4E, 0x01, 0x94, 8, 0, 0x2F, 0xE9, 0xA0, 0x3D, 0x13, 0x40, 0x42, 0x80,
  ]

  /// Returns the number of arrays and the arrays, each with one unit; `first` is the byte with the
  /// unit's type.
  private static func arrays(_ arrays: [(first: UInt8, unit: [UInt8])]) -> [UInt8] {
    [UInt8(arrays.count)] + arrays.flatMap { [$0.first, 0, 1, 0, UInt8($0.unit.count)] + $0.unit }
  }

  /// `hvcC` as a phone writes it.
  private static let phone =
    fields + arrays([(0xA0, video), (0xA1, sequence), (0xA2, picture), (0xA7, sei)])

  private static let high: [UInt8] =
    [1, 0x64, 0, 0x1F, 0xFF, 0xE1, 0, 4, 0x67, 0x64, 0, 0x1F, 1, 0, 3, 0x68, 0xEB, 0xE0]
    + [0xFD, 0xF8, 0xF8, 0]

  @Test func fieldsAndUnitsOfHVCC() throws {
    let record = try HEVCDecoderConfigurationRecord(Self.phone)
    #expect((record.profileIdc, record.levelIdc) == (2, 93))
    #expect((record.chromaFormatIdc, record.bitDepthLuma, record.bitDepthChroma) == (1, 10, 10))
    #expect(record.lengthSize == 4)
    #expect(
      record.arrays.map(\.type)
        == [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet, .prefixSEI])
    #expect(record.arrays.allSatisfy { $0.isComplete })
    let units = [Self.video, Self.sequence, Self.picture, Self.sei].map { NALUnit($0, .hevc) }
    #expect(record.arrays.map(\.units) == units.map { [$0] })
  }

  @Test func fieldsAndUnitsOfAVCC() throws {
    let record = try AVCDecoderConfigurationRecord(Self.high)
    #expect(record.lengthSize == 4)
    #expect(record.units.map(\.type) == [.avc(.sequenceParameterSet), .avc(.pictureParameterSet)])
  }

  /// These stay: reserved bits with a wrong value, an array without units, and bytes after the
  /// arrays.
  @Test func writingWhatWasReadGivesTheSameBytes() throws {
    let odd: [UInt8] = Self.fields + [2, 0x61, 0, 0, 0x27, 0, 1, 0, 3, 0x4E, 1, 0x80, 0xAA, 0xBB]
    for bytes in [Self.phone, odd, Self.fields + [0]] {
      let record = try HEVCDecoderConfigurationRecord(bytes)
      #expect(record.bytes == bytes)
    }
    var reserved = Self.high
    reserved[5] = 0x01
    for bytes in [Self.high, reserved, [1, 0x42, 0, 0x1E, 0xFC, 0xE0, 0]] {
      let record = try AVCDecoderConfigurationRecord(bytes)
      #expect(record.bytes == bytes)
    }
  }

  @Test func recordsThatAreCutOffSayWhere() {
    for count in Self.phone.indices {
      #expect(throws: NALUnitError.self) {
        try HEVCDecoderConfigurationRecord(Array(Self.phone.prefix(count)))
      }
    }
    for count in 0..<18 {
      #expect(throws: NALUnitError.self) {
        try AVCDecoderConfigurationRecord(Array(Self.high.prefix(count)))
      }
    }
    let error = #expect(throws: NALUnitError.self) {
      try HEVCDecoderConfigurationRecord(Array(Self.phone.prefix(30)))
    }
    #expect(
      error
        == .damagedConfiguration("hvcC", .endOfData(bitPosition: 224, wanted: 192, available: 16)))
    #expect(
      error?.description
        == "the box 'hvcC' is damaged: the data ends early: 192 bits are needed at bit 224, "
        + "but 16 are left")
  }

  @Test func completenessIsOfParameterSetsAlone() throws {
    let open = Self.arrays([(0x20, Self.video), (0x21, Self.sequence), (0x27, Self.sei)])
    var record = try HEVCDecoderConfigurationRecord(Self.fields + open)
    record.completeParameterSets()
    let complete = Self.arrays([(0xA0, Self.video), (0xA1, Self.sequence), (0x27, Self.sei)])
    #expect(record.bytes == Self.fields + complete)
  }

  @Test func messagesComeAndGo() throws {
    var record = try HEVCDecoderConfigurationRecord(Self.phone)
    let sei = record.prefixSEI
    record.prefixSEI = sei
    #expect(record.bytes == Self.phone)
    record.prefixSEI = []
    let without = Self.arrays([(0xA0, Self.video), (0xA1, Self.sequence), (0xA2, Self.picture)])
    #expect(record.bytes == Self.fields + without)
    // A new array does not claim to be complete, because samples might have other SEI.
    record.prefixSEI = sei
    #expect(record.bytes.suffix(18) == [0x27, 0, 1, 0, 13] + Self.sei)
  }

  /// A record without parameter sets has a made-up profile, level, chroma and depth, which the
  /// parameter sets of samples replace.
  @Test func parameterSetsOfSamplesAreStored() throws {
    let units = [Self.picture, Self.sequence, Self.video, Self.sei].map { NALUnit($0, .hevc) }
    var sets = try #require(HEVCParameterSets(stored: [], .hevc))
    sets.add(sample: units)
    var record = try HEVCDecoderConfigurationRecord(
      [1] + [UInt8](repeating: 0, count: 20) + [0x0F, 0])
    record.store(sets)
    #expect((record.profileIdc, record.levelIdc, record.bitDepthLuma) == (2, 93, 10))
    let stored = Self.arrays([(0x20, Self.video), (0x21, Self.sequence), (0x22, Self.picture)])
    #expect(Array(record.bytes.dropFirst(22)) == stored)
  }

  /// A configuration is a record or a byte stream.
  @Test func configurationsOfBothForms() throws {
    let record = try DecoderConfiguration(Self.phone, .hevc)
    #expect((record.units.count, record.lengthSize) == (4, 4))
    #expect(record.split([0, 0, 0, 2, 0x26, 1]) == [NALUnit([0x26, 1], .hevc)])
    let stream = try DecoderConfiguration([0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2], .h264)
    #expect(stream.units == [NALUnit([0x67, 1], .h264), NALUnit([0x68, 2], .h264)])
    #expect(stream.lengthSize == nil)
    #expect(throws: NALUnitError.self) { try DecoderConfiguration([], .h264) }
  }
}
