// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

@Suite struct Profile84Tests {
  private static let level1 = Level1(minPQ: 0, maxPQ: 3044, avgPQ: 2077)

  /// With its header and mapping replaced, libdovi's sample of profile 8.1 is equal, byte for byte,
  /// to its sample of profile 8.4. libdovi's test `p81_to_p84` expects the same.
  @Test(.needsSharedMedia) func conversionAsLibdoviDoesIt() throws {
    var unit = try RPUFiles.unit("profile8")
    unit.header = RPUHeader()
    unit.mapping = .coded(.profile84)
    let isSame = try unit.hevcNALUnit() == RPUFiles.nalUnits("rpu/profile84.bin")[0]
    #expect(isSame)
  }

  /// Generated units have the same header, mapping and color as units that phones write.
  @Test(
    .needsSharedMedia,
    arguments: ["iphone14pro-dolbyVision-hdr.rpu", "iphone-sample_edit_list.rpu"]
  )
  func generatedUnitsAreLikeAPhones(name: String) throws {
    let phone = try RPUFiles.unit(name)
    let ours = ReferenceProcessingUnit.profile84(
      level1: Self.level1, isSceneRefresh: true, level6: nil, level11: .userGenerated)
    #expect(ours.header == phone.header)
    #expect(ours.mapping == phone.mapping)
    let (data, other) = (
      try #require(ours.displayManagement), try #require(phone.displayManagement)
    )
    #expect(data.color == other.color)
    #expect((data.level9, data.level11, data.level254) == (other.level9, other.level11, Level254()))
  }

  /// The blocks are those of libdovi's generator for 8.4 (`profiles/profile84.rs`,
  /// `vdr_dm_data.rs`).
  @Test func generatedBlocks() throws {
    let unit = ReferenceProcessingUnit.profile84(level1: Self.level1, isSceneRefresh: false)
    #expect(unit.profile == 8 && unit.issues == [])
    let data = try #require(unit.displayManagement)
    #expect((data.color?.sourceMinPQ, data.color?.sourceMaxPQ) == (62, 3079))
    #expect(!data.isSceneRefresh)
    #expect(data.blocks.map(\.level) == [1, 5, 6, 9, 11, 254])
    #expect(data.level1 == Self.level1)
    #expect(data.level5 == Level5())
    #expect(data.level6?.minimumLuminance == 0.0001)
    #expect(data.level11 == .referenceCinema)
    #expect(try ReferenceProcessingUnit(payload: try unit.payload()) == unit)
  }

  /// The coefficients of the first and the last polynomial were worked out by hand from libdovi's
  /// figures: −0.048838, 1.993354, −2.417164 and 28.232147, −61.851627, 34.726494.
  @Test func coefficientsAsNumbers() throws {
    let fractionBits = RPUHeader().fractionBits
    let pieces = DataMapping.profile84.curves[0].pieces
    for (piece, expected) in [
      (pieces[0], [-0.048838, 1.993354, -2.417164]),
      (pieces[7], [28.232147, -61.851627, 34.726494]),
    ] {
      guard case .polynomial(let list) = piece else {
        Issue.record("\(piece)")
        continue
      }
      #expect(list.count == expected.count)
      for (coefficient, number) in zip(list, expected) {
        #expect(abs(coefficient.value(fractionBits: fractionBits) - number) < 5e-7)
      }
    }
    #expect(DataMapping.profile84.curves[0].pivots == [63, 132, 362, 618, 874, 911, 927, 935, 942])
    #expect(Coefficient(Float(-0.5)).value(fractionBits: nil) == -0.5)
  }

  /// At each pivot, a second-order polynomial continues the one before it, so the map has no steps.
  @Test func theMapIsContinuous() {
    let fractionBits = RPUHeader().fractionBits
    let curve = DataMapping.profile84.curves[0]
    let polynomials = curve.pieces.compactMap { piece -> [Double]? in
      guard case .polynomial(let list) = piece else { return nil }
      return list.map { $0.value(fractionBits: fractionBits) }
    }
    #expect(polynomials.count == 8 && curve.pivots.count == 9)
    for (index, pivot) in curve.pivots.dropFirst().dropLast().enumerated() {
      let x = Double(pivot) / 1023
      func at(_ c: [Double]) -> Double { c[0] + c[1] * x + c[2] * x * x }
      #expect(abs(at(polynomials[index]) - at(polynomials[index + 1])) < 0.005)
    }
  }
}
