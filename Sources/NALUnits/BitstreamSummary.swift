// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// What a track's bitstream says about the frames: the parameter sets or the sequence header, and
/// what the first samples contain besides frames.
package struct BitstreamSummary: Hashable, Sendable {
  /// FFmpeg's name for the codec.
  package let codecName: String
  /// The sequence parameter set that the first picture is decoded with; `nil` if the bitstream does
  /// not consist of NAL units.
  package let parameterSet: SequenceParameterSet?
  /// The sequence parameter set in the sample entry, if a sample replaces it with a different one.
  package let replacedParameterSet: SequenceParameterSet?
  /// The size of a frame in luma samples.
  package let size: VideoDimensions
  /// The bit depth of luma.
  package let bitDepth: Int
  /// The chroma subsampling as H.265 numbers it: 0 for monochrome, 1 for 4:2:0.
  package let chromaFormatIdc: Int
  /// Color, range and chroma location, as the bitstream declares them.
  package let signal: SignalDescription
  /// The profile as text for people: `Main 10`, or its number if it has no name here.
  package let profileName: String
  /// The level as text for people: `4.1`. `nil` if the bitstream states none.
  package let levelName: String?
  /// Whether every player that supports the codec can decode the profile.
  package let isOfUsualProfile: Bool
  /// Whether the bitstream describes film grain that decoders add to the frames.
  package let hasFilmGrain: Bool
  /// How many operating points (sets of layers) an AV1 decoder can choose from; 1 if the bitstream
  /// has no layers.
  package let operatingPointCount: Int
  /// The SEI messages beside the parameter sets in the sample entry.
  package let configurationSEI: [SEIMessage]
  /// The SEI messages of the first access units.
  package let sampleSEI: [SEIMessage]
  /// The NAL units that may contain metadata, from the first access units.
  package let unitsBesidePictures: [NALUnit]
  /// Whether the first access units contain NAL units of a Dolby Vision enhancement layer.
  package let hasDolbyVisionEnhancementLayer: Bool
  /// Whether the first access units have slices of another layer or view: the second eye of
  /// MV-HEVC, or of MVC in H.264.
  package let hasOtherLayers: Bool

  /// Reads the beginning of a bitstream.
  ///
  /// - Parameters:
  ///   - configuration: the content of `avcC` or `hvcC`, or parameter sets with start codes.
  ///   - firstSample: the first access unit.
  ///   - laterUnits: units of the next access units. Parameter sets in them are ignored.
  /// - Returns: `nil` if no sequence parameter set can be read.
  package init?(
    _ codec: NALCodec, configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit] = []
  ) {
    let record = try? DecoderConfiguration(configuration, codec)
    let units = record?.split(firstSample) ?? NALUnit.split(annexB: firstSample, codec)
    let stored = record?.units ?? []
    // Sets in the first sample may replace those of the sample entry, so both are read together.
    guard let parameterSet = SequenceParameterSet.active(in: stored + units) else { return nil }
    let storedSet = SequenceParameterSet.active(in: stored)
    replacedParameterSet = storedSet == parameterSet ? nil : storedSet
    codecName = codec.rawValue
    self.parameterSet = parameterSet
    size = VideoDimensions(width: parameterSet.width, height: parameterSet.height)
    (bitDepth, chromaFormatIdc) = (parameterSet.bitDepthLuma, parameterSet.chromaFormatIdc)
    signal = parameterSet.signal
    profileName = parameterSet.profileName(in: codec)
    let tenths = parameterSet.levelIdc * 10 / Int(codec.levelUnit)
    levelName = "\(tenths / 10).\(tenths % 10)"
    isOfUsualProfile = codec.usualProfiles.contains(parameterSet.profileIdc)
    let first = units + laterUnits
    configurationSEI = stored.seiMessages
    sampleSEI = first.seiMessages
    hasFilmGrain = (configurationSEI + sampleSEI).contains(where: \.isFilmGrain)
    operatingPointCount = 1
    unitsBesidePictures = first.filter(\.isBesidePicture)
    hasDolbyVisionEnhancementLayer = first.contains(where: \.isDolbyVisionEnhancementLayer)
    hasOtherLayers = first.contains(where: \.isPictureOfOtherLayer)
  }

  /// Describes a bitstream that does not consist of NAL units.
  ///
  /// - Parameters:
  ///   - configurationUnits: metadata for all frames, in the form of H.265 NAL units.
  ///   - units: metadata of the first frames, in the same form.
  package init(
    codecName: String, size: VideoDimensions, bitDepth: Int, chromaFormatIdc: Int,
    signal: SignalDescription, profileName: String, levelName: String?, isOfUsualProfile: Bool,
    hasFilmGrain: Bool, operatingPointCount: Int, configurationUnits: [NALUnit], units: [NALUnit]
  ) {
    (self.codecName, self.signal) = (codecName, signal)
    (self.size, self.bitDepth, self.chromaFormatIdc) = (size, bitDepth, chromaFormatIdc)
    (self.profileName, self.levelName) = (profileName, levelName)
    self.isOfUsualProfile = isOfUsualProfile
    (self.hasFilmGrain, self.operatingPointCount) = (hasFilmGrain, operatingPointCount)
    (parameterSet, replacedParameterSet) = (nil, nil)
    configurationSEI = configurationUnits.seiMessages
    sampleSEI = units.seiMessages
    unitsBesidePictures = units
    (hasDolbyVisionEnhancementLayer, hasOtherLayers) = (false, false)
  }

  /// The codec, or `nil` if the bitstream does not consist of NAL units.
  package var codec: NALCodec? { NALCodec(rawValue: codecName) }

  /// Returns the place in the bitstream for static metadata of a kind; `nil` if the bitstream has
  /// no place for it.
  package func place(of kind: any StaticHDRMetadataKind.Type) -> StatementPlace? {
    codec == nil ? kind.metadataOBUType.map { .metadataOBU($0) } : .message(kind.payloadType)
  }

  /// Whether a message says that each frame has the views of both eyes, or that frames alternate
  /// between the eyes.
  package var hasFramePacking: Bool {
    (configurationSEI + sampleSEI).contains(where: \.isFramePacking)
  }

  /// The transfer characteristics that SEI message 147 asks decoders to prefer; `nil` if absent.
  package var preferredTransferCharacteristics: TransferCharacteristics? {
    (configurationSEI + sampleSEI).lazy.compactMap(\.preferredTransferCharacteristics).first
  }

  /// Whether the profile is Main 10 of HEVC.
  package var isMain10: Bool { codec == .hevc && parameterSet?.profileIdc == 2 }
}

extension SequenceParameterSet {
  fileprivate func profileName(in codec: NALCodec) -> String {
    let names: [Int: String] =
      codec == .hevc
      ? [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Range Extensions"]
      : [
        // `constraint_set1_flag` turns Baseline into Constrained Baseline (H.264, A.2.1.1).
        66: constraintFlags & 0x40 != 0 ? "Constrained Baseline" : "Baseline",
        77: "Main", 88: "Extended", 100: "High", 110: "High 10", 122: "High 4:2:2",
        244: "High 4:4:4 Predictive",
      ]
    return names[profileIdc] ?? "profile \(profileIdc)"
  }
}
