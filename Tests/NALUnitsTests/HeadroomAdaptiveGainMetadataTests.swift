// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import TestSupport
import Testing

@testable import NALUnits

/// ST 2094-50 in user data is read and written again field by field, and faults are named if it is
/// cut off or damaged.
@Suite struct HeadroomAdaptiveGainMetadataTests {
  private static let prefix: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01]

  /// The first sample of the track in androidx's `sample_with_it35_track.mp4`: three alternates
  /// with common points and mixing.
  private static let authored = hexadecimal(
    """
    00402f923b0000fc19a7423605cb61a878000a000b000f001d00360060009e00f5016901fe02b8039b04ac05ee0765\
    091600cd00d500f601a302f50551083a0b510e4010d0137016cc1baf217f27a62f921fe922db32261e8a164d1bb023\
    2d27042feb34fc387335b3332a339035ad2d760fdb006d0071008600f101da03890585077a09160a590bb10dbe1127\
    155919cd1fb72acf2d89397c29131cbf238c2bf4329639923da73eb93b313846385a3a0f2d761fb700340037004000\
    74010202190341042b0486047e0480052306f709700c190fdb37aa39614004367d25882dde366f40fd4429475b4597\
    41823e333dca3ee32d76
    """)

  private static func hexadecimal(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 > 57 ? $0 - 87 : $0 - 48) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func metadata(_ body: [UInt8]) throws -> HeadroomAdaptiveGainMetadata {
    try #require(try HeadroomAdaptiveGainMetadata(payload: Self.prefix + body))
  }

  /// A white of 400 cd/m², custom chromaticities, and two alternates, each with its own mixing.
  private static let ownCurves: [UInt8] = {
    var bits = BitWriter()
    for (value, count) in [(0, 8), (0xC0, 8), (2000, 16), (15_000, 16), (0b0010_1100, 8)] {
      bits.u(UInt64(value), count)
    }
    for value in [32_000, 16_500, 15_000, 30_000, 7500, 3000, 15_635, 16_450] {
      bits.u(UInt64(value), 16)
    }
    for (headroom, mixing) in [(0, 0x40), (30_000, 0b1110_0001)] {
      bits.u(UInt64(headroom), 16)
      bits.u(UInt64(mixing), 8)
      if mixing > 0x80 { for value in [10_000, 40_000] { bits.u(UInt64(value), 16) } }
      bits.u(0b0000_1100, 8)
      for value in [500, 2000, 300, 7000] { bits.u(UInt64(value), 16) }
    }
    return bits.bytes
  }()

  @Test func shortestForm() throws {
    let body: [UInt8] = [0x00, 0x40, 0x4E, 0x20, 0x80]
    let found = try metadata(body)
    #expect(found == .init(toneMap: .init(baselineHeadroom: 20_000)))
    #expect(found.payload == Self.prefix + body && found.issues.isEmpty)
  }

  @Test func fieldsAreRead() throws {
    let found = try metadata(Self.ownCurves)
    let curves = try #require(found.toneMap?.authored)
    #expect(found.referenceWhite == 2000 && found.toneMap?.baselineHeadroom == 15_000)
    #expect(curves.chromaticities.count == 8 && curves.alternates.map(\.headroom) == [0, 30_000])
    #expect(curves.alternates[0].mixing == .init(type: 1, coefficients: []))
    #expect(
      curves.alternates[1].mixing
        == .init(type: 3, coefficients: [10_000, nil, nil, nil, nil, 40_000]))
    #expect(
      curves.alternates[1].curve.y == [300, 7000] && curves.alternates[1].curve.derivesSlopes)
    #expect(found.issues.isEmpty, "\(found.issues)")
  }

  @Test func fieldsOfAnAuthor() throws {
    let found = try metadata(Self.authored)
    let curves = try #require(found.toneMap?.authored)
    #expect(found.toneMap?.baselineHeadroom == 12_178 && curves.chromaticitiesMode == 2)
    #expect(curves.hasCommonMixing && curves.hasCommonPoints && curves.alternates.count == 3)
    #expect(curves.alternates[0].mixing.coefficients == [6567, 16_950, 1483, 25_000, nil, nil])
    for alternate in curves.alternates {
      #expect(alternate.curve.x.count == 16 && alternate.curve.thetas.count == 16)
      #expect(alternate.curve.x.first == 10 && alternate.curve.x.last == 2326)
    }
    #expect(found.issues.isEmpty, "\(found.issues)")
  }

  @Test(arguments: [authored, ownCurves, [0, 0], [0, 0x80, 0x07, 0xD0], ownCurves + [7, 0]])
  func whatIsReadIsWrittenAgain(body: [UInt8]) throws {
    #expect(try metadata(body).payload == Self.prefix + body)
  }

  @Test(arguments: [authored, ownCurves])
  func cutPayloadsAreNamed(body: [UInt8]) throws {
    for count in 0..<body.count {
      #expect(throws: HeadroomAdaptiveGainMetadata.Fault.cutOff, "\(count)") {
        try HeadroomAdaptiveGainMetadata(payload: Self.prefix + body.prefix(count))
      }
    }
    let others = Units.messages(try Units.unit("hevc-sei-hdr10plus"), "hevc-sei-hdr10plus")
    for message in others {
      #expect(try HeadroomAdaptiveGainMetadata(payload: message.payload) == nil)
    }
  }

  @Test(
    arguments: [
      (0, UInt8(0x20), "version 1"), (0, 0x04, "version 1"), (0, 0x01, "after the versions"),
      (1, 0x41, "has_adaptive_tone_map_flag"), (4, 0x5B, "5 alternates"),
      (4, 0x81, "use_reference_white_tone_mapping_flag"),
    ])
  func doubtfulPayloadsAreNamed(place: Int, byte: UInt8, words: String) throws {
    var body = Self.authored
    body[place] = byte
    let fault = #expect(throws: HeadroomAdaptiveGainMetadata.Fault.self) {
      try HeadroomAdaptiveGainMetadata(payload: Self.prefix + body)
    }
    #expect(fault.map { "\($0)".contains(words) } == true, "\(String(describing: fault))")
  }

  /// Values that the standard forbids are read, and named.
  @Test(
    arguments: [
      (2, [UInt8(0), 0], "reference white"), (4, [0xFF, 0xFF], "baseline"),
      (4, [0, 0], "has the baseline's headroom"), (7, [0xFF, 0xFF], "chromaticity"),
      (7, [0, 0], "white is outside"), (23, [0x80, 0], "do not rise"),
      (29, [0xFF, 0xFF], "64 times"), (31, [0xFF, 0xFF], "above 6 stops"),
      (27, [0x7F, 0xFF], "points do not rise"),
    ])
  func forbiddenValues(place: Int, bytes: [UInt8], words: String) throws {
    var body = Self.ownCurves
    body.replaceSubrange(place..<place + 2, with: bytes)
    let issues = try metadata(body).issues
    #expect(issues.contains { $0.contains(words) }, "\(issues)")
  }

  /// No flipped bit of a real payload makes reading trap, and what can be read is written
  /// unchanged.
  @Test func flippedBits() throws {
    for bit in 0..<Self.authored.count * 8 {
      var body = Self.authored
      body[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      let payload = Self.prefix + body
      guard let read = try? HeadroomAdaptiveGainMetadata(payload: payload) else { continue }
      #expect(read.payload == payload, "\(bit)")
      _ = read.issues
    }
  }
}
