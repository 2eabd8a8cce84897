// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import NALUnits

/// SEI messages from byte tables are read, changed, removed and made correctly.
@Suite struct SEIMessageTests {
  private static func messages(_ name: String) throws -> [SEIMessage] {
    Units.messages(try Units.unit(name), name)
  }

  @Test(
    arguments: [
      ("hevc-sei-mastering", [137], [24]), ("hevc-sei-light", [144], [4]),
      ("hevc-sei-ambient", [148], [8]), ("hevc-sei-transfer", [147], [1]),
      ("hevc-sei-volume", [149], [37]), ("hevc-sei-recovery", [6], [1]),
      ("hevc-sei-packing", [45], [6]), ("hevc-sei-hdr10plus", [4], [26]),
      ("hevc-sei-hdr10", [137, 144], [24, 4]), ("hevc-sei-long", [265, 147], [300, 1]),
      ("avc-sei-hdr10", [6, 137, 144], [1, 24, 4]),
    ])
  func typesAndSizes(name: String, types: [Int], sizes: [Int]) throws {
    let messages = try Self.messages(name)
    #expect(messages.map(\.payloadType) == types)
    #expect(messages.map(\.payload.count) == sizes)
  }

  @Test func valuesAreThoseOfTheBoxes() throws {
    let messages = try Self.messages("hevc-sei-hdr10") + Self.messages("hevc-sei-ambient")
    let boxes = try ["mdcv", "clli", "amve"].map(Fixture.content)
    #expect(messages.map(\.payload) == boxes)
    #expect(
      try messages[0].value(of: MasteringDisplayColorVolume.self)
        == MasteringDisplayColorVolume(payload: boxes[0]))
    #expect(try messages[0].value(of: ContentLightLevel.self) == nil)
    let volume = try #require(try Self.messages("hevc-sei-volume").first)
    // The message has a persistence flag, which the box lacks. The values are equal nevertheless.
    #expect(
      try volume.value(of: ContentColorVolume.self)
        == ContentColorVolume(payload: Fixture.content("cclv")))
  }

  private static func hdr10Plus(in units: [NALUnit]) -> [UInt8]? {
    SEIMessage.registeredUserData(HDR10PlusMetadata.prefix, in: units)
  }

  @Test func otherMessages() throws {
    #expect(try Self.messages("hevc-sei-transfer")[0].preferredTransferCharacteristics == .hlg)
    #expect(try Self.messages("hevc-sei-light")[0].preferredTransferCharacteristics == nil)
    #expect(try Self.messages("hevc-sei-packing")[0].isFramePacking)
    let payload = try Self.messages("hevc-sei-hdr10plus")[0].payload
    #expect(Self.hdr10Plus(in: [try Units.unit("hevc-sei-hdr10plus")]) == payload)
    #expect(Self.hdr10Plus(in: [try Units.unit("hevc-sei-recovery")]) == nil)
  }

  /// What was read is written byte for byte, with emulation prevention.
  @Test(arguments: Fixture.names("hevc-sei-")) func unitsAreWritten(name: String) throws {
    let unit = try Units.unit(name)
    #expect(NALUnit(messages: try Self.messages(name), .hevc).bytes == unit.bytes)
    #expect(Units.editing(unit, name) { $0 }?.bytes == unit.bytes)
    #expect(Units.replacing(unit, name) { _ in nil }.bytes == unit.bytes)
  }

  @Test(arguments: ["hevc-sei-hdr10", "avc-sei-hdr10"]) func messagesAreRemoved(
    name: String
  ) throws {
    let unit = try Units.unit(name)
    let count = try Self.messages(name).count
    let rest = try #require(Units.editing(unit, name) { $0.payloadType == 137 ? nil : $0 })
    #expect(Units.messages(rest, name).map(\.payloadType) == (count == 3 ? [6, 144] : [144]))
    #expect(Units.editing(unit, name) { _ in nil } == nil)
    if name == "hevc-sei-hdr10" { #expect(rest.bytes == (try Fixture.bytes("hevc-sei-light"))) }
  }

  @Test(arguments: ["hevc-sei-hdr10", "avc-sei-hdr10"]) func messagesAreChanged(
    name: String
  ) throws {
    let unit = try Units.unit(name)
    // Without emulation prevention, a decoder would see a start code in this payload.
    let replaced = Units.replacing(unit, name) { message in
      message.payloadType == 144 ? [0, 0, 0, 1] : nil
    }
    #expect(!Units.hasStartCode(replaced.bytes))
    #expect(Units.messages(replaced, name).last?.payload == [0, 0, 0, 1])
    #expect(Units.messages(replaced, name).dropLast() == (try Self.messages(name)).dropLast())
    let longer = Units.editing(unit, name) { message in
      message.payloadType == 144
        ? SEIMessage(payloadType: 300, payload: [UInt8](repeating: 0, count: 600)) : message
    }
    let messages = Units.messages(try #require(longer), name)
    #expect(messages.last?.payloadType == 300 && messages.last?.payload.count == 600)
  }

  /// A message that is cut off is left out, and what comes before it stays.
  @Test func cutMessages() throws {
    let unit = try Units.unit("hevc-sei-hdr10")
    let whole = try Self.messages("hevc-sei-hdr10")
    let first = try Units.unit("hevc-sei-mastering").bytes.count
    for count in 0..<unit.bytes.count {
      let cut = Units.split(annexB: [0, 0, 1] + unit.bytes.prefix(count)).first ?? []
      let messages = Units.messages(Units.unit(cut, "hevc"), "hevc")
      #expect(whole.starts(with: messages), "\(count)")
      if count < first - 1 { #expect(messages.isEmpty, "\(count)") }
    }
  }

  @Test func valuesBecomeMessages() throws {
    let light = ContentLightLevel(maxContentLightLevel: 940, maxPicAverageLightLevel: 200)
    let ambient = AmbientViewingEnvironment(
      ambientIlluminance: 3_140_000, ambientLightX: 15635, ambientLightY: 16450)
    for (message, name) in [
      (SEIMessage(light), "hevc-sei-light"), (SEIMessage(ambient), "hevc-sei-ambient"),
    ] {
      #expect(NALUnit(messages: [message], .hevc).bytes == (try Fixture.bytes(name)))
    }
  }

  /// The type and the order of a picture are read from its slices and parameter sets. Here, an
  /// intra picture begins a sequence.
  @Test func aPictureIsRead() throws {
    var reader = CodedPictureReader(
      parameterSets: try ["hevc-vps", "hevc-sps", "hevc-pps"].map(Units.unit))
    for sequence in 1...2 {
      let picture = try #require(reader.read([try Units.unit("hevc-idr")]))
      #expect(picture.type == .intra)
      #expect(picture.order == PictureOrder(sequence: sequence, orderCount: 0))
    }
    #expect(reader.read([try Units.unit("hevc-sei-light")]) == nil)
  }
}
