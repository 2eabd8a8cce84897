// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging
package import DolbyVision
package import ISOBMFF
internal import LibAV
internal import MediaCore
package import NALUnits
internal import Settings
internal import VideoEncoders

/// The HDR metadata that an output carries: the source's, as far as it is still true of the frames.
package struct HDRMetadataPlan: Equatable, Sendable {
  /// Static HDR metadata: each kind's box and SEI message.
  package private(set) var staticMetadata = StaticHDRMetadata()
  /// True if the content's light levels are measured from the output's frames, and known only
  /// after the last.
  package private(set) var measuresContentLightLevel = false
  /// The transfer function that SEI 147 names, because the VUI has another in its place.
  package private(set) var preferredTransfer: TransferCharacteristics?
  /// Transfer function that the VUI states in place of the output's own, for receivers that do not
  /// know that one; nil where the VUI states the output's own.
  private(set) var fallbackTransfer: TransferCharacteristics?
  /// True if the source states no ambient viewing environment and one is assumed.
  private(set) var assumesAmbientViewingEnvironment = false
  /// Dolby Vision; each frame then carries an RPU. Nil for none.
  private(set) var dolbyVisionPlan: DolbyVisionPlan?
  /// Reason for which RPUs are computed although the source has some for this base layer; nil where
  /// the source's are kept, or it has none.
  private(set) var reasonForNewRPUs: String?
  /// True if the active area of the source's RPUs moves with frames that are cut.
  private(set) var movesActiveArea = false
  /// The kinds of dynamic metadata that frames have from the source's, beside Dolby Vision.
  private(set) var carried: [HDRMetadata.Kind] = []
  /// Faults of the source's dynamic metadata that are kept all the same, by their kinds.
  private(set) var keptFaults: [HDRMetadata.Kind: String] = [:]
  /// The metadata that the source has and the output lacks.
  private(set) var lost: [HDRMetadata.Kind] = []

  /// Nothing.
  package static let none = HDRMetadataPlan()

  private init() {}

  /// The Dolby Vision configuration; nil for none.
  package var dolbyVision: ConfigurationRecord? { dolbyVisionPlan?.record }
  /// True if RPUs are computed from the frames, and not those of the source's frames.
  package var computesRPUs: Bool { dolbyVisionPlan?.computesRPUs == true }
  /// The faults of the source's record, which was made anew.
  var recordFaults: [ConfigurationRecord.Fault] { dolbyVisionPlan?.recordFaults ?? [] }

  /// The kinds of dynamic metadata that frames have.
  package var dynamicKinds: [any DynamicHDRMetadataKind.Type] {
    kinds(withDolbyVision: dolbyVisionPlan != nil)
  }

  private func kinds(withDolbyVision: Bool) -> [any DynamicHDRMetadataKind.Type] {
    FrameMetadata.kinds.filter { kind in
      carried.contains(.init(kind)) || withDolbyVision && kind == DolbyVisionRPU.self
    }
  }

  /// Plans the HDR metadata of frames that are encoded.
  ///
  /// - Parameters:
  ///   - signal: the meaning of the source's frames, and of the output's.
  ///   - change: the change of the frames.
  init(
    of pictures: PictureSource, signal: SignalPlan, change: PictureChange,
    settings: VideoSettings, encoder: VideoEncoderSettings
  ) {
    let metadata = pictures.facts.hdrMetadata
    let decision = signal.decision
    let output = decision.output
    guard output.transferCharacteristics.isHDR,
      settings.codec?.bitstream?.carriesHDRMetadata == true
    else {
      lose(metadata)
      return
    }
    // If the source's tags are kept, so is the way in which it states them.
    if decision.rule == .propagate, let fallback = signal.tags.fallbackTransfer {
      (preferredTransfer, fallbackTransfer) = (output.transferCharacteristics, fallback)
    }
    measuresContentLightLevel = settings.contentLightLevel == .measure
    let keepsTransfer =
      decision.source.transferCharacteristics == output.transferCharacteristics
    if keepsTransfer { keepStatic(metadata, change, output) }
    if settings.hdrMetadataInsertionMode == .auto, keepsTransfer,
      encoder.holdsDolbyVisionBaseLayer
    {
      let isTrue =
        DolbyVisionRPU.isTrue(after: change) && settings.preserveDynamicHDRMetadata
      let kept = isTrue ? Self.keptDolbyVision(of: pictures, output, encoder) : nil
      movesActiveArea = kept != nil && change == .bars
      dolbyVisionPlan =
        kept ?? (output.takesComputedRPUs ? Self.computedDolbyVision(of: pictures, encoder) : nil)
      if computesRPUs, metadata.frames.has(DolbyVisionRPU.self),
        metadata.isDolbyVision(compatibleWith: .hlg)
      {
        reasonForNewRPUs =
          settings.preserveDynamicHDRMetadata ? change.reasonForNewRPUs : "the settings ask for it"
      }
    }
    // HLG that states no ambient light stays so, unless its RPUs need it.
    if settings.hdrMetadataInsertionMode == .auto,
      AmbientViewingEnvironment.transferFunctions.contains(output.transferCharacteristics),
      !keepsTransfer || needsAmbientViewingEnvironment
    {
      assumeAmbientViewingEnvironment()
    }
    noteFaults(metadata)
    lose(metadata)
  }

  /// Plans the HDR metadata of samples that are copied: what any place of the source states, and a
  /// record for RPUs of profile 8.
  ///
  /// - Parameter completes: true if statements are added that no place of the source makes.
  package init(copying track: AssetTrack, completes: Bool = true) {
    guard let facts = track.video else { return }
    let metadata = facts.hdrMetadata
    let transfer = facts.tags.signal.color.transferCharacteristics
    if transfer.isHDR { staticMetadata = metadata.staticMetadata }
    // A movie's own boxes are copied.
    let stated = metadata.dolbyVision?.value
    if track.box == nil { dolbyVisionPlan = stated.map { DolbyVisionPlan(copying: $0) } }
    guard completes, facts.bitstream?.codec.carriesHDRMetadata == true, metadata.holdsProfile8,
      facts.format.bitDepth == 10, facts.format.chromaSubsampling == .cs420,
      let layer = transfer.dolbyVisionBaseLayer, metadata.isDolbyVision(compatibleWith: layer)
    else { return }
    let made = DolbyVisionPlan(
      baseLayer: layer, size: facts.size, stated: stated,
      pictures: PictureSource(facts, track: track))
    dolbyVisionPlan = made ?? dolbyVisionPlan
    if needsAmbientViewingEnvironment { assumeAmbientViewingEnvironment() }
  }

  private var needsAmbientViewingEnvironment: Bool {
    dolbyVision?.needsAmbientViewingEnvironment == true
  }

  /// Notes the faults of the source's metadata that are carried.
  private mutating func noteFaults(_ metadata: HDRMetadata) {
    let kept = kinds(withDolbyVision: dolbyVisionPlan != nil && !computesRPUs)
    for value in metadata.frames.all where kept.contains(where: { $0 == type(of: value) }) {
      keptFaults[.init(type(of: value))] = value.fault
    }
  }

  /// Notes the source's metadata that is not carried.
  private mutating func lose(_ metadata: HDRMetadata) {
    lost = metadata.kinds.filter { !kinds.contains($0) }
    // Of profiles other than 8 it is told in words of their own.
    if DolbyVisionSource(metadata)?.notice != nil {
      lost.removeAll { $0 == .init(DolbyVisionRPU.self) }
    }
  }

  /// States the light levels that were measured.
  package mutating func state(_ measured: ContentLightLevel) {
    guard measuresContentLightLevel else { return }
    staticMetadata.contentLightLevel = measured
  }

  private mutating func keepStatic(
    _ metadata: HDRMetadata, _ pictures: PictureChange, _ output: ColorDescription
  ) {
    // MaxFALL counts every pixel of a frame: cut or padded, it has others.
    let keepsContent = pictures == .none || pictures == .size
    staticMetadata = metadata.staticMetadata.filter { kind in
      kind.transferFunctions.contains(output.transferCharacteristics)
        && (keepsContent || !kind.describesContent)
    }
    if measuresContentLightLevel { staticMetadata.contentLightLevel = nil }
    // Dolby Vision has a plan of its own.
    carried = metadata.dynamicKinds.filter { kind in
      kind != DolbyVisionRPU.self && kind.isTrue(after: pictures)
        && kind.goes(with: output.transferCharacteristics, in: metadata)
    }.map { HDRMetadata.Kind($0) }
  }

  /// Profile 8 on the base layer that it is made for: HLG with compatibility 4, PQ with 1.
  private static func keptDolbyVision(
    of pictures: PictureSource, _ output: ColorDescription, _ encoder: VideoEncoderSettings
  ) -> DolbyVisionPlan? {
    let metadata = pictures.facts.hdrMetadata
    guard let layer = output.transferCharacteristics.dolbyVisionBaseLayer,
      metadata.holdsProfile8, metadata.isDolbyVision(compatibleWith: layer)
    else { return nil }
    return DolbyVisionPlan(
      baseLayer: layer, size: encoder.size, stated: metadata.dolbyVision?.value,
      pictures: pictures)
  }

  /// Profile 8.4 from the frames, for a source with any profile or none.
  private static func computedDolbyVision(
    of pictures: PictureSource, _ encoder: VideoEncoderSettings
  ) -> DolbyVisionPlan? {
    var plan = DolbyVisionPlan(
      baseLayer: .hlg, size: encoder.size, stated: nil, pictures: pictures)
    plan?.computesRPUs = true
    plan?.keepsMapping = pictures.facts.hdrMetadata.isDolbyVision(compatibleWith: .hlg)
    return plan
  }

  /// TN3145 wants `amve` in profile 8.4, and Apple's players show any HLG without it too bright.
  private mutating func assumeAmbientViewingEnvironment() {
    guard staticMetadata.ambientViewingEnvironment == nil else { return }
    staticMetadata.ambientViewingEnvironment = .usual
    assumesAmbientViewingEnvironment = true
  }

  /// States the rate of the frames that were written, which Dolby Vision's level depends on.
  package mutating func state(frameRate: Double) { dolbyVisionPlan?.state(frameRate: frameRate) }

  /// The metadata that is written, for people: a line each.
  var lines: [String] {
    let dolbyVision = dolbyVision.map {
      "Dolby Vision \($0): "
        + (computesRPUs ? "measured from the output's frames" : "the source's RPUs")
    }
    let preferred = preferredTransfer.map {
      "preferred transfer function: \($0), as in the source (\(StatementPlace.preferredTransfer))"
    }
    return
      ([dolbyVision] + StaticHDRMetadata.kinds.map { line(of: $0) }
      + carried.map { "\($0): the source's" } + [preferred]).compactMap { $0 }
  }

  private func line<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> String? {
    let value =
      kind == ContentLightLevel.self && measuresContentLightLevel
      ? "MaxCLL and MaxFALL, measured from the output's frames" : staticMetadata[kind]?.summary
    let isAssumed = kind == AmbientViewingEnvironment.self && assumesAmbientViewingEnvironment
    return value.map { "\(Kind.name): \($0)\(isAssumed ? " (assumed)" : "")" }
  }

  /// Kinds of metadata that the output carries.
  private var kinds: Set<HDRMetadata.Kind> {
    var kinds = Set(staticMetadata.values.map { HDRMetadata.Kind(type(of: $0)) })
    if measuresContentLightLevel { kinds.insert(.init(ContentLightLevel.self)) }
    return kinds.union(dynamicKinds.map { HDRMetadata.Kind($0) })
  }
}

extension VideoEncoderSettings {
  /// True if frames are what profile 8 needs: 10 bits, 4:2:0, BT.2020, limited range.
  fileprivate var holdsDolbyVisionBaseLayer: Bool {
    format.bitDepth == 10 && format.chromaSubsampling == .cs420
      && signal.color.colorPrimaries == .bt2020
      && signal.color.matrixCoefficients == .bt2020NonConstant
      && signal.videoFullRangeFlag != true
  }
}

extension HDRMetadataPlan {
  /// The boxes of the sample entry.
  package var boxes: [Box] {
    staticMetadata.values.map { $0.boxed }
      + (dolbyVision.map { [Box($0.box, fields: $0.payload)] } ?? [])
  }

  /// The SEI NAL units for `hvcC`, which hold for all pictures: a message each, by their types.
  package var units: [NALUnit] {
    var messages = staticMetadata.values.map { SEIMessage($0) }
    if let preferredTransfer {
      messages.append(SEIMessage(preferredTransfer: preferredTransfer))
    }
    return messages.sorted { $0.payloadType < $1.payloadType }.map { NALUnit(hevcPrefixSEI: [$0]) }
  }
}
