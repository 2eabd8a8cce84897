// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import DolbyVision
internal import MediaCore

/// Makes the RPUs of frames that are not the source's any more: brightness measured anew, the
/// source's mapping and static blocks as they were; or those of phones where the source has none.
struct RPUComposer {
  private let meter: LightMeter
  private let activeArea: ActiveArea
  private let keepsMapping: Bool

  /// - Parameter keepsMapping: true if the source's RPUs are for HLG, so that their mapping is
  ///   kept.
  /// - Returns: nil where the frames are no HLG that can be measured.
  init?(_ pictures: PictureDescription, _ activeArea: ActiveArea, keepsMapping: Bool) {
    guard let meter = LightMeter(pictures, width: activeArea.size.width) else { return nil }
    self.meter = meter
    self.activeArea = activeArea
    self.keepsMapping = keepsMapping
  }

  /// The RPU of a frame as it will be decoded.
  ///
  /// - Parameter source: the metadata of the frame that it was made from.
  func rpu(
    of picture: PixelBuffer, source: FrameMetadata, beginsShot: Bool
  ) throws(DolbyVisionError) -> DolbyVisionRPU {
    var unit = template(source[DolbyVisionRPU.self]?.unit)
    let area = activeArea.area(from: source)
    let (columns, lines) = activeArea.samples(of: area)
    let levels = meter.measure(picture, columns: columns, lines: lines)
    unit.displayManagement?.isSceneRefresh = beginsShot
    unit.displayManagement?.setLevel1(
      minPQ: Self.code(levels.minimum), maxPQ: Self.code(levels.maximum),
      avgPQ: Self.code(levels.mean), minimumAverage: 0)
    // Both follow the level 1 that was.
    unit.displayManagement?.level3 = nil
    unit.displayManagement?.level4 = nil
    unit.displayManagement?.setActiveArea(area)
    unit.trailingZeroCount = 0
    return try DolbyVisionRPU(writing: unit)
  }

  /// The source's RPU where it is of the profile that is written.
  private func template(_ source: ReferenceProcessingUnit?) -> ReferenceProcessingUnit {
    if keepsMapping, let source, source.profile == 8, source.displayManagement?.color != nil {
      return source
    }
    return .profile84(
      level1: Level1(minPQ: 0, maxPQ: 0, avgPQ: 0), isSceneRefresh: false, level6: nil,
      level11: .userGenerated)
  }

  /// PQ in 12 bits.
  private static func code(_ signal: Double) -> UInt16 {
    UInt16(clamping: Int((signal * 4095).rounded()))
  }
}

extension DolbyVisionRPU: FittedHDRMetadataKind {
  static func composer(
    _ plan: HDRMetadataPlan, _ pictures: PictureDescription, _ area: ActiveArea
  ) -> MetadataComposer? {
    guard let dolbyVision = plan.dolbyVisionPlan, dolbyVision.computesRPUs else { return nil }
    let composer = RPUComposer(pictures, area, keepsMapping: dolbyVision.keepsMapping)
    return composer.map { composer in
      { try composer.rpu(of: $0, source: $1, beginsShot: $2) }
    }
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
