// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
internal import ColorConversion
internal import ColorTagging
package import DolbyVision
package import ISOBMFF
internal import LibAV
internal import MediaCore
package import NALUnits
internal import Settings
internal import VideoEncoders

/// The HDR metadata of an output: the source's metadata that is still true of the frames, and
/// metadata that is measured, computed, assumed or stated by the settings.
package struct HDRMetadataPlan: Equatable, Sendable {
  /// Static metadata. Each kind has a box and an SEI message.
  package internal(set) var staticMetadata = StaticHDRMetadata()
  /// Whether MaxCLL and MaxFALL are measured from the output's frames, and known only at the end.
  package internal(set) var measuresContentLightLevel = false
  /// FFmpeg's name for the frames' codec.
  package internal(set) var codecName: String?
  /// The transfer function that SEI 147 names because the VUI has a fallback in its place.
  package private(set) var preferredTransfer: TransferCharacteristics?
  /// The fallback transfer function for the VUI, or `nil` if the VUI has the output's own. With a
  /// fallback, receivers that do not know HLG still decode something sensible (H.265, D.3.38).
  private(set) var fallbackTransfer: TransferCharacteristics?
  /// Whether an ambient viewing environment is assumed because the source has none.
  private(set) var assumesAmbientViewingEnvironment = false
  /// The Dolby Vision of the output. If there is one, every frame carries an RPU.
  var dolbyVisionPlan: DolbyVisionPlan?
  /// Why RPUs are computed although the source has some, as text.
  var reasonForNewRPUs: String?
  /// Whether the source's RPUs would be kept if the first ones were not all damaged.
  package internal(set) var losesDamagedRPUs = false
  /// Whether the active area of the source's RPUs moves with cropped frames.
  private(set) var movesActiveArea = false
  /// The kinds of dynamic metadata that are measured. Dolby Vision is not among them.
  var measured: Set<HDRMetadata.Kind> = []
  /// The kinds of dynamic metadata that frames keep. Dolby Vision is not among them.
  var carried: [HDRMetadata.Kind] = []
  /// The kinds of metadata that are removed from copied samples and their boxes. If metadata of the
  /// same kind is planned, it takes the place of the old metadata.
  package internal(set) var replaced: Set<HDRMetadata.Kind> = []
  /// Faults of dynamic metadata that is kept nevertheless, by kind.
  private(set) var keptFaults: [HDRMetadata.Kind: String] = [:]
  /// Whether level 6 of RPUs must not repeat the source's light levels, because they are no longer
  /// true or the settings leave them out.
  private(set) var hasUnknownLevels = false
  /// The kinds of static metadata whose values come from the settings or from a measurement.
  var statedKinds: Set<HDRMetadata.Kind> = []

  /// A plan without any metadata, as for SDR.
  package static let none = HDRMetadataPlan()

  private init() {}

  private var bitstream: (any CodedBitstream)? {
    codecName.flatMap { CodecParameters.bitstream(named: $0) }
  }

  /// Returns whether a kind of dynamic metadata in copied samples is replaced or removed.
  package func replaces(_ kind: any DynamicHDRMetadataKind.Type) -> Bool {
    replaced.contains(.init(kind))
  }

  /// Whether separate tracks with an enhancement layer would lose the RPUs that they need.
  var dropsLayers: Bool {
    replaces(DolbyVisionRPU.self) && dolbyVisionPlan?.repairsRPUs != true
  }

  /// The Dolby Vision configuration record, if the output has one.
  package var dolbyVision: ConfigurationRecord? { dolbyVisionPlan?.record }
  /// Whether RPUs are computed from the output's frames.
  package var computesRPUs: Bool { dolbyVisionPlan?.computesRPUs == true }
  /// The faults for which the source's Dolby Vision record was replaced.
  var recordFaults: [String] { dolbyVisionPlan?.recordFaults ?? [] }
  /// Whether the source's RPUs are converted for the base layer alone, without its enhancement
  /// layer.
  package var convertsRPUs: Bool { dolbyVisionPlan?.convertsRPUs == true }
  /// Whether the source's RPUs go through the plan instead of staying in copied samples: they are
  /// converted, or completed where they are missing or damaged.
  package var completesRPUs: Bool { convertsRPUs || dolbyVisionPlan?.repairsRPUs == true }
  /// Whether HDR10+ is measured in the output's frames.
  var measuresHDR10Plus: Bool { measured.contains(.init(HDR10Plus.self)) }
  /// Whether headroom-adaptive gain curves are derived from the light of shots.
  package var measuresHeadroom: Bool { measured.contains(.init(HeadroomAdaptiveGain.self)) }
  /// The kinds of dynamic metadata that are measured, except Dolby Vision.
  package var measuredKinds: [any DynamicHDRMetadataKind.Type] {
    FrameMetadata.kinds.filter { measured.contains(.init($0)) }
  }
  /// Whether metadata is measured in the frames that a decoder will show.
  package var needsDecodedFrames: Bool {
    computesRPUs || measuresContentLightLevel || measuresHDR10Plus
  }

  /// The kinds of dynamic metadata that frames carry.
  package var dynamicKinds: [any DynamicHDRMetadataKind.Type] {
    kinds(withDolbyVision: dolbyVisionPlan != nil)
  }

  /// The kinds of dynamic metadata that frames carry and for which the source's values matter.
  package var kindsFromSource: [any DynamicHDRMetadataKind.Type] {
    dynamicKinds.filter { !measured.contains(.init($0)) }
  }

  private func kinds(withDolbyVision: Bool) -> [any DynamicHDRMetadataKind.Type] {
    var planned = measured.union(carried)
    if withDolbyVision { planned.insert(.init(DolbyVisionRPU.self)) }
    return FrameMetadata.kinds.filter { planned.contains(.init($0)) }
  }

  /// Plans the HDR metadata of encoded frames.
  ///
  /// - Parameters:
  ///   - signal: the color of the source's frames and of the output's frames.
  ///   - change: what happens to the frames.
  init(
    of frameSource: FrameSource, signal: SignalPlan, change: FrameChange,
    settings: VideoSettings, encoder: VideoEncoderSettings
  ) {
    let metadata = frameSource.facts.hdrMetadata
    let decision = signal.decision
    let output = decision.output
    guard let bitstream = settings.codec?.bitstream, bitstream.carriesHDRMetadata else { return }
    // Dynamic metadata and the mastering display describe the source's light. With another transfer
    // function, they would be wrong.
    let keepsTransfer =
      decision.source.transferCharacteristics == output.transferCharacteristics
    guard output.transferCharacteristics.isHDR else {
      if keepsTransfer { keepBesideSDR(metadata, change, output, settings, in: bitstream) }
      return
    }
    // If the source's VUI has a fallback and SEI 147 names the real transfer function, the output
    // keeps both when tags are propagated.
    if decision.rule == .propagate, bitstream.hasPreferredTransfer,
      let fallback = signal.tags.fallbackTransfer
    {
      (preferredTransfer, fallbackTransfer) = (output.transferCharacteristics, fallback)
    }
    measuresContentLightLevel = settings.contentLightLevel == .measure
    codecName = bitstream.codecName
    if keepsTransfer { keep(metadata, change, output, in: bitstream) }
    // Nobody saw the mapped frames on the source's mastering display, so do not keep it.
    if signal.conversion.mapsTones { staticMetadata.masteringDisplay = nil }
    state(settings)
    stateDisplay(settings, decision)
    // Do this before `planMeasured`, which measures HDR10+ if it is not kept.
    if !settings.preserveDynamicHDRMetadata { carried = [] }
    planMeasured(settings, metadata, output)
    let asksForDolbyVision = settings.hdrMetadata.dolbyVision.transferCharacteristics != nil
    if settings.hdrMetadataInsertionMode == .auto, settings.hdrMetadata.dolbyVision != .none,
      keepsTransfer || asksForDolbyVision, encoder.holdsDolbyVisionBaseLayer,
      bitstream.carries(DolbyVisionRPU.self)
    {
      planDolbyVision(
        frameSource, change, output, settings, encoder, keepsTransfer: keepsTransfer,
        computes: asksForDolbyVision || output.takesComputedRPUs)
    }
    // If the source is already HLG and has no ambient viewing environment, none is added, unless
    // the RPUs need it.
    if settings.hdrMetadataInsertionMode == .auto,
      AmbientViewingEnvironment.transferFunctions.contains(output.transferCharacteristics),
      !keepsTransfer || needsAmbientViewingEnvironment
    {
      assumeAmbientViewingEnvironment()
    }
    noteFaults(metadata)
  }

  var needsAmbientViewingEnvironment: Bool {
    dolbyVision?.needsAmbientViewingEnvironment == true
  }

  /// Returns whether only the samples state the output's ambient viewing environment, because the
  /// container has no place for it. The plan must be for this container.
  func statesAmbientLightInSamplesAlone(in container: FileType) -> Bool {
    !container.isMovie && staticMetadata.ambientViewingEnvironment != nil
  }

  /// The same plan without Dolby Vision, so that no record is written.
  var withoutRecord: HDRMetadataPlan {
    var plan = self
    plan.dolbyVisionPlan = nil
    return plan
  }

  /// Returns the plan with only the metadata that a file can state in its boxes, its fields or its
  /// samples.
  ///
  /// - Parameter source: the source's metadata if its samples are copied.
  func stated(in container: FileType, copying source: HDRMetadata? = nil) -> HDRMetadataPlan {
    var plan = self
    plan.staticMetadata = staticMetadata.filter { states($0, in: container, copying: source) }
    if plan.staticMetadata.ambientViewingEnvironment == nil {
      plan.assumesAmbientViewingEnvironment = false
    }
    return plan
  }

  /// Returns whether a file can state static metadata of a kind.
  ///
  /// - Parameter source: the source's metadata if its samples are copied.
  func states(
    _ kind: any StaticHDRMetadataKind.Type, in container: FileType, copying source: HDRMetadata?
  ) -> Bool {
    // Matroska has elements only for what HDR10 needs.
    if container.isMovie || kind.isPartOfHDR10 { return true }
    guard let place = bitstream?.place(of: kind) else { return false }
    // Copied samples get no messages except those that replace others.
    guard let source, !replaced.contains(.init(kind)) else { return true }
    return source.places(of: kind).contains(place)
  }

  /// Notes the faults of metadata that the output keeps from the source.
  private mutating func noteFaults(_ metadata: HDRMetadata) {
    let kept = kinds(withDolbyVision: dolbyVisionPlan != nil && !computesRPUs)
    for value in metadata.frames.all where kept.contains(where: { $0 == type(of: value) }) {
      keptFaults[.init(type(of: value))] = value.fault
    }
  }

  /// Sets the light levels that were measured.
  package mutating func state(_ measured: ContentLightLevel) {
    guard measuresContentLightLevel else { return }
    // Black frames have levels of 0, which would mean that the levels are unknown.
    let isBlack = measured.maxContentLightLevel == 0 && measured.maxPicAverageLightLevel == 0
    staticMetadata.contentLightLevel = isBlack ? nil : measured
    statedKinds.insert(.init(ContentLightLevel.self))
  }

  /// The measured light levels of the frames, which are 0 if all of them are black; `nil` if they
  /// were not measured.
  package var measuredContentLightLevel: ContentLightLevel? {
    guard measuresContentLightLevel, statedKinds.contains(.init(ContentLightLevel.self)) else {
      return nil
    }
    return staticMetadata.contentLightLevel
      ?? ContentLightLevel(maxContentLightLevel: 0, maxPicAverageLightLevel: 0)
  }

  private mutating func keep(
    _ metadata: HDRMetadata, _ frameSource: FrameChange, _ output: ColorDescription,
    in bitstream: any CodedBitstream
  ) {
    // MaxFALL is a mean over all pixels of a frame, so cropping or padding makes it wrong.
    let keepsContent = frameSource == .none || frameSource == .size
    staticMetadata = metadata.staticMetadata.filter { kind in
      kind.transferFunctions.contains(output.transferCharacteristics)
        && (keepsContent || !kind.describesContent)
    }
    if !keepsContent { hasUnknownLevels = true }
    // The source's levels must not be written before the measured ones are known.
    if measuresContentLightLevel { staticMetadata.contentLightLevel = nil }
    carried = Self.kinds(of: metadata, keptAfter: frameSource, output, in: bitstream)
  }

  /// Keeps dynamic metadata that is not only for HDR frames. SDR frames get no other HDR metadata.
  private mutating func keepBesideSDR(
    _ metadata: HDRMetadata, _ change: FrameChange, _ output: ColorDescription,
    _ settings: VideoSettings, in bitstream: any CodedBitstream
  ) {
    guard settings.preserveDynamicHDRMetadata else { return }
    carried = Self.kinds(of: metadata, keptAfter: change, output, in: bitstream)
    planMeasured(settings, metadata, output)
    guard !carried.isEmpty else { return }
    codecName = bitstream.codecName
    noteFaults(metadata)
  }

  /// Returns the kinds of dynamic metadata that are still true of the output's frames.
  private static func kinds(
    of metadata: HDRMetadata, keptAfter change: FrameChange, _ output: ColorDescription,
    in bitstream: any CodedBitstream
  ) -> [HDRMetadata.Kind] {
    // What can also be computed, like Dolby Vision, is planned separately.
    metadata.dynamicKinds.filter { kind in
      !kind.isComputed && bitstream.carries(kind) && kind.isTrue(after: change)
        && kind.goes(with: output.transferCharacteristics, in: metadata) && metadata.isUsable(kind)
    }.map { HDRMetadata.Kind($0) }
  }

  /// For the kinds that can be measured, such as HDR10+: keeps the source's values, or plans to
  /// measure new ones.
  private mutating func planMeasured(
    _ settings: VideoSettings, _ metadata: HDRMetadata, _ output: ColorDescription
  ) {
    for kind in FrameMetadata.fittedKinds {
      guard let mode = kind.mode(in: settings.hdrMetadata) else { continue }
      let isLost = kind.isPresent(in: metadata) && !carried.contains(.init(kind))
      let isWanted = mode == .measure || mode == .auto && kind.isMeasuredAgain && isLost
      let isMeasured = isWanted && kind.goes(with: output.transferCharacteristics, in: metadata)
      if isMeasured { measured.insert(.init(kind)) }
      if isMeasured || mode == .none { carried.removeAll { $0 == .init(kind) } }
    }
  }

  /// Keeps the source's RPUs or computes new ones.
  ///
  /// - Parameter computes: whether new ones are computed if the source's cannot be kept.
  private mutating func planDolbyVision(
    _ frameSource: FrameSource, _ change: FrameChange, _ output: ColorDescription,
    _ settings: VideoSettings, _ encoder: VideoEncoderSettings, keepsTransfer: Bool, computes: Bool
  ) {
    // RPUs describe the source's frames. If the frames change too much, RPUs have to be recomputed.
    let isTrue =
      keepsTransfer && DolbyVisionRPU.isTrue(after: change) && settings.preserveDynamicHDRMetadata
    dolbyVisionPlan = isTrue ? keptDolbyVision(of: frameSource, output, encoder) : nil
    losesDamagedRPUs = isTrue && frameSource.facts.hdrMetadata.hasOnlyDamagedRPUs
    movesActiveArea = dolbyVisionPlan != nil && change == .bars
    guard dolbyVisionPlan == nil, computes,
      let layer = DataMapping.BaseLayerSignal(output.transferCharacteristics)
    else { return }
    let metadata = frameSource.facts.hdrMetadata
    let obstacle = metadata.obstacleToRPUs(with: output.transferCharacteristics)
    let isOfLayer =
      keepsTransfer && metadata.isDolbyVision(compatibleWith: layer) && obstacle == nil
    dolbyVisionPlan = computedDolbyVision(of: frameSource, encoder, layer)
    // A mapping depends on the kind of base layer, not on sizes. So the source's mapping still fits
    // after cropping or scaling.
    dolbyVisionPlan?.keepsMapping = isOfLayer
    if computesRPUs, metadata.frames.has(DolbyVisionRPU.self), isOfLayer {
      reasonForNewRPUs =
        settings.preserveDynamicHDRMetadata ? change.reasonForNewRPUs : "the settings ask for it"
    } else if computesRPUs, keepsTransfer {
      reasonForNewRPUs = obstacle
    }
  }

  /// States or removes static metadata as the settings say.
  mutating func state(_ settings: VideoSettings) {
    switch settings.contentLightLevel {
    case .source, .measure: break
    case .stated(let level):
      staticMetadata.contentLightLevel = level
      statedKinds.insert(.init(ContentLightLevel.self))
    case .unstated: (staticMetadata.contentLightLevel, hasUnknownLevels) = (nil, true)
    }
    switch settings.masteringDisplay {
    case .source, .auto: break
    case .stated(let display):
      staticMetadata.masteringDisplay = display
      statedKinds.insert(.init(MasteringDisplayColorVolume.self))
    case .unstated: staticMetadata.masteringDisplay = nil
    }
  }

  /// States the display that HDR is converted for, if the settings ask for it and no other display
  /// is known.
  private mutating func stateDisplay(_ settings: VideoSettings, _ decision: TaggingDecision) {
    let (source, output) = (decision.source, decision.output)
    guard settings.masteringDisplay == .auto, staticMetadata.masteringDisplay == nil,
      source.transferCharacteristics.isHDR,
      source.transferCharacteristics != output.transferCharacteristics,
      let primaries = MasteringDisplayColorVolume.shortNames.first(where: {
        $0.primaries == output.colorPrimaries
      })
    else { return }
    // Black is 0 on that display, but in ST 2086, a minimum of 0 means "unknown".
    staticMetadata.masteringDisplay = MasteringDisplayColorVolume(
      primaries, maximum: settings.conversion.hlgPeakLuminance, minimum: 0.0001)
  }

  /// Keeps Dolby Vision profile 8 if the output has the base layer that it was made for: HLG for
  /// compatibility ID 4, or PQ for compatibility ID 1. Profile 7 is converted to 8.1.
  private func keptDolbyVision(
    of frameSource: FrameSource, _ output: ColorDescription, _ encoder: VideoEncoderSettings
  ) -> DolbyVisionPlan? {
    let metadata = frameSource.facts.hdrMetadata
    guard let layer = DataMapping.BaseLayerSignal(output.transferCharacteristics),
      let profile = bitstream?.dolbyVisionProfile
    else { return nil }
    if metadata.holdsProfile8, metadata.isDolbyVision(compatibleWith: layer),
      metadata.obstacleToRPUs(with: output.transferCharacteristics) == nil
    {
      return DolbyVisionPlan(
        profile: profile, baseLayer: layer, size: encoder.size,
        stated: metadata.dolbyVision?.value, frameSource: frameSource)
    }
    // The base layer of profile 7 is HDR10, and its RPUs become those of 8.1.
    guard layer == .ofDualLayers, frameSource.dualLayer != nil else { return nil }
    var plan = DolbyVisionPlan(
      profile: profile, baseLayer: layer, size: encoder.size, stated: nil, frameSource: frameSource)
    plan?.convertsRPUs = true
    return plan
  }

  /// Computes profile 8 from the frames, whatever Dolby Vision the source has.
  private func computedDolbyVision(
    of frameSource: FrameSource, _ encoder: VideoEncoderSettings,
    _ layer: DataMapping.BaseLayerSignal
  ) -> DolbyVisionPlan? {
    guard let profile = bitstream?.dolbyVisionProfile else { return nil }
    var plan = DolbyVisionPlan(
      profile: profile, baseLayer: layer, size: encoder.size, stated: nil, frameSource: frameSource)
    plan?.computesRPUs = true
    return plan
  }

  /// Assumes the usual viewing environment if none is planned so far.
  mutating func assumeAmbientViewingEnvironment() {
    // Apple's TN3145 asks for the box of this environment (`amve`) in profile 8.4. Without the box,
    // Apple's players show all HLG too bright.
    guard staticMetadata.ambientViewingEnvironment == nil else { return }
    staticMetadata.ambientViewingEnvironment = .usual
    assumesAmbientViewingEnvironment = true
  }

  /// Updates the Dolby Vision level for the frame rate that was written.
  package mutating func state(frameRate: Double) { dolbyVisionPlan?.state(frameRate: frameRate) }

  /// The metadata that is written, as lines of text.
  package var lines: [String] {
    let dolbyVision = dolbyVision.map {
      "Dolby Vision \($0): "
        + (computesRPUs ? "measured from the output's frames" : "the source's RPUs")
        + (convertsRPUs ? ", converted for the base layer alone" : "")
    }
    let preferred = preferredTransfer.map {
      "preferred transfer function: \($0), as in the source (\(StatementPlace.preferredTransfer))"
    }
    return
      ([dolbyVision] + StaticHDRMetadata.kinds.map { line(of: $0) }
      + carried.map { "\($0): the source's" }
      + FrameMetadata.fittedKinds.filter { measured.contains(.init($0)) }.map {
        "\($0.name): \($0.measuredFrom)"
      }
      + [preferred]).compactMap { $0 }
  }

  private func line<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> String? {
    let value =
      kind == ContentLightLevel.self && measuresContentLightLevel
      ? "MaxCLL and MaxFALL, measured from the output's frames" : staticMetadata[kind]?.summary
    let isAssumed = kind == AmbientViewingEnvironment.self && assumesAmbientViewingEnvironment
    return value.map { "\(Kind.name): \($0)\(isAssumed ? " (assumed)" : "")" }
  }

}

extension HDRMetadataPlan {
  /// The facts that the output will state, with their places. Light levels that are measured later
  /// are not among them.
  package var facts: [Fact] {
    func fact<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> Fact? {
      // Measured levels are known only when the samples have been written, so no sample states
      // them. The box does, and so does the decoder configuration if it can contain messages.
      let isBoxAlone =
        kind == ContentLightLevel.self && measuresContentLightLevel
        && bitstream?.configurationHoldsMessages == false
      let message = isBoxAlone ? nil : bitstream?.place(of: kind)
      return staticMetadata[kind].map {
        Fact($0, places: [.box(Kind.box)] + [message].compactMap { $0 })
      }
    }
    return [dolbyVision.map { Fact($0, places: [.box($0.box)]) }].compactMap { $0 }
      + dynamicKinds.map { Fact(presenceOf: $0) }
      + StaticHDRMetadata.kinds.compactMap { fact($0) }
      + [preferredTransfer.map { Fact(preferredTransfer: $0) }].compactMap { $0 }
  }

  /// Returns the source's metadata that the output will not state.
  func lost(of source: [Fact]) -> [Fact] {
    var kept = Set(facts.map(\.key))
    if measuresContentLightLevel { kept.insert(.staticHDRMetadata(ContentLightLevel.self)) }
    // If the output has Dolby Vision, neither the source's record nor its RPUs are lost: RPUs
    // without a record get one, and a record promises RPUs even if the first frames have none.
    if dolbyVisionPlan != nil {
      kept.formUnion([.dolbyVision, .dynamicHDRMetadata(DolbyVisionRPU.self)])
    }
    return source.filter { $0.key.section == .hdrMetadata && !kept.contains($0.key) }
  }
}

extension VideoEncoderSettings {
  /// Whether frames suit profile 8: 10 bits, 4:2:0, BT.2020, limited range.
  fileprivate var holdsDolbyVisionBaseLayer: Bool {
    format.bitDepth == 10 && format.chromaSubsampling == .cs420
      && signal.color.colorPrimaries == .bt2020
      && signal.color.matrixCoefficients == .bt2020NonConstant
      && signal.videoFullRangeFlag != true
  }
}

extension HDRMetadataPlan {
  /// The boxes for the sample entry.
  package var boxes: [Box] {
    staticMetadata.values.map { $0.boxed }
      + (dolbyVision.map { [Box($0.box, fields: $0.payload)] } ?? [])
  }

  /// The SEI messages about all frames, sorted by type.
  package var messages: [SEIMessage] { messages(of: staticMetadata) }

  /// The messages that replace those of copied samples. Each is about all frames.
  package var replacedMessages: [SEIMessage] {
    messages(of: staticMetadata.filter { replaced.contains(.init($0)) })
  }

  private func messages(of metadata: StaticHDRMetadata) -> [SEIMessage] {
    var messages = metadata.values.map { SEIMessage($0) }
    if let preferredTransfer {
      messages.append(SEIMessage(preferredTransfer: preferredTransfer))
    }
    return messages.sorted { $0.payloadType < $1.payloadType }
  }
}
