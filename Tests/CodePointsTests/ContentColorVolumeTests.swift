// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import Testing

@testable import CodePoints

/// `cclv` (ISO/IEC 14496-12, 12.1.8) and SEI 149 (H.265, D.2.40) are read and written byte for
/// byte.
@Suite struct ContentColorVolumeTests {
  /// The bytes that follow the flags: six coordinates, then minimum, maximum and average. The
  /// volume is P3 from 0 to a tenth of the peak, with an average of a hundredth of the peak.
  private static let parts: [UInt8] =
    [0, 0, 0x33, 0xC2, 0, 0, 0x86, 0xC4]  // 13250, 34500
    + [0, 0, 0x1D, 0x4C, 0, 0, 0x0B, 0xB8]  // 7500, 3000
    + [0, 0, 0x84, 0xD0, 0, 0, 0x3E, 0x80]  // 34000, 16000
    + [0, 0, 0, 0, 0, 0x0F, 0x42, 0x40, 0, 0x01, 0x86, 0xA0]  // 0, 1 000 000, 100 000
  private static let volume = ContentColorVolume(
    primaries: .init(
      green: .init(x: 13250, y: 34500), blue: .init(x: 7500, y: 3000),
      red: .init(x: 34000, y: 16000)),
    minLuminanceValue: 0, maxLuminanceValue: 1_000_000, avgLuminanceValue: 100_000)

  /// In the box, the first two bits are 0. In the message, they mean "cancel" and "persistence".
  @Test func boxAndMessage() throws {
    let (box, message) = ([0x3C] + Self.parts, [0x7C] + Self.parts)
    #expect(Self.volume.payload == box && Self.volume.messagePayload == message)
    #expect(try ContentColorVolume(payload: box) == Self.volume)
    #expect(try ContentColorVolume(messagePayload: message) == Self.volume)
    #expect(Self.volume.text.contains("maximum 0.1") && Self.volume.text.contains("0.265,0.69"))
    #expect(Self.volume.faults == [] && Self.volume.doubts == [])
  }

  /// A message that cancels, or that is about a single picture, states nothing about all pictures.
  @Test(arguments: [0x80, 0xFC, 0x3C] as [UInt8]) func otherMessages(flags: UInt8) throws {
    #expect(try ContentColorVolume(messagePayload: [flags] + Self.parts) == nil)
  }

  /// Each part may be missing. The flags say which parts there are.
  @Test(arguments: 0..<16) func everyCombinationOfParts(parts: Int) throws {
    let all = Self.volume
    let volume = ContentColorVolume(
      primaries: parts & 8 == 0 ? nil : all.primaries,
      minLuminanceValue: parts & 4 == 0 ? nil : all.minLuminanceValue,
      maxLuminanceValue: parts & 2 == 0 ? nil : all.maxLuminanceValue,
      avgLuminanceValue: parts & 1 == 0 ? nil : all.avgLuminanceValue)
    let bytes = volume.payload
    #expect(bytes[0] == UInt8(parts) << 2)
    #expect(bytes.count == 1 + (parts & 8 == 0 ? 0 : 24) + 4 * (parts & 7).nonzeroBitCount)
    #expect(try ContentColorVolume(payload: bytes) == volume)
    #expect(ContentColorVolume.payloadSize(bytes) == bytes.count)
    #expect(throws: BitstreamError.self) { try ContentColorVolume(payload: bytes.dropLast()) }
    #expect(volume.faults == (parts > 0 ? [] : [.colorVolumeEmpty]))
  }

  /// H.265, D.3.40: coordinates go from -5 000 000 to 5 000 000, and minimum ≤ average ≤ maximum.
  @Test func impossibleVolumes() throws {
    var far = Self.volume
    far.primaries?.green.x = -5_000_001
    #expect(far.faults == [.coordinatesOutOfRange])
    #expect(try ContentColorVolume(payload: far.payload) == far)
    far.primaries?.green.x = -5_000_000
    #expect(far.faults == [])
    var falling = Self.volume
    falling.avgLuminanceValue = 1_000_001
    #expect(falling.faults == [.colorVolumeOutOfOrder])
    falling.maxLuminanceValue = nil
    #expect(falling.faults == [])
    falling.avgLuminanceValue = 10_000_001
    #expect(falling.faults == [] && falling.doubts == [.colorVolumeAbovePeak])
  }

  @Test func nothingIsRead() {
    #expect(throws: BitstreamError.self) { try ContentColorVolume(payload: []) }
    #expect(throws: BitstreamError.self) { try ContentColorVolume(messagePayload: []) }
  }
}

/// Every kind of static HDR metadata is found in one list, and values are kept by kind.
@Suite struct StaticHDRMetadataTests {
  private static let values: [any StaticHDRMetadataKind] = [
    AmbientViewingEnvironment(
      ambientIlluminance: 3_140_000, ambientLightX: 15_635, ambientLightY: 16_450),
    ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 400),
    ContentColorVolume(maxLuminanceValue: 1_000_000),
  ]

  /// No two kinds share a box, a message or a name.
  @Test func kindsAreTold() {
    let kinds = StaticHDRMetadata.kinds
    #expect(Set(kinds.map { $0.box }).count == kinds.count)
    #expect(Set(kinds.map { $0.payloadType }).count == kinds.count)
    #expect(Set(kinds.map { $0.key } + kinds.map { $0.name }).count == 2 * kinds.count)
    #expect(StaticHDRMetadata.kindsByPayloadType.map { $0.payloadType } == [137, 144, 148, 149])
  }

  @Test func valuesAreKeptByKind() {
    let metadata = StaticHDRMetadata { box in
      Self.values.first { type(of: $0).box == box }?.payload
    }
    #expect(metadata.values.map { $0.payload } == Self.values.map { $0.payload })
    #expect(metadata.masteringDisplay == nil && metadata.contentLightLevel != nil)
    let surroundings = metadata.filter { !$0.describesContent }
    #expect(surroundings.values.map { $0.payload } == [Self.values[0].payload])
    var none = metadata
    none.contentLightLevel = nil
    none[ContentColorVolume.self] = nil
    #expect(none == surroundings)
  }

  /// Boxes that are cut off state nothing.
  @Test func boxesThatAreCutOff() {
    let cut = StaticHDRMetadata { box in
      Self.values.first { type(of: $0).box == box }.map { Array($0.payload.dropLast()) }
    }
    #expect(cut == StaticHDRMetadata())
  }
}
