// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Bitstreams
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import LibAV
internal import MediaCore
package import NALUnits
package import Settings

/// The HDR metadata of copied samples. Copies keep what the source states in any place, unless the
/// settings or another file replace it. If the source has RPUs of profile 5, 7 or 8, and its Dolby
/// Vision record is missing or states another profile, the output gets a correct record.
extension HDRMetadataPlan {
  /// Plans the metadata of a track whose samples are copied.
  ///
  /// - Parameter grafted: metadata that the frames get from another file, if any.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames cannot have the metadata
  ///   that the settings ask for.
  package init(
    copying track: AssetTrack, _ settings: VideoSettings, grafted: GraftedMetadata? = nil
  ) throws {
    self = .none
    guard let facts = track.video else {
      guard settings.replacesHDRMetadata else { return }
      throw TranscodingError(
        .unusableInput,
        "track \(track.demuxed.id): no frame could be decoded, so its HDR metadata cannot be "
          + "changed"
      )
    }
    let frames = CopiedFacts(facts, track, settings)
    codecName = facts.bitstream?.codecName
    // SDR samples keep the metadata that they contain, and boxes are copied. Metadata that is only
    // in a container without boxes, such as Matroska, would be lost, so it is planned here.
    staticMetadata = facts.hdrMetadata.staticMetadata.filter { kind in
      frames.transfer.isHDR || facts.hdrMetadata.isInContainerAlone(kind)
    }
    if settings.replacesHDRMetadata { try frames.refuseUnlessChangeable() }
    try replaceStatic(frames)
    try replaceMeasured(frames)
    try replaceDolbyVision(frames)
    if let grafted { try replace(by: grafted, frames) }
    if needsAmbientViewingEnvironment { assumeAmbientViewingEnvironment() }
  }

  private mutating func replaceStatic(_ frames: CopiedFacts) throws {
    let settings = frames.settings
    state(settings)
    if settings.contentLightLevel == .measure {
      guard frames.canBeMeasured else {
        throw frames.refusal(of: "measured light levels")
      }
      (measuresContentLightLevel, staticMetadata.contentLightLevel) = (true, nil)
      statedKinds.insert(.init(ContentLightLevel.self))
    }
    if settings.contentLightLevel != .source { replaced.insert(.init(ContentLightLevel.self)) }
    // Copied frames are not converted for a display, so `auto` keeps the source's display.
    guard ![.source, .auto].contains(settings.masteringDisplay) else { return }
    replaced.insert(.init(MasteringDisplayColorVolume.self))
  }

  private mutating func replaceMeasured(_ frames: CopiedFacts) throws {
    for kind in FrameMetadata.fittedKinds {
      guard let mode = kind.mode(in: frames.settings.hdrMetadata) else { continue }
      switch mode {
      case .auto: continue
      case .measure:
        guard frames.canBeMeasured, kind.goes(with: frames.transfer, in: frames.metadata) else {
          throw frames.refusal(of: kind.measuredName)
        }
        measured.insert(.init(kind))
      case .none: break
      }
      replaced.insert(.init(kind))
    }
  }

  private mutating func replaceDolbyVision(_ frames: CopiedFacts) throws {
    let (metadata, mode) = (frames.metadata, frames.settings.hdrMetadata.dolbyVision)
    let dualLayer = frames.track.dualLayerDolbyVision
    if mode != .auto { try frames.refuseObstacle("Dolby Vision metadata") }
    guard mode != .none else {
      replaced.insert(.init(DolbyVisionRPU.self))
      return
    }
    // A movie's sample entry is copied with its boxes, so only other containers need the record
    // here.
    let stated = metadata.dolbyVision?.value
    if frames.track.box == nil { dolbyVisionPlan = stated.map { DolbyVisionPlan(copying: $0) } }
    let kept = frames.settings.hdrMetadataInsertionMode == .auto ? frames.keptDolbyVision : nil
    dolbyVisionPlan = kept ?? dolbyVisionPlan
    guard let transfer = mode.transferCharacteristics else {
      return keepDolbyVision(frames, kept)
    }
    if mode == .profile81, dualLayer != nil, frames.transfer == transfer {
      return try convertRPUs(frames)
    }
    if kept != nil, frames.transfer == transfer { return repairRPUs() }
    guard frames.transfer == transfer, frames.canBeMeasured, frames.areOfDolbyVision else {
      throw frames.refusal(
        of: "Dolby Vision \(mode.rawValue), which is for \(transfer) in BT.2020 with 10 bits, "
          + "4:2:0 and limited range")
    }
    dolbyVisionPlan = frames.madeDolbyVision(stated: nil)
    guard dolbyVisionPlan != nil else {
      throw frames.refusal(
        of: "Dolby Vision \(mode.rawValue)",
        because: "it has no level for \(frames.facts.size) at this frame rate")
    }
    dolbyVisionPlan?.computesRPUs = true
    reasonForNewRPUs = metadata.obstacleToRPUs(with: transfer)
    losesDamagedRPUs = metadata.hasOnlyDamagedRPUs
    replaced.insert(.init(DolbyVisionRPU.self))
    if needsAmbientViewingEnvironment { replaced.insert(.init(AmbientViewingEnvironment.self)) }
  }

  /// Keeps the source's RPUs, and plans a record that agrees with the RPUs and the layers.
  ///
  /// - Parameter kept: the plan that keeps RPUs of profile 8; `nil` if there is none.
  private mutating func keepDolbyVision(_ frames: CopiedFacts, _ kept: DolbyVisionPlan?) {
    let stated = frames.metadata.dolbyVision?.value
    let layer = frames.track.dualLayerDolbyVision?.layer
    // The record of profile 8 promises that there is no enhancement layer, so drop an unused one.
    if layer == .unused, var plan = kept ?? stated.map(DolbyVisionPlan.init(copying:)),
      plan.record.rpuProfile == 8
    {
      plan.dropLayer()
      dolbyVisionPlan = plan
      replaced.insert(.init(DolbyVisionRPU.self))
      return
    }
    let layered = kept == nil ? frames.keptLayers : nil
    let other = kept == nil ? layered ?? frames.keptReshaping : nil
    if stated?.rpuProfile != other?.record.rpuProfile { dolbyVisionPlan = other ?? dolbyVisionPlan }
    // Level 6 repeats the static metadata. So if that changes, level 6 has to change with it.
    guard kept != nil || layered != nil, !statedKinds.isEmpty || hasUnknownLevels else { return }
    dolbyVisionPlan = dolbyVisionPlan ?? stated.map(DolbyVisionPlan.init(copying:))
    repairRPUs()
  }

  /// Plans to keep the source's RPUs, with an RPU in every frame.
  private mutating func repairRPUs() {
    dolbyVisionPlan?.repairsRPUs = true
    replaced.insert(.init(DolbyVisionRPU.self))
  }

  /// Plans to convert RPUs for the base layer alone. The RPUs are of profile 7, or come with an
  /// enhancement layer.
  private mutating func convertRPUs(_ frames: CopiedFacts) throws {
    guard frames.areOfDolbyVision else {
      throw frames.refusal(
        of: "Dolby Vision 8.1, which is for BT.2020 with 10 bits, 4:2:0 and limited range")
    }
    let stated = frames.metadata.holdsProfile8 ? frames.metadata.dolbyVision?.value : nil
    dolbyVisionPlan = frames.madeDolbyVision(stated: stated, copiesRPUs: true)
    guard dolbyVisionPlan != nil else {
      throw frames.refusal(
        of: "Dolby Vision 8.1",
        because: "it has no level for \(frames.facts.size) at this frame rate")
    }
    dolbyVisionPlan?.dropLayer()
    replaced.insert(.init(DolbyVisionRPU.self))
  }

  private mutating func replace(by grafted: GraftedMetadata, _ frames: CopiedFacts) throws {
    for kind in grafted.kinds {
      replaced.insert(.init(kind))
      guard kind == DolbyVisionRPU.self else {
        carried.append(.init(kind))
        continue
      }
      guard let made = frames.madeDolbyVision(stated: grafted.record) else {
        throw frames.refusal(
          of: "Dolby Vision",
          because: "it has no level for \(frames.facts.size) at this frame rate")
      }
      dolbyVisionPlan = made
    }
    for value in grafted.staticMetadata.values { state(value) }
  }

  private mutating func state<Kind: StaticHDRMetadataKind>(_ value: Kind) {
    staticMetadata[Kind.self] = value
    replaced.insert(.init(Kind.self))
  }

  /// Whether an enhancement layer stays in the samples.
  var keepsLayer: Bool { dolbyVisionPlan?.keepsLayer == true }

  /// Whether the source's RPUs are removed, replaced, converted or repaired, and no enhancement
  /// layer is kept.
  package var endsDolbyVisionOfSource: Bool { replaces(DolbyVisionRPU.self) && !keepsLayer }

  /// The boxes of a copied sample entry that are removed. The plan's boxes may take their place.
  package var replacedBoxes: [FourCC] {
    // `hvcE` has the configuration of the enhancement layer, so both stay or go together.
    replaced.flatMap(\.boxes).filter { !(keepsLayer && $0 == DolbyVisionRPU.layerBox) }
  }

  /// Returns a unit of a copied sample without the metadata that is replaced; `nil` if nothing of
  /// the unit is left.
  package func withoutReplaced(_ unit: NALUnit) -> NALUnit? {
    let types = Set(
      StaticHDRMetadata.kinds.filter { replaced.contains(.init($0)) }.map { $0.payloadType })
    if keepsLayer, unit.isDolbyVisionEnhancementLayer { return unit }
    let rest = SEIMessage.editing(unit) { types.contains($0.payloadType) ? nil : $0 }
    return replaced.compactMap(\.dynamicKind).reduce(rest) { rest, kind in
      rest.flatMap { kind.removed(from: $0) }
    }
  }
}

/// The frames of copied samples, and what the settings ask for.
private struct CopiedFacts {
  let facts: VideoFacts
  let track: AssetTrack
  let settings: VideoSettings

  init(_ facts: VideoFacts, _ track: AssetTrack, _ settings: VideoSettings) {
    (self.facts, self.track, self.settings) = (facts, track, settings)
  }

  var metadata: HDRMetadata { facts.hdrMetadata }
  var transfer: TransferCharacteristics { facts.tags.signal.color.transferCharacteristics }

  /// The profile of Dolby Vision for the samples; `nil` if they have no place for it.
  private var dolbyVisionProfile: UInt8? { track.demuxed.codec.bitstream?.dolbyVisionProfile }

  /// Whether the light of the frames can be measured.
  var canBeMeasured: Bool {
    LightMeter(FrameDescription(facts, signal: facts.tags.signal), size: facts.size) != nil
  }

  /// Whether the frames are what profile 8 demands.
  var areOfDolbyVision: Bool {
    let signal = facts.tags.signal
    return dolbyVisionProfile != nil && facts.format.bitDepth == 10
      && facts.format.chromaSubsampling == .cs420
      && signal.color.colorPrimaries == .bt2020
      && signal.color.matrixCoefficients == .bt2020NonConstant
      && signal.videoFullRangeFlag != true
  }

  /// The source's Dolby Vision with a correct record, or `nil` if it cannot be kept. The RPUs have
  /// to be of profile 8 and fit the transfer function. The frames need 10 bits, 4:2:0, and a size
  /// and rate that a level allows.
  var keptDolbyVision: DolbyVisionPlan? {
    // The output's record will claim profile 8 (AV1: 10), and players rely on that, so check it.
    guard dolbyVisionProfile != nil, metadata.holdsProfile8, facts.format.bitDepth == 10,
      facts.format.chromaSubsampling == .cs420, let layer = DataMapping.BaseLayerSignal(transfer),
      metadata.isDolbyVision(compatibleWith: layer),
      metadata.obstacleToRPUs(with: transfer) == nil
    else { return nil }
    return madeDolbyVision(stated: metadata.dolbyVision?.value, copiesRPUs: true)
  }

  /// The source's Dolby Vision of profile 7, whose enhancement layer is in the same samples. The
  /// record states that profile. `nil` if the source has no such Dolby Vision.
  var keptLayers: DolbyVisionPlan? {
    guard settings.hdrMetadataInsertionMode == .auto, metadata.dolbyVisionRPU?.profile == 7,
      metadata.hasDolbyVisionEnhancementLayer
    else { return nil }
    if let stated = metadata.dolbyVision?.value, stated.profile == 7 {
      return DolbyVisionPlan(copying: stated)
    }
    return keptDolbyVision(of: 7)
  }

  /// The source's Dolby Vision of profile 5, with a record of that profile. Its frames have wrong
  /// colors until RPUs reshape them. `nil` if the source's RPUs have another profile.
  var keptReshaping: DolbyVisionPlan? {
    guard settings.hdrMetadataInsertionMode == .auto, metadata.dolbyVisionRPU?.profile == 5 else {
      return nil
    }
    return keptDolbyVision(of: 5)
  }

  private func keptDolbyVision(of rpuProfile: UInt8) -> DolbyVisionPlan? {
    guard let profile = dolbyVisionProfile else { return nil }
    let frames = FrameSource(facts, track: track)
    return DolbyVisionPlan(
      keeping: rpuProfile, codecProfile: profile, size: facts.size,
      frameRate: frames.nominalFrameRate ?? frames.averageFrameRate)
  }

  /// Plans profile 8.
  ///
  /// - Parameters:
  ///   - stated: the source's record, if the source's RPUs are kept.
  ///   - copiesRPUs: whether RPUs stay in copied samples, where they may be compressed.
  func madeDolbyVision(
    stated: ConfigurationRecord?, copiesRPUs: Bool = false
  ) -> DolbyVisionPlan? {
    guard let layer = DataMapping.BaseLayerSignal(transfer), let profile = dolbyVisionProfile else {
      return nil
    }
    return DolbyVisionPlan(
      profile: profile, baseLayer: layer, size: facts.size, stated: stated,
      copiesRPUs: copiesRPUs, frameSource: FrameSource(facts, track: track))
  }

  /// Refuses samples whose HDR metadata cannot be changed.
  func refuseUnlessChangeable() throws {
    guard facts.bitstream != nil || !settings.statesHDRMetadata else {
      throw refusal(
        of: "new HDR metadata",
        because: "only HEVC, H.264 and AV1 carry it, not \(track.demuxed.codec.codecName)")
    }
    // If frames need reshaping, HDR metadata describes the reshaped frames, but copied samples are
    // not reshaped. So refuse to state any for them, whatever the samples' tags say.
    if settings.statesHDRMetadata { try refuseObstacle("HDR metadata") }
    guard transfer.isHDR || !settings.statesHDRMetadata else {
      throw refusal(of: "HDR metadata", because: "they are not HLG or PQ")
    }
  }

  /// Refuses samples whose Dolby Vision makes a change of metadata impossible.
  ///
  /// - Parameter name: the name of what cannot be changed.
  func refuseObstacle(_ name: String) throws {
    guard track.dualLayerDolbyVision == nil, let obstacle = DolbyVisionSource(metadata)?.obstacle
    else { return }
    throw TranscodingError(
      .unusableInput,
      "the \(name) of track \(track.demuxed.id) cannot be changed: the track is \(obstacle)")
  }

  /// Makes the error for frames that cannot have some metadata.
  func refusal(of metadata: String, because reason: String? = nil) -> TranscodingError {
    let signal = "they are \(facts.tags.signal.text), \(facts.format)"
    return TranscodingError(
      .unusableInput,
      "the frames of track \(track.demuxed.id) cannot get \(metadata): \(reason ?? signal)")
  }
}

extension VideoSettings {
  /// Whether the settings replace HDR metadata of copied samples.
  fileprivate var replacesHDRMetadata: Bool { statesHDRMetadata || removesHDRMetadata }

  private var removesHDRMetadata: Bool {
    contentLightLevel == .unstated || masteringDisplay == .unstated
      || hdrMetadata.dolbyVision == .none || hdrMetadata.hdr10Plus == .none
      || hdrMetadata.headroomAdaptiveGain == .none
  }
}
