// SPDX-License-Identifier: GPL-2.0-or-later
extension DataMapping {
  // The numbers are those of libdovi 3.4 (`profiles/profile84.rs`, "Based on iPhone 13 polynomials
  // and MMR"); an iPhone 14 Pro records the same. Fractions are in units of 2⁻²³.
  /// The mapping of HLG to Dolby Vision that phones record with profile 8.4: second-order
  /// polynomials for luma, and one third-order regression for each chroma component.
  package static let profile84 = DataMapping(curves: [luma84, cb84, cr84])

  private static let luma84 = ReshapingCurve(
    predPivotValue: [63, 69, 230, 256, 256, 37, 16, 8, 7],
    pieces: [
      .polynomial(numbers([-1, 1, -3], [7_978_928, 8_332_855, 4_889_184])),
      .polynomial(numbers([-1, 1, -2], [8_269_552, 5_186_604, 3_909_327])),
      .polynomial(numbers([0, 0, -1], [1_317_527, 5_338_528, 7_440_486])),
      .polynomial(numbers([0, 0, 0], [2_119_979, 2_065_496, 2_288_524])),
      .polynomial(numbers([0, -2, 1], [7_982_780, 5_409_990, 1_585_336])),
      .polynomial(numbers([6, -14, 8], [3_460_436, 3_197_328, 615_464])),
      .polynomial(numbers([13, -30, 16], [3_921_968, 6_820_672, 5_546_752])),
      .polynomial(numbers([28, -62, 34], [1_947_392, 1_244_640, 6_094_272])),
    ])

  private static let cb84 = ReshapingCurve(
    predPivotValue: [0, 1023],
    pieces: [
      .mmr(
        constant: Coefficient(1, 1_150_183),
        coefficients: [
          numbers(
            [-1, -2, -5, 2, 5, 9, -12],
            [87_355, 6_228_986, 642_500, 1_023_296, 6_569_512, 5_128_216, 4_317_296]),
          numbers(
            [-1, -1, 3, -1, -5, -12, 18],
            [8_299_905, 5_819_931, 2_324_124, 7_273_546, 1_562_484, 3_679_480, 6_357_360]),
          numbers(
            [-1, 0, -2, 0, 2, 7, -19],
            [8_172_981, 3_261_951, 5_970_055, 927_142, 3_525_840, 5_110_348, 6_236_848]),
        ])
    ])

  private static let cr84 = ReshapingCurve(
    predPivotValue: [0, 1023],
    pieces: [
      .mmr(
        constant: Coefficient(-2, 6_266_112),
        coefficients: [
          numbers(
            [4, 0, 5, -2, -8, -1, 1],
            [193_104, 5_369_128, 2_553_116, 8_009_648, 2_772_020, 3_122_453, 2_961_581]),
          numbers(
            [-4, -1, -6, 1, 12, 0, -4],
            [6_769_788, 2_565_605, 7_864_496, 4_777_288, 649_616, 7_036_536, 1_666_406]),
          numbers(
            [1, 0, 2, -1, -8, -1, 4],
            [406_265, 2_901_521, 2_680_224, 146_340, 1_008_052, 4_366_810, 5_080_852]),
        ])
    ])

  private static func numbers(_ integers: [Int64], _ fractions: [UInt32]) -> [Coefficient] {
    zip(integers, fractions).map { Coefficient($0, $1) }
  }
}

extension ReferenceProcessingUnit {
  /// Makes the metadata of a frame in profile 8.4, for an HLG base layer: levels 1, 5, 6, 9 (P3
  /// with D65), 11 and 254 (CM v4.0.2). `source_min_PQ` and `source_max_PQ` are 0.005 and 1000
  /// cd/m², whatever level 6 states.
  ///
  /// - Parameters:
  ///   - level1: how bright the frame is.
  ///   - isSceneRefresh: whether the frame is the first of its shot.
  ///   - activeArea: the active area; the whole frame by default.
  ///   - level6: static metadata, or `nil` to leave it out as phones do. By default, a mastering
  ///     display from 0.0001 to 1000 cd/m², as in libdovi.
  ///   - level11: the kind of content. Phones write ``Level11/userGenerated``.
  package static func profile84(
    level1: Level1, isSceneRefresh: Bool, activeArea: Level5 = Level5(),
    level6: Level6? = Level6(
      maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1),
    level11: Level11 = .referenceCinema
  ) -> ReferenceProcessingUnit {
    // The mapping is the one that phones record, and the blocks are those that libdovi generates
    // (`vdr_dm_data.rs`, `from_generate_config`). 62 and 3079 are 0.005 and 1000 cd/m² in 12-bit
    // PQ.
    var data = DisplayManagementData(color: ColorMetadata(sourceMinPQ: 62, sourceMaxPQ: 3079))
    data.isSceneRefresh = isSceneRefresh
    data.level1 = level1
    data.level5 = activeArea
    data.level6 = level6
    data.level9 = Level9(sourcePrimaryIndex: 0)
    data.level11 = level11
    return ReferenceProcessingUnit(mapping: .coded(.profile84), displayManagement: data)
  }
}
