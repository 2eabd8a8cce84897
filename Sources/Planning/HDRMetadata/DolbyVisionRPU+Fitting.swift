// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import DolbyVision
internal import MediaCore

extension DolbyVisionRPU: FittedHDRMetadataKind {
  /// Makes the RPUs of frames that are not the source's any more: brightness measured anew, the
  /// source's mapping and static blocks as they were; or those of phones where the source has none.
  /// Nil also where the frames are no HLG that can be measured.
  static func composer(
    _ plan: HDRMetadataPlan, _ pictures: PictureDescription, _ activeArea: ActiveArea
  ) -> MetadataComposer? {
    guard let dolbyVision = plan.dolbyVisionPlan, dolbyVision.computesRPUs,
      let meter = LightMeter(pictures, width: activeArea.size.width)
    else { return nil }
    return { picture, source, beginsShot in
      let own = source[DolbyVisionRPU.self]?.unit
      var unit = template(dolbyVision.keepsMapping ? own : nil)
      let area = activeArea.area(from: source)
      let (columns, lines) = activeArea.samples(of: area)
      let levels = meter.measure(picture, columns: columns, lines: lines)
      unit.displayManagement?.isSceneRefresh = beginsShot
      unit.displayManagement?.setLevel1(
        minPQ: code(levels.minimum), maxPQ: code(levels.maximum), avgPQ: code(levels.mean),
        minimumAverage: 0)
      // Both follow the level 1 that was.
      unit.displayManagement?.level3 = nil
      unit.displayManagement?.level4 = nil
      unit.displayManagement?.setActiveArea(area)
      unit.trailingZeroCount = 0
      return try DolbyVisionRPU(writing: unit)
    }
  }

  /// The source's RPU where it is of the profile that is written, and its mapping is kept.
  private static func template(_ source: ReferenceProcessingUnit?) -> ReferenceProcessingUnit {
    if let source, source.profile == 8, source.displayManagement?.color != nil { return source }
    return .profile84(
      level1: Level1(minPQ: 0, maxPQ: 0, avgPQ: 0), isSceneRefresh: false, level6: nil,
      level11: .userGenerated)
  }

  /// PQ in 12 bits.
  private static func code(_ signal: Double) -> UInt16 {
    UInt16(clamping: Int((signal * 4095).rounded()))
  }

  /// The active area is that of the output frame; an RPU that cannot be read stays.
  func moved(by activeArea: ActiveArea) throws -> DolbyVisionRPU {
    guard var unit, let data = unit.displayManagement else { return self }
    let area = activeArea.area(from: data.level5)
    guard area != data.level5 ?? Level5() else { return self }
    unit.displayManagement?.setActiveArea(area)
    return try DolbyVisionRPU(writing: unit)
  }
}
