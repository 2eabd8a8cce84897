internal import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// The HDR metadata that an output carries: what of the source's is still true of its pictures.
struct HDRMetadataPlan: Sendable {
  /// The mastering display: `mdcv` and SEI 137.
  private(set) var masteringDisplay: MasteringDisplayColorVolume?
  /// The content's light levels: `clli` and SEI 144.
  private(set) var contentLightLevel: ContentLightLevel?
  /// Whether these levels are measured from the output's pictures, and known only after the last.
  private(set) var measuresContentLightLevel = false
  /// The ambient viewing environment: `amve` and SEI 148.
  private(set) var ambientViewingEnvironment: AmbientViewingEnvironment?
  /// The transfer function that SEI 147 names, because the VUI has another in its place.
  private(set) var preferredTransfer: TransferCharacteristics?
  /// That other one, for receivers that do not know it.
  private(set) var fallbackTransfer: TransferCharacteristics?
  /// Whether the source states no ambient viewing environment and one is assumed.
  private(set) var assumesAmbientViewingEnvironment = false
  /// The Dolby Vision configuration; each picture then carries an RPU.
  private(set) var dolbyVision: ConfigurationRecord?
  /// Whether RPUs are computed from the pictures, and not those of the source's pictures.
  private(set) var computesRPUs = false
  /// Whether each picture carries its source picture's HDR10+ metadata.
  private(set) var carriesHDR10Plus = false
  /// What the source has and the output has not, for people.
  private(set) var lost: [String] = []

  /// Nothing.
  static let none = HDRMetadataPlan()

  private init() {}

  /// What becomes of a track's metadata.
  ///
  /// - Parameters:
  ///   - pictures: what happens to the pictures.
  ///   - output: what the output's pictures mean.
  ///   - fallback: the transfer function that the output's VUI states in the place of its own, with
  ///     SEI 147; nil for none.
  init(
    _ metadata: HDRMetadata, pictures: PictureChange, from source: ColorDescription,
    to output: ColorDescription, fallback: TransferCharacteristics?, settings: VideoSettings,
    encoder: VideoEncoderSettings
  ) {
    guard output.transferCharacteristics.isHDR else { return }
    guard settings.codec == .hevc else {
      lose(metadata)
      return
    }
    if let fallback {
      (preferredTransfer, fallbackTransfer) = (output.transferCharacteristics, fallback)
    }
    measuresContentLightLevel = settings.contentLightLevel == .measure
    let keepsTransfer = source.transferCharacteristics == output.transferCharacteristics
    if keepsTransfer { keepStatic(metadata, pictures, output) }
    if settings.hdrMetadataInsertionMode == .auto, keepsTransfer,
      encoder.holdsDolbyVisionBaseLayer
    {
      let isTrue = pictures == .none && settings.preserveDynamicHDRMetadata
      if isTrue { keepDolbyVision(metadata, output, encoder) }
      if dolbyVision == nil, output == .hlg { computeDolbyVision(encoder) }
    }
    lose(metadata)
  }

  /// Notes what of the source's is not carried.
  private mutating func lose(_ metadata: HDRMetadata) {
    lost = metadata.names.filter { !names.contains($0) }
    // Of profiles other than 8 it is told in words of their own.
    if DolbyVisionSource(metadata)?.notice != nil {
      lost.removeAll { $0 == HDRMetadata.dolbyVisionName }
    }
  }

  /// States the light levels that were measured.
  mutating func state(_ measured: ContentLightLevel) {
    guard measuresContentLightLevel else { return }
    contentLightLevel = measured
  }

  /// What is done to the pictures.
  enum PictureChange: Sendable {
    /// Nothing: the encoder gets the decoded samples.
    case none
    /// They have another size, and their colors.
    case size
    /// They have other colors.
    case colors
  }

  private mutating func keepStatic(
    _ metadata: HDRMetadata, _ pictures: PictureChange, _ output: ColorDescription
  ) {
    // HLG is made for surroundings; PQ is absolute.
    if output.transferCharacteristics == .hlg {
      ambientViewingEnvironment = metadata.ambientViewingEnvironment?.value
    }
    masteringDisplay = metadata.masteringDisplay?.value
    guard pictures != .colors else { return }
    if !measuresContentLightLevel { contentLightLevel = metadata.contentLightLevel?.value }
    carriesHDR10Plus = metadata.hasHDR10Plus && output.transferCharacteristics == .pq
  }

  /// Profile 8 on the base layer that it is made for: HLG with compatibility 4, PQ with 1.
  private mutating func keepDolbyVision(
    _ metadata: HDRMetadata, _ output: ColorDescription, _ encoder: VideoEncoderSettings
  ) {
    let record = metadata.dolbyVision?.value
    let compatibility: UInt8 = output.transferCharacteristics == .hlg ? 4 : 1
    guard metadata.hasDolbyVisionRPU, metadata.dolbyVisionRPU?.profile ?? 8 == 8,
      record.map({
        $0.profile == 8 && $0.baseLayerSignalCompatibilityID == compatibility
          && !$0.hasEnhancementLayer
      }) ?? (compatibility == 4)
    else { return }
    // Size and rate are the source's: so is the level.
    dolbyVision =
      record
      ?? ConfigurationRecord(
        profile: 8, baseLayerSignalCompatibilityID: compatibility, width: encoder.size.width,
        height: encoder.size.height, frameRate: encoder.nominalFrameRate)
  }

  /// Profile 8.4 from the pictures, whatever the source had.
  private mutating func computeDolbyVision(_ encoder: VideoEncoderSettings) {
    dolbyVision = ConfigurationRecord(
      profile: 8, baseLayerSignalCompatibilityID: 4, width: encoder.size.width,
      height: encoder.size.height, frameRate: encoder.nominalFrameRate)
    guard dolbyVision != nil else { return }
    computesRPUs = true
    guard ambientViewingEnvironment == nil else { return }
    // TN3145 wants `amve`; without, players show pictures too bright. These are a phone's values.
    ambientViewingEnvironment = AmbientViewingEnvironment(
      ambientIlluminance: 3_140_000, ambientLightX: 15_635, ambientLightY: 16_450)
    assumesAmbientViewingEnvironment = true
  }

  /// What is written, for people: a line each.
  var lines: [String] {
    [
      dolbyVision.map {
        "Dolby Vision \($0): "
          + (computesRPUs ? "measured from the output's pictures" : "the source's RPUs")
      },
      ambientViewingEnvironment.map {
        "ambient viewing environment: \($0.illuminance) lux"
          + (assumesAmbientViewingEnvironment ? " (assumed)" : "")
      },
      masteringDisplay.map {
        "mastering display: \($0.minimumLuminance)…\($0.maximumLuminance) cd/m²"
      },
      measuresContentLightLevel
        ? "content light level: MaxCLL and MaxFALL, measured from the output's pictures"
        : contentLightLevel.map { "content light level: \($0.text)" },
      carriesHDR10Plus ? "HDR10+: the source's" : nil,
      preferredTransfer.map { "preferred transfer function: \($0), as in the source (SEI 147)" },
    ].compactMap { $0 }
  }

  /// What is carried, for people.
  var names: [String] {
    var metadata = HDRMetadata()
    metadata.masteringDisplay = masteringDisplay.map { .init(value: $0, places: []) }
    let light =
      contentLightLevel
      ?? (measuresContentLightLevel
        ? ContentLightLevel(maxContentLightLevel: 0, maxPicAverageLightLevel: 0) : nil)
    metadata.contentLightLevel = light.map { .init(value: $0, places: []) }
    metadata.ambientViewingEnvironment = ambientViewingEnvironment.map {
      .init(value: $0, places: [])
    }
    metadata.dolbyVision = dolbyVision.map { .init(value: $0, places: []) }
    metadata.hasHDR10Plus = carriesHDR10Plus
    return metadata.names
  }
}

extension ContentLightLevel {
  /// Both levels, for people.
  var text: String {
    "MaxCLL \(maxContentLightLevel), MaxFALL \(maxPicAverageLightLevel) cd/m²"
  }
}

extension VideoEncoderSettings {
  /// Whether pictures are what profile 8 needs: 10 bits, 4:2:0, BT.2020, limited range.
  fileprivate var holdsDolbyVisionBaseLayer: Bool {
    format.bitDepth == 10 && format.chromaSubsampling == .cs420
      && signal.color.colorPrimaries == .bt2020
      && signal.color.matrixCoefficients == ColorDescription.hlg.matrixCoefficients
      && signal.videoFullRangeFlag != true
  }

  /// Pictures a second, as levels count them.
  fileprivate var nominalFrameRate: Double {
    ConfigurationRecord.nominalFrameRate(
      Double(frameRate.numerator) / Double(max(frameRate.denominator, 1)))
  }
}
