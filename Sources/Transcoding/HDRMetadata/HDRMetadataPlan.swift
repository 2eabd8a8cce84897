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
  /// The ambient viewing environment: `amve` and SEI 148.
  private(set) var ambientViewingEnvironment: AmbientViewingEnvironment?
  /// The Dolby Vision configuration; each picture then carries its source picture's RPU.
  private(set) var dolbyVision: ConfigurationRecord?
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
  init(
    _ metadata: HDRMetadata, pictures: PictureChange, from source: ColorDescription,
    to output: ColorDescription, settings: VideoSettings, encoder: VideoEncoderSettings
  ) {
    guard output.transferCharacteristics.isHDR else { return }
    guard settings.codec == .hevc else {
      lost = metadata.names
      return
    }
    let keepsTransfer = source.transferCharacteristics == output.transferCharacteristics
    if keepsTransfer { keepStatic(metadata, pictures, output) }
    if settings.hdrMetadataInsertionMode == .auto, settings.preserveDynamicHDRMetadata,
      keepsTransfer, pictures == .none
    {
      keepDolbyVision(metadata, output, encoder)
    }
    lost = metadata.names.filter { !names.contains($0) }
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
    if pictures != .colors { contentLightLevel = metadata.contentLightLevel?.value }
  }

  /// Profile 8 on the base layer that it is made for: HLG with compatibility 4, PQ with 1.
  private mutating func keepDolbyVision(
    _ metadata: HDRMetadata, _ output: ColorDescription, _ encoder: VideoEncoderSettings
  ) {
    let record = metadata.dolbyVision?.value
    let compatibility: UInt8 = output.transferCharacteristics == .hlg ? 4 : 1
    guard metadata.hasDolbyVisionRPU, output.colorPrimaries == .bt2020,
      encoder.format.bitDepth == 10, encoder.format.chromaSubsampling == .cs420,
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

  /// What is carried, for people.
  var names: [String] {
    var metadata = HDRMetadata()
    metadata.masteringDisplay = masteringDisplay.map { .init(value: $0, places: []) }
    metadata.contentLightLevel = contentLightLevel.map { .init(value: $0, places: []) }
    metadata.ambientViewingEnvironment = ambientViewingEnvironment.map {
      .init(value: $0, places: [])
    }
    metadata.dolbyVision = dolbyVision.map { .init(value: $0, places: []) }
    return metadata.names
  }
}

extension VideoEncoderSettings {
  /// Pictures a second; measured rates are a little off the nominal ones, which levels count.
  fileprivate var nominalFrameRate: Double {
    let rate = Double(frameRate.numerator) / Double(max(frameRate.denominator, 1))
    return abs(rate - rate.rounded()) < 0.05 ? rate.rounded() : rate
  }
}
