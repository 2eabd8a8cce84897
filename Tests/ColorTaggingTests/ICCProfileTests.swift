// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import Foundation
import Testing

@testable import ColorTagging

/// The colors of ICC profiles are recognized. The profiles are built here according to ICC.1, from
/// published values.
@Suite struct ICCProfileTests {
  private static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func fixed(_ values: [Double]) -> [UInt8] {
    values.flatMap { big(Int(($0 * 65536).rounded())) }
  }

  private static func profile(_ tags: [(String, [UInt8])], space: String = "RGB ") -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<20, with: space.utf8)
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    var table = big(tags.count)
    var content: [UInt8] = []
    for (name, bytes) in tags {
      table += Array(name.utf8) + big(132 + 12 * tags.count + content.count) + big(bytes.count)
      content += bytes
    }
    return header + table + content
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + big(0) + fixed(values)
  }

  private static func para(_ kind: Int, _ values: [Double]) -> [UInt8] {
    Array("para".utf8) + big(0) + big(kind, 2) + big(0, 2) + fixed(values)
  }

  private static func curv(_ values: [Int]) -> [UInt8] {
    Array("curv".utf8) + big(0) + big(values.count) + values.flatMap { big($0, 2) }
  }

  // These colorants are those of published profiles: sRGB IEC61966-2.1 and Display P3.
  private static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]
  private static let p3 = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]

  private static func display(
    _ colorants: [[Double]], _ curve: [UInt8], cicp: [UInt8]? = nil
  ) -> [UInt8] {
    let names = ["rXYZ", "gXYZ", "bXYZ"]
    let tones = ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    let codes = cicp.map { [("cicp", Array("cicp".utf8) + [0, 0, 0, 0] + $0)] } ?? []
    return profile(zip(names, colorants.map(xyz)).map { ($0, $1) } + tones + codes)
  }

  private static let sRGBCurve = para(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

  @Test func knownProfilesAreNamed() throws {
    let camera = Self.para(3, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
    let table = (0..<1024).map { index in
      Int((65535 * PowerForm.sRGB.toLight(Double(index) / 1023)).rounded())
    }
    let cases: [([UInt8], String)] = [
      (Self.display(Self.sRGB, Self.sRGBCurve), "1/13/2"),
      (Self.display(Self.sRGB, Self.curv(table)), "1/13/2"),
      (Self.display(Self.p3, Self.sRGBCurve), "12/13/2"),
      (Self.display(Self.sRGB, camera), "1/1/2"),
      (Self.display(Self.sRGB, Self.curv([0x0233])), "1/4/2"),
      (Self.display(Self.sRGB, Self.para(0, [2.8])), "1/5/2"),
      (Self.display(Self.sRGB, Self.curv([])), "1/8/2"),
      (Self.display([Self.sRGB[1], Self.sRGB[0], Self.sRGB[2]], Self.sRGBCurve), "2/13/2"),
      (Self.profile([("cicp", Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1])]), "9/16/2"),
      (Self.display(Self.p3, Self.sRGBCurve, cicp: [9, 16, 0, 1]), "9/16/2"),
      // If the codes leave something open, or state a value without a meaning, colorants and curves
      // decide.
      (Self.display(Self.p3, Self.sRGBCurve, cicp: [2, 2, 0, 1]), "12/13/2"),
      (Self.display(Self.p3, Self.sRGBCurve, cicp: [200, 1, 0, 1]), "12/1/2"),
      (Self.profile([], space: "CMYK"), "2/2/2"),
    ]
    for (bytes, triple) in cases {
      #expect(try #require(ICCProfile(bytes)).color.triple == triple)
    }
  }

  /// A gamma without a code point, such as the 1.8 of old Macs, is kept. The profile can state it
  /// as one number, as a formula or as a table.
  @Test func plainGammasAreKept() throws {
    let table = (0..<256).map { Int((65535 * pow(Double($0) / 255, 2.6)).rounded()) }
    let cases = [
      (Self.curv([0x01CD]), 1.8008), (Self.para(0, [1.8]), 1.8), (Self.curv(table), 2.6),
    ]
    for (curve, gamma) in cases {
      let color = try #require(ICCProfile(Self.display(Self.sRGB, curve))).color
      #expect(color.triple == "1/2/2")
      let found = try #require(color.transferCharacteristics.gamma)
      #expect(abs(found - gamma) < 0.0005)
      #expect(color.transferCharacteristics.isSpecified)
    }
    let camera = try #require(ICCProfile(Self.display(Self.sRGB, Self.para(0, [0.45]))))
    #expect(!camera.color.transferCharacteristics.isSpecified)
    #expect(camera.unknown == "tone curves")
  }

  /// A profile that is cut off or changed anywhere may or may not be readable, but it never crashes
  /// the program.
  @Test func damageIsHarmless() {
    let whole = Self.display(Self.sRGB, Self.curv([0, 65535]))
    for count in 0..<whole.count { _ = ICCProfile(Array(whole.prefix(count))) }
    for index in whole.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var bytes = whole
        bytes[index] = value
        _ = ICCProfile(bytes)
      }
    }
    #expect(ICCProfile([]) == nil)
  }

  @Test func gammas() {
    let wanted: [(Double, UInt16?)] = [
      (2.2, 4), (2.19921875, 4), (2.8, 5), (1, 8), (1.961, 1), (1.8, 2), (0, nil), (0.45, nil),
      (3.5, nil), (.nan, nil),
    ]
    for (gamma, code) in wanted {
      let found = TransferCharacteristics(gamma: gamma)
      #expect(found?.rawValue == code, "\(gamma)")
      #expect(found.map { $0 == .unspecified } != true)
    }
  }
}
