// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport

@testable import DolbyVision

/// Units with all kinds of content, whose values are often the least or the greatest that fit.
struct RandomUnits {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> ReferenceProcessingUnit {
    let header = header()
    let data = number(bits: 2) as UInt8 == 0 ? nil : displayManagement(header)
    let mapping: ReferenceProcessingUnit.MappingSource =
      chance(8) ? .previous(id: word()) : .coded(mapping(header))
    // Without the second group of blocks, the bytes before the checksum would be read as that
    // group.
    let mayHaveData = data == nil || data?.cmv40 != nil
    return ReferenceProcessingUnit(
      header: header, mapping: mapping, displayManagement: data,
      dataBeforeChecksum: mayHaveData && chance(3) ? bytes(upTo: 20) : [],
      trailingZeroCount: chance(4) ? Int.random(in: 1...3, using: &random) : 0)
  }

  private mutating func header() -> RPUHeader {
    var header = RPUHeader()
    header.rpuFormat = number(bits: 8)
    header.vdrRPUProfile = number(bits: 4)
    header.vdrRPULevel = number(bits: 4)
    header.chromaResamplingExplicitFilterFlag = flag()
    header.coefficientDataType = number(bits: 1)
    header.coefficientLog2Denom =
      header.coefficientDataType == 0 ? UInt8.random(in: 0...32, using: &random) : 0
    header.vdrRPUNormalizedIDC = number(bits: 2)
    header.blVideoFullRangeFlag = flag()
    header.blBitDepthMinus8 = UInt8.random(in: 0...8, using: &random)
    header.elBitDepthMinus8 = UInt8.random(in: 0...8, using: &random)
    header.extMappingIDC = number(bits: 8)
    header.vdrBitDepthMinus8 = UInt8.random(in: 0...8, using: &random)
    header.spatialResamplingFilterFlag = flag()
    header.reservedZero3Bits = chance(4) ? 1 : 0
    header.elSpatialResamplingFilterFlag = flag()
    header.disableResidualFlag = flag()
    return header
  }

  private mutating func mapping(_ header: RPUHeader) -> DataMapping {
    var curves: [ReshapingCurve] = []
    for _ in 0..<3 {
      let count = Int.random(in: 2...9, using: &random)
      var curve = ReshapingCurve(predPivotValue: [], pieces: [])
      for _ in 0..<count { curve.predPivotValue.append(number(bits: header.blBitDepth)) }
      for index in 1..<count {
        curve.pieces.append(piece(header.fractionBits, isLast: index == count - 1))
      }
      curves.append(curve)
    }
    return DataMapping(
      vdrRPUID: word(), mappingColorSpace: word(), mappingChromaFormatIDC: word(),
      numXPartitionsMinus1: word(), numYPartitionsMinus1: word(), curves: curves,
      nlq: header.disableResidualFlag ? nil : quantization(header))
  }

  private mutating func piece(_ fractionBits: Int?, isLast: Bool) -> MappingPiece {
    switch number(bits: 2) as UInt8 {
    case 0: return .polynomial(coefficients(Int.random(in: 2...3, using: &random), fractionBits))
    case 1: return .linearInterpolation(coefficients(isLast ? 2 : 1, fractionBits, isSigned: false))
    default:
      var rows: [[Coefficient]] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        rows.append(coefficients(7, fractionBits))
      }
      return .mmr(constant: coefficients(1, fractionBits)[0], coefficients: rows)
    }
  }

  private mutating func quantization(_ header: RPUHeader) -> NonlinearQuantization {
    var components: [NonlinearQuantization.Component] = []
    for _ in 0..<3 {
      let numbers = coefficients(3, header.fractionBits, isSigned: false)
      components.append(
        .init(
          nlqOffset: number(bits: header.elBitDepth), vdrInMax: numbers[0],
          linearDeadzoneSlope: numbers[1], linearDeadzoneThreshold: numbers[2]))
    }
    return NonlinearQuantization(
      nlqPredPivotValue: [number(bits: header.blBitDepth), number(bits: header.blBitDepth)],
      components: components)
  }

  private mutating func coefficients(
    _ count: Int, _ fractionBits: Int?, isSigned: Bool = true
  ) -> [Coefficient] {
    (0..<count).map { _ in
      guard let fractionBits else { return Coefficient(0, number(bits: 32)) }
      let integer = Int64(word())
      let signed = isSigned ? max(integer - Int64(Int32.max), -Int64(Int32.max)) : integer
      return Coefficient(
        min(signed, isSigned ? Int64(Int32.max) : signed), number(bits: fractionBits))
    }
  }

  private mutating func displayManagement(_ header: RPUHeader) -> DisplayManagementData {
    var second = ExtensionBlockGroup([.level254(Level254(dmMode: number(bits: 8)))])
    second.blocks += blocks(.v40)
    return DisplayManagementData(
      affectedDMMetadataID: word(), currentDMMetadataID: word(), sceneRefreshFlag: word(),
      color: header.isDisplayManagementCompressed ? nil : color(),
      cmv29: ExtensionBlockGroup(blocks(.v29)), cmv40: flag() ? second : nil)
  }

  private mutating func color() -> ColorMetadata {
    var color = ColorMetadata(sourceMinPQ: number(bits: 12), sourceMaxPQ: number(bits: 12))
    for index in 0..<9 { color.yccToRGBCoef[index] = signed() }
    for index in 0..<9 { color.rgbToLMSCoef[index] = signed() }
    for index in 0..<3 { color.yccToRGBOffset[index] = number(bits: 32) }
    color.signalEOTF = number(bits: 16)
    color.signalEOTFParam0 = number(bits: 16)
    color.signalEOTFParam1 = number(bits: 16)
    color.signalEOTFParam2 = number(bits: 32)
    color.signalBitDepth = number(bits: 5)
    color.signalColorSpace = number(bits: 2)
    color.signalChromaFormat = number(bits: 2)
    color.signalFullRangeFlag = number(bits: 2)
    color.sourceDiagonal = number(bits: 10)
    return color
  }

  private mutating func blocks(_ version: ContentMappingVersion) -> [ExtensionBlock] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in
      // Some blocks have levels of the other group, unknown levels, or known levels in a wrong
      // form.
      if chance(5) { return .other(level: 16, payload: bytes(upTo: 40)) }
      if chance(8) { return .other(level: version == .v29 ? 3 : 1, payload: bytes(upTo: 5)) }
      if chance(8) { return .other(level: version.levels[0], payload: [1, 2, 3, 4]) }
      return block(version.levels.randomElement(using: &random) ?? 1)
    }
  }

  private mutating func block(_ level: UInt8) -> ExtensionBlock {
    switch level {
    case 1: .level1(Level1(minPQ: twelve(), maxPQ: twelve(), avgPQ: twelve()))
    case 2: .level2(level2())
    case 3: .level3(Level3(minPQOffset: twelve(), maxPQOffset: twelve(), avgPQOffset: twelve()))
    case 4: .level4(Level4(anchorPQ: twelve(), anchorPower: twelve()))
    case 5: .level5(level5())
    case 6: .level6(level6())
    case 8: .level8(level8())
    case 9: .level9(Level9(sourcePrimaryIndex: number(bits: 8), primaries: primaries()))
    case 10: .level10(level10())
    case 11: .level11(level11())
    case 254: .level254(Level254(dmMode: number(bits: 8), dmVersionIndex: number(bits: 8)))
    default:
      .level255(
        Level255(
          dmRunMode: number(bits: 8), dmRunVersion: number(bits: 8),
          dmDebug: (0..<4).map { _ in number(bits: 8) }))
    }
  }

  private mutating func level2() -> Level2 {
    Level2(
      targetMaxPQ: twelve(), trimSlope: twelve(), trimOffset: twelve(), trimPower: twelve(),
      trimChromaWeight: twelve(), trimSaturationGain: twelve(),
      msWeight: Int16(bitPattern: number(bits: 13) << 3) >> 3)
  }

  private mutating func level5() -> Level5 {
    Level5(
      left: number(bits: 13), right: number(bits: 13), top: number(bits: 13),
      bottom: number(bits: 13))
  }

  private mutating func level6() -> Level6 {
    Level6(
      maxDisplayMasteringLuminance: number(bits: 16),
      minDisplayMasteringLuminance: number(bits: 16), maxContentLightLevel: number(bits: 16),
      maxFrameAverageLightLevel: number(bits: 16))
  }

  private mutating func level10() -> Level10 {
    Level10(
      targetDisplayIndex: number(bits: 8), targetMaxPQ: twelve(), targetMinPQ: twelve(),
      targetPrimaryIndex: number(bits: 8), primaries: primaries())
  }

  private mutating func level11() -> Level11 {
    Level11(
      contentType: number(bits: 8), referenceModeFlag: flag(), whitepoint: number(bits: 4),
      reservedBits: number(bits: 3), reservedByte2: number(bits: 8),
      reservedByte3: number(bits: 8))
  }

  private mutating func level8() -> Level8 {
    let length = [10, 12, 13, 19, 25].randomElement(using: &random) ?? 10
    return Level8(
      targetDisplayIndex: number(bits: 8), trimSlope: twelve(), trimOffset: twelve(),
      trimPower: twelve(), trimChromaWeight: twelve(), trimSaturationGain: twelve(),
      msWeight: twelve(), targetMidContrast: length >= 12 ? twelve() : nil,
      clipTrim: length >= 13 ? twelve() : nil,
      saturationVectorField: (0..<(length >= 19 ? 6 : 0)).map { _ in number(bits: 8) },
      hueVectorField: (0..<(length >= 25 ? 6 : 0)).map { _ in number(bits: 8) })
  }

  private mutating func primaries() -> DisplayPrimaries? {
    flag() ? DisplayPrimaries(coordinates: (0..<8).map { _ in signed() }) : nil
  }

  // A third of the numbers are the least possible, and a third are the greatest.

  private mutating func number<Value: UnsignedInteger & FixedWidthInteger>(bits: Int) -> Value {
    let greatest: UInt64 = bits == 0 ? 0 : .max >> UInt64(64 - bits)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return 0
    case 1: return Value(greatest)
    default: return Value(UInt64.random(in: 0...greatest, using: &random))
    }
  }

  private mutating func word() -> UInt32 { chance(2) ? number(bits: 3) : number(bits: 32) }
  private mutating func twelve() -> UInt16 { number(bits: 12) }
  private mutating func signed() -> Int16 { Int16(bitPattern: number(bits: 16)) }
  private mutating func flag() -> Bool { Bool.random(using: &random) }
  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in number(bits: 8) }
  }
}
