// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import OBUs

@Suite struct OBUTests {
  /// Returns a frame. The first byte of its header says whether it is shown.
  private func frame(_ first: UInt8) -> OBU { OBU(.frame, payload: [first, 1, 2]) }

  @Test func unitsAreSplit() {
    let units = [
      OBU(.temporalDelimiter, payload: []),
      OBU(.padding, payload: [UInt8](repeating: 1, count: 300)),
      frame(0x10),
    ]
    let bytes = units.flatMap(\.bytes)
    #expect(OBU.split(bytes) == units)
    #expect(OBU.split(bytes).filter(\.belongsInSample) == [frame(0x10)])
    // The last unit may leave out its size. A unit that is cut off does not count.
    #expect(OBU.split([0x30, 0x10, 1]).map { Array($0.payload) } == [[0x10, 1]])
    let cut = Array(bytes.dropLast())
    #expect(OBU.split(cut).count == 2)
    #expect(OBU.rest(of: cut, after: OBU.split(cut)) == cut.suffix(4))
    #expect(OBU.rest(of: bytes, after: units).isEmpty)
  }

  /// Splitting ends at a size that no file has, and at a size whose last byte never comes.
  @Test func impossibleSizesEndTheSplitting() {
    let endless = [UInt8](repeating: 0xFF, count: 12)
    #expect(OBU.split([0x32] + endless).isEmpty)
    #expect(OBU.split([0x32] + endless.prefix(7) + [0x7F, 0]).isEmpty)
    #expect(OBU.split([0x36]).isEmpty)
    #expect(OBU.split([]).isEmpty)
  }

  /// Metadata is inserted directly before the frame that is shown.
  @Test func metadataComesBeforeTheShownFrame() {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1]).unit
    let hidden = frame(0x00)
    #expect([hidden, frame(0x10)].inserting([metadata]) == [hidden, metadata, frame(0x10)])
    let existing = OBU(.frameHeader, payload: [0x80])
    #expect([existing].inserting([metadata]) == [metadata, existing])
    #expect([hidden].inserting([metadata]) == [hidden, metadata])
  }

  /// Each spatial layer shows a frame. Decoders present the frame of the highest layer, so metadata
  /// belongs to that frame.
  @Test func metadataComesBeforeTheHighestLayer() {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1]).unit
    // The headers have an extension, with the spatial layer in bits 3 and 4 of the second byte.
    let layers = OBU.split([0x36, 0x00, 2, 0x10, 1, 0x36, 0x08, 2, 0x10, 2])
    #expect(layers.inserting([metadata]) == [layers[0], metadata, layers[1]])
    #expect(layers.shownFrameIndex() == 1)
  }

  /// If the sequence header is reduced, the frame has no `show_frame`. The frame may be the last
  /// unit, and then it may have no size.
  @Test func metadataComesBeforeAStillPicture() {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1]).unit
    // This header states 64×64, 8 bits, 4:2:0, `still_picture` and `reduced_still_picture_header`.
    let header = OBU(.sequenceHeader, payload: [0x18, 0x15, 0x7F, 0xFC, 0x00, 0x08])
    #expect(AV1SequenceHeader(in: [header])?.isReduced == true)
    let units = OBU.split(header.bytes + [0x30, 0x00, 1])
    #expect(units.inserting([metadata]) == [header, metadata, units[1]])
    #expect(OBU.split(units.inserting([metadata]).flatMap(\.bytes)).count == 3)
    // The sequence header may be only in the configuration.
    #expect([units[1]].inserting([metadata], after: [header]) == [metadata, units[1]])
    #expect([units[1]].shownFrameIndex() == nil)
  }

  /// A unit without a size would contain everything that follows it.
  @Test func aUnitGetsASizeBeforeOthersFollowIt() {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1]).unit
    let units = OBU.split([0x30, 0x00, 1]).inserting([metadata])
    #expect(OBU.split(units.flatMap(\.bytes)) == [OBU(.frame, payload: [0, 1]), metadata])
    #expect(OBU.split([0x30, 0x00, 1]).inserting([]).flatMap(\.bytes) == [0x30, 0x00, 1])
  }

  /// The header of a unit tells its length, even if the rest of the unit is not there.
  @Test func lengthsAreRead() {
    #expect(OBU.length(of: [0x32, 0x80, 0x01, 9], in: 200) == 131)
    #expect(OBU.length(of: [0x32, 0x80, 0x01, 9], in: 130) == nil)
    #expect(OBU.length(of: [0x36, 0x08, 2], in: 5) == 5)
    #expect(OBU.length(of: [0x30, 1], in: 40) == 40)
    #expect(OBU.length(of: [0xB2, 1, 1], in: 40) == nil)
    #expect(OBU.length(of: [], in: 40) == nil)
    #expect(OBU.mayCarryTags([0x0A]) && OBU.mayCarryTags([0x2A]) && !OBU.mayCarryTags([0x32]))
  }

  @Test func metadataOfConfigurationsIsLeftOut() {
    let header = OBU(.sequenceHeader, payload: [0x18, 0x15, 0x7F, 0xFC, 0x00, 0x08])
    let level = MetadataOBU(ContentLightLevel(maxContentLightLevel: 9, maxPicAverageLightLevel: 1))
    var record = AV1ConfigurationRecord([header, level.unit])
    record.keepUnits { $0.kind != .metadata }
    #expect(record.units == [header])
    #expect(record == AV1ConfigurationRecord([header]))
  }

  /// Decoding can begin at a key frame that is shown, if there is a sequence header in the sample
  /// or elsewhere.
  @Test func decodingBeginsAtKeyFrames() {
    let header = OBU(
      .sequenceHeader, payload: [0, 0, 0, 3, 0x2D, 0xFF, 0xCF, 0xBF, 0x95, 9, 16, 9, 0x44])
    #expect([header, frame(0x10)].beginsDecoding() == true)
    #expect([frame(0x10)].beginsDecoding(after: [header]) == true)
    #expect([frame(0x10)].beginsDecoding() == false)
    // Decoding cannot begin at an inter frame or a frame that was coded before. A key frame that is
    // shown later leaves the question open (`nil`).
    #expect([header, frame(0x30)].beginsDecoding() == false)
    #expect([header, frame(0x80)].beginsDecoding() == false)
    #expect([header, frame(0x00)].beginsDecoding() == nil)
    #expect([header].beginsDecoding() == nil)
  }

  /// Metadata that changes from frame to frame has to be directly before the frame that is shown.
  /// All metadata has to be complete.
  @Test func misplacedMetadataIsNamed() throws {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1]).unit
    let light = MetadataOBU(ContentLightLevel(maxContentLightLevel: 9, maxPicAverageLightLevel: 1))
    let (hidden, shown) = (frame(0x00), frame(0x10))
    for good in [[metadata, shown], [hidden, metadata, shown], [light.unit, hidden, shown], []] {
      #expect(good.metadataFault() == nil)
    }
    #expect([shown, metadata].metadataFault()?.contains("follows") == true)
    #expect([metadata, hidden, shown].metadataFault()?.contains("not shown") == true)
    let cut = OBU(.metadata, payload: [4, 0xB5, 0, 0x3C])
    #expect([cut, shown].metadataFault()?.contains("end") == true)
  }

  @Test func metadataIsRead() throws {
    let metadata = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x80])
    #expect(MetadataOBU(metadata.unit) == metadata)
    // Zeros may follow the trailing bits. Without trailing bits, the unit is damaged.
    #expect(MetadataOBU(OBU(.metadata, payload: [4, 0xB5, 7, 0x80, 0, 0]))?.payload == [0xB5, 7])
    #expect(MetadataOBU(OBU(.metadata, payload: [4, 0xB5, 7])) == nil)
    #expect(MetadataOBU(OBU(.metadata, payload: [])) == nil)
    #expect(MetadataOBU(OBU(.metadata, payload: [5, 0x80])) == nil)
  }

  private func places(_ sample: [UInt8]) -> [Range<Int>] { OBU.unread(in: sample.span) }

  /// Units with RPUs are found even if the RPUs are damaged. Other user data is not taken for RPUs.
  @Test func unitsOfDolbyVisionAreFound() {
    let light = MetadataOBU(ContentLightLevel(maxContentLightLevel: 9, maxPicAverageLightLevel: 1))
    let other = MetadataOBU(.registeredUserData, payload: [0xB5, 0, 0x3C, 1])
    let userData = MetadataOBU(dolbyVisionRPU: [0x19, 1, 2, 3, 0x80]).payload
    let rpus = [userData, Array(userData.dropLast(6)), Array(userData.dropFirst())].map {
      MetadataOBU(.registeredUserData, payload: $0).unit
    }
    for rpu in rpus {
      let units = [OBU(.temporalDelimiter, payload: []), light.unit, rpu, other.unit, frame(0x10)]
      let start = units[0].bytes.count + units[1].bytes.count
      let sample = units.flatMap(\.bytes)
      #expect(places(sample) == [start..<start + rpu.bytes.count])
      // If the last byte of a unit's size never comes, nothing after the size can be read.
      let endless: [UInt8] = [0x32] + [UInt8](repeating: 0xFF, count: 12)
      #expect(places(endless + sample).isEmpty)
    }
    #expect(places([]).isEmpty)
  }

  /// Decoders ignore reserved types, tile lists and zeros at the end.
  @Test func unitsThatDecodersIgnoreAreFound() {
    let frame = Array(frame(0x10).bytes)
    for unit: [UInt8] in [[0x4A, 2, 1, 0x80], [0x42, 1, 0], [0, 0, 0]] {
      #expect(places(frame + unit) == [frame.count..<frame.count + unit.count])
    }
    // A group of tiles is a part of its frame.
    #expect(places(frame + [0x22, 1, 0]).isEmpty)
  }

  /// Coordinates, minimums, and those maximums that are whole numbers of cd/m² come back exactly.
  @Test func staticMetadataComesBack() throws {
    for maximum: UInt32 in [10_000_000, 40_000_000, 50_000, 6_030_000] {
      for minimum: UInt32 in [0, 1, 5, 50, 200, 49_999] {
        let display = MasteringDisplayColorVolume(
          green: .init(x: 13_250, y: 34_500), blue: .init(x: 7_500, y: 3_000),
          red: .init(x: 34_000, y: 16_000), whitePoint: .init(x: 15_635, y: 16_450),
          maxDisplayMasteringLuminance: maximum, minDisplayMasteringLuminance: minimum)
        #expect(MetadataOBU(MetadataOBU(display).unit)?.masteringDisplay == display)
      }
    }
    let level = ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 0x80)
    #expect(MetadataOBU(MetadataOBU(level).unit)?.contentLightLevel == level)
  }

  /// AV1 stores coordinates in 0.16 fixed point, the maximum luminance in 24.8 and the minimum in
  /// 18.14 (AV1, 6.7.4). These are the primaries of P3, 1000 cd/m² and 0.005 cd/m².
  @Test func masteringDisplaysAreInAV1sUnits() {
    let display = MasteringDisplayColorVolume(
      green: .init(x: 13_250, y: 34_500), blue: .init(x: 7_500, y: 3_000),
      red: .init(x: 34_000, y: 16_000), whitePoint: .init(x: 15_635, y: 16_450),
      maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 50)
    let red = [UInt8(44_564 >> 8), UInt8(44_564 & 0xFF), UInt8(20_972 >> 8), UInt8(20_972 & 0xFF)]
    let payload = MetadataOBU(display).payload
    #expect(Array(payload.prefix(4)) == red)
    #expect(Array(payload.suffix(8)) == [0, 3, 0xE8, 0, 0, 0, 0, 82])
  }

  /// RPUs that dovi_tool's author published for AV1 are read with and without the country code
  /// 0xB5, and written with it.
  @Test(.needsSharedMedia, arguments: ["p5-01", "p84-01"])
  func publishedRPUsAreReadAndWritten(name: String) throws {
    let userData = try SharedMedia.bytes("metadata/rpu/av1/\(name).bin")
    let rpu = try #require(MetadataOBU.dolbyVisionRPU(in: userData))
    #expect(rpu.first == 0x19 && rpu.last == 0x80)
    #expect(MetadataOBU(dolbyVisionRPU: rpu).payload == [0xB5] + userData)
    #expect(MetadataOBU.dolbyVisionRPU(in: [0xB5] + userData) == rpu)
    // If the user data is cut off, what is left is read as the beginning of the RPU.
    for count in 6..<userData.count - 8 {
      let part = MetadataOBU.dolbyVisionRPU(in: Array(userData.prefix(count)))
      #expect(part.map { $0.count < rpu.count && rpu.starts(with: $0) } == true, "\(count)")
    }
    for count in 0..<6 {
      #expect(MetadataOBU.dolbyVisionRPU(in: Array(userData.prefix(count))) == nil)
    }
  }
}
