// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Parameter sets and messages that stand in the samples of a track.
struct UnitSurvey: Sendable {
  /// Samples with a NAL unit that ends behind them.
  private(set) var cutOff = Tally()
  /// Samples with parameter sets of the base layer.
  private(set) var parameterSets = Tally()
  /// Samples with parameter sets that are not those of the sample entry.
  private(set) var otherParameterSets = Tally()
  /// Different messages of HDR metadata, each once.
  private(set) var messages: [SEIMessage] = []
  /// Samples with dynamic metadata, by the keys of the kinds.
  private(set) var metadata: [String: Tally] = [:]
  /// Samples with NAL units of Dolby Vision's enhancement layer.
  private(set) var enhancementLayer = Tally()

  /// Samples with slices of another layer: the second eye of MV-HEVC.
  private(set) var otherLayers = Tally()

  /// Static HDR metadata and the preferred transfer function.
  private static let payloadTypes = Set(
    StaticHDRMetadata.kinds.map { $0.payloadType } + [SEIPayloadType.preferredTransfer])

  private let codec: NALCodec?
  private let configuration: DecoderConfiguration?
  private var grouping = AccessUnitGrouping()

  /// A survey of a track; encrypted samples and those of other codecs are not looked into.
  init(_ track: AssetTrack) {
    codec = track.isEncrypted ? nil : track.video?.bitstream?.codec
    configuration = codec.flatMap {
      try? DecoderConfiguration(track.demuxed.codec.extradata, $0)
    }
  }

  /// Looks into a sample.
  ///
  /// - Returns: the access units that are complete with it, where it is HEVC: of a movie, the
  ///   sample itself.
  mutating func add(_ sample: [UInt8], sample index: Int) -> [[NALUnit]] {
    guard let codec else { return [] }
    let units = configuration?.split(sample) ?? NALUnit.split(annexB: sample, codec)
    if isCutOff(sample, units) { cutOff.add(index) }
    let stored = configuration?.units ?? []
    let sets = units.filter(\.isBaseParameterSet)
    if !sets.isEmpty { parameterSets.add(index) }
    if sets.contains(where: { !stored.contains($0) }) { otherParameterSets.add(index) }
    for kind in FrameMetadata.kinds where kind.payload(in: units[...]) != nil {
      metadata[kind.key, default: Tally()].add(index)
    }
    addMessages(of: units.filter(\.type.isSEI))
    guard codec.carriesHDRMetadata else { return [] }
    if units.contains(where: \.isDolbyVisionEnhancementLayer) {
      enhancementLayer.add(index)
    }
    if units.contains(where: \.isPictureOfOtherLayer) { otherLayers.add(index) }
    return configuration?.lengthSize == nil ? grouping.add(units) : [units]
  }

  private mutating func addMessages(of units: [NALUnit]) {
    for message in units.flatMap(SEIMessage.messages)
    where Self.payloadTypes.contains(message.payloadType) && !messages.contains(message) {
      messages.append(message)
    }
  }

  /// True if lengths and units do not fill a sample; zeros are padding.
  private func isCutOff(_ sample: [UInt8], _ units: [NALUnit]) -> Bool {
    guard let lengthSize = configuration?.lengthSize else { return false }
    let filled = units.reduce(0) { $0 + lengthSize + $1.bytes.count }
    return sample.dropFirst(filled).contains { $0 != 0 }
  }

  /// Returns the units that are left at the end.
  mutating func finish() -> [[NALUnit]] { grouping.finish() }
}

/// Puts the NAL units of an HEVC byte stream together to access units (H.265, 7.4.2.4.4): demuxers
/// of byte streams cut them at other places now and then.
struct AccessUnitGrouping: Sendable {
  private var current: [NALUnit] = []
  private var hasPicture = false

  /// Takes more units of the stream.
  ///
  /// - Returns: the access units that are complete.
  mutating func add(_ units: [NALUnit]) -> [[NALUnit]] {
    var complete: [[NALUnit]] = []
    for unit in units {
      if hasPicture && unit.beginsAccessUnit { complete += finish() }
      current.append(unit)
      hasPicture = hasPicture || unit.type.isVCL
    }
    return complete
  }

  /// The last access unit, at the end of the stream.
  mutating func finish() -> [[NALUnit]] {
    defer { (current, hasPicture) = ([], false) }
    return current.isEmpty ? [] : [current]
  }
}
