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

  /// The RPU of a frame as it will be decoded: `19 … 80`, with emulation prevention.
  ///
  /// - Parameter source: the RPU of the frame that it was made from; nil for none.
  func rpu(
    of picture: PixelBuffer, source: [UInt8]?, beginsShot: Bool
  ) throws(DolbyVisionError) -> [UInt8] {
    let sourceUnit = source.flatMap { try? ReferenceProcessingUnit(dolbyVisionRPU: $0) }
    var unit = template(sourceUnit)
    let area = activeArea.area(from: sourceUnit?.displayManagement?.level5)
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
    return Array(try unit.hevcNALUnit().dropFirst(2))
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
