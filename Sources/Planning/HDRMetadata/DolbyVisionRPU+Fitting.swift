// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorScience
internal import DolbyVision
internal import MediaCore
internal import Settings

extension DolbyVisionRPU: FittedHDRMetadataKind {
  static func isTaken(by settings: HDRMetadataSettings) -> Bool { settings.dolbyVision != .none }

  /// Returns a function that makes RPUs for frames that the source's RPUs do not describe. The
  /// function measures brightness again. It keeps the source's mapping and static blocks, or uses
  /// the ones that phones write.
  ///
  /// - Returns: `nil` if RPUs are not computed, or if the frames cannot be measured.
  static func composer(
    _ plan: HDRMetadataPlan, _ light: FrameLight, _ activeArea: ActiveArea
  ) -> MetadataComposer? {
    guard let dolbyVision = plan.dolbyVisionPlan, dolbyVision.computesRPUs, light.measuresSignal
    else { return nil }
    let usual = template(for: dolbyVision, plan.staticMetadata)
    return { picture, source, beginsShot in
      let own = dolbyVision.keepsMapping ? source[DolbyVisionRPU.self]?.unit : nil
      var unit = own.flatMap { isTemplate($0) ? $0 : nil } ?? usual
      guard let levels = light.signal(of: picture, source) else { return nil }
      unit.displayManagement?.isSceneRefresh = beginsShot
      unit.displayManagement?.setLevel1(
        minPQ: code(levels.minimum), maxPQ: code(levels.maximum), avgPQ: code(levels.mean),
        minimumAverage: 0)
      // Levels 3 and 4 are offsets and filters for the old level 1, which has just been replaced.
      // So remove them.
      unit.displayManagement?.level3 = nil
      unit.displayManagement?.level4 = nil
      unit.displayManagement?.setActiveArea(activeArea.area(from: source))
      // The padding of the template belonged to an RPU of another length, so drop it.
      unit.trailingZeroCount = 0
      return try DolbyVisionRPU(writing: unit).kept(by: plan)
    }
  }

  /// Returns whether the mapping and the static blocks of a source's RPU can be kept.
  private static func isTemplate(_ source: ReferenceProcessingUnit) -> Bool {
    source.profile == 8 && source.displayManagement?.color != nil
  }

  /// Returns an RPU that is complete except for the light.
  private static func template(
    for plan: DolbyVisionPlan, _ metadata: StaticHDRMetadata
  ) -> ReferenceProcessingUnit {
    let display = metadata.displayOfRPUs ?? .usual
    var level6 = Level6(maxDisplayMasteringLuminance: 0, minDisplayMasteringLuminance: 0)
    level6.state(display)
    if let levels = metadata.contentLightLevel { level6.state(levels) }
    return .unlit(
      for: plan.baseLayer, level6: level6,
      minPQ: code(PQ.inverseEOTF(display.minimumLuminance)),
      maxPQ: code(PQ.inverseEOTF(display.maximumLuminance)))
  }

  /// Converts a PQ signal to 12 bits.
  private static func code(_ signal: Double) -> UInt16 {
    // A file may state a display that is brighter than PQ allows.
    UInt16((min(max(signal, 0), 1) * 4095).rounded())
  }

  /// Returns the RPU as the output has it: for the base layer alone if the enhancement layer is
  /// left out, and with the values that the settings state. Returns `nil` if the RPU cannot be
  /// converted, or if the enhancement layer stays but the RPU is not of profile 7.
  package func kept(by plan: HDRMetadataPlan) -> DolbyVisionRPU? {
    // If the layer stays, the record states profile 7, and all RPUs have to agree with it.
    guard !plan.keepsLayer || unit?.profile == 7 else { return nil }
    return (plan.convertsRPUs ? forBaseLayerAlone : self).map { $0.stating(plan) }
  }

  /// Returns the RPU with its level 6 set to the values that the settings state, so that it does
  /// not contradict boxes and messages. An RPU without level 6 stays as it is.
  private func stating(_ plan: HDRMetadataPlan) -> DolbyVisionRPU {
    let (display, levels) = (plan.statedDisplay, plan.statedLevels)
    guard display != nil || levels != nil, let old = unit?.displayManagement?.level6 else {
      return self
    }
    var new = old
    if let display { new.state(display) }
    if let levels { new.state(levels) }
    // An RPU that already has these values keeps all its bytes.
    return new == old ? self : changed { $0.level6 = new }
  }

  /// Returns the RPU with its active area moved. An RPU that cannot be read is not changed.
  func moved(by activeArea: ActiveArea) throws -> DolbyVisionRPU {
    guard var unit, let data = unit.displayManagement else { return self }
    let area = activeArea.area(from: data.level5)
    // An RPU whose area does not move keeps all its bytes.
    guard area != data.level5 ?? Level5() else { return self }
    unit.displayManagement?.setActiveArea(area)
    return try DolbyVisionRPU(writing: unit)
  }
}

extension StaticHDRMetadata {
  /// The stated mastering display, if RPUs can be made for it.
  fileprivate var displayOfRPUs: MasteringDisplayColorVolume? {
    masteringDisplay.flatMap { $0.isOfLevel6 ? $0 : nil }
  }
}

extension HDRMetadataPlan {
  /// The assumed mastering display for which RPUs are computed. A display is assumed if none is
  /// stated, or if the stated one cannot exist. `nil` if nothing is assumed.
  var assumedDisplay: MasteringDisplayColorVolume? {
    // RPUs with the source's mapping also keep the source's level 6, so no display is assumed.
    guard let dolbyVisionPlan, dolbyVisionPlan.computesRPUs, !dolbyVisionPlan.keepsMapping,
      dolbyVisionPlan.baseLayer?.namesDisplay == true, staticMetadata.displayOfRPUs == nil
    else { return nil }
    return .usual
  }
}

extension HDRMetadata {
  /// Whether the first frames have RPUs, but none of these RPUs can be read.
  var hasOnlyDamagedRPUs: Bool { frames.has(DolbyVisionRPU.self) && dolbyVisionRPU == nil }

  /// Returns why RPUs of profile 8 cannot stay with frames of a transfer function, as text; `nil`
  /// if they can, or if there are none.
  func obstacleToRPUs(with transfer: TransferCharacteristics) -> String? {
    if hasOnlyDamagedRPUs { return "the source's RPUs are damaged" }
    // RPUs of profiles 5 and 7 describe what decoders make of the stored frames, not the stored
    // frames themselves. So only RPUs of profile 8 are compared with the frames' transfer function.
    guard let rpu = dolbyVisionRPU, rpu.profile == 8 else { return nil }
    return rpu.misfit(transfer).map {
      "the source's RPUs map \($0) to Dolby Vision, but the video is \(transfer)"
    }
  }
}
