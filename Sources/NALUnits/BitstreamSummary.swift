// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Statements of a track's bitstream about its pictures: its parameter sets, the SEI beside them,
/// and what its first access units have beside their pictures.
package struct BitstreamSummary: Hashable, Sendable {
  /// The codec.
  package let codec: NALCodec
  /// The sequence parameter set that the first picture is decoded with.
  package let parameterSet: SequenceParameterSet
  /// The sequence parameter set in the sample entry, where samples have another in its place; nil
  /// where they do not.
  package let replacedParameterSet: SequenceParameterSet?
  /// SEI messages that stand with the parameter sets in the sample entry.
  package let configurationSEI: [SEIMessage]
  /// SEI messages of the first access units.
  package let sampleSEI: [SEIMessage]
  /// The units of the first access units that may hold metadata.
  package let unitsBesidePictures: [NALUnit]
  /// True if the first access units have units of Dolby Vision's enhancement layer.
  package let hasDolbyVisionEnhancementLayer: Bool
  /// True if the first access units have slices of another layer (`nuh_layer_id` above 0) or view:
  /// the second eye of MV-HEVC, or of MVC in H.264.
  package let hasOtherLayers: Bool

  /// Reads a bitstream.
  ///
  /// - Parameters:
  ///   - configuration: `avcC` or `hvcC` content, or parameter sets with start codes.
  ///   - firstSample: the first access unit.
  ///   - laterUnits: units of the next ones, which parameter sets are not looked for in.
  /// - Returns: nil where there is no sequence parameter set that can be read.
  package init?(
    _ codec: NALCodec, configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit] = []
  ) {
    let record = try? DecoderConfiguration(configuration, codec)
    let units = record?.split(firstSample) ?? NALUnit.split(annexB: firstSample, codec)
    let stored = record?.units ?? []
    guard let parameterSet = ActiveParameterSet(stored + units).parameterSet else { return nil }
    let storedSet = ActiveParameterSet(stored).parameterSet
    replacedParameterSet = storedSet == parameterSet ? nil : storedSet
    self.codec = codec
    self.parameterSet = parameterSet
    let first = units + laterUnits
    configurationSEI = Self.messages(in: stored)
    sampleSEI = Self.messages(in: first)
    unitsBesidePictures = first.filter(\.isBesidePicture)
    hasDolbyVisionEnhancementLayer = first.contains(where: \.isDolbyVisionEnhancementLayer)
    hasOtherLayers = first.contains(where: \.isPictureOfOtherLayer)
  }

  private static func messages(in units: [NALUnit]) -> [SEIMessage] {
    units.filter(\.type.isSEI).flatMap(SEIMessage.messages)
  }

  /// True if a message says that both eyes are in one picture or in pictures in turn.
  package var hasFramePacking: Bool {
    (configurationSEI + sampleSEI).contains(where: \.isFramePacking)
  }

  /// Color, range and chroma location as the VUI states them.
  package var signal: SignalDescription { parameterSet.signal }

  /// The transfer characteristics that SEI 147 prefers, where it is there.
  package var preferredTransferCharacteristics: TransferCharacteristics? {
    (configurationSEI + sampleSEI).lazy.compactMap(\.preferredTransferCharacteristics).first
  }

  /// The profile, for people: `Main 10`, or its number.
  package var profileName: String {
    let names: [Int: String] =
      codec == .hevc
      ? [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Range Extensions"]
      : [
        66: parameterSet.constraintFlags & 0x40 != 0 ? "Constrained Baseline" : "Baseline",
        77: "Main", 88: "Extended", 100: "High", 110: "High 10", 122: "High 4:2:2",
        244: "High 4:4:4 Predictive",
      ]
    return names[parameterSet.profileIdc] ?? "profile \(parameterSet.profileIdc)"
  }

  /// True if the profile is Main 10 of HEVC.
  package var isMain10: Bool { codec == .hevc && parameterSet.profileIdc == 2 }

  /// The level, for people: `4.1`.
  package var levelName: String {
    let tenths = parameterSet.levelIdc * 10 / Int(codec.levelUnit)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
