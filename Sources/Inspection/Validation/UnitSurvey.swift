// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The parameter sets and the metadata inside the samples of a track.
struct UnitSurvey: Sendable {
  /// Samples with a unit that reaches beyond the sample's end.
  private(set) var cutOff = Tally()
  /// Samples whose metadata is in the wrong form or place.
  private(set) var metadataFaults = Tally()
  /// Samples with parameter sets of the base layer.
  private(set) var parameterSets = Tally()
  /// Samples with parameter sets that the sample entry does not have.
  private(set) var otherParameterSets = Tally()
  /// SEI messages with static HDR metadata, or with the preferred transfer function (SEI 147).
  /// Equal messages are listed once.
  private(set) var messages: [SEIMessage] = []
  /// Samples with dynamic metadata, by the key of its kind.
  private(set) var metadata: [String: Tally] = [:]
  /// The HDR10+ of the samples.
  private(set) var hdr10Plus = MetadataSurvey<HDR10Plus>()
  /// The headroom-adaptive gain curves of the samples.
  private(set) var headroomAdaptiveGain = MetadataSurvey<HeadroomAdaptiveGain>()
  /// Samples with NAL units of Dolby Vision's enhancement layer.
  private(set) var enhancementLayer = Tally()

  /// Samples with slices of a layer other than the first. In MV-HEVC, that layer is the second eye.
  private(set) var otherLayers = Tally()

  // Keep only the messages that rules ask for. Other messages, such as picture timing, differ in
  // every frame, and comparing them all would take time that grows with the square of the length.
  private static let payloadTypes = Set(
    StaticHDRMetadata.kinds.map { $0.payloadType } + [SEIPayloadType.preferredTransfer])

  private let codec: NALCodec?
  private let bitstream: (any CodedBitstream)?
  private let configuration: DecoderConfiguration?
  private let configurationBytes: [UInt8]
  /// The units of a byte stream's current access unit, and whether a slice is among them.
  private var accessUnit: [NALUnit] = []
  private var hasPicture = false

  /// Creates a survey. It does not examine samples that are encrypted, or whose codec is not read
  /// here.
  init(_ track: AssetTrack) {
    bitstream = track.isEncrypted ? nil : track.demuxed.codec.bitstream
    codec = track.isEncrypted ? nil : track.video?.bitstream?.codec
    configurationBytes = track.demuxed.codec.extradata
    configuration = codec.flatMap {
      try? DecoderConfiguration(track.demuxed.codec.extradata, $0)
    }
  }

  /// Examines a sample.
  ///
  /// - Returns: the access units that the sample completes and that may have RPUs. In a movie, each
  ///   sample is one access unit.
  mutating func add(_ sample: [UInt8], sample index: Int) -> [[NALUnit]] {
    guard let codec else { return addMetadata(of: sample, index) }
    let units = configuration?.split(sample) ?? NALUnit.split(annexB: sample, codec)
    if isCutOff(sample, units) { cutOff.add(index) }
    let stored = configuration?.units ?? []
    let sets = units.filter(\.isBaseParameterSet)
    if !sets.isEmpty { parameterSets.add(index) }
    if sets.contains(where: { !stored.contains($0) }) { otherParameterSets.add(index) }
    add(units, sample: index)
    guard codec.carriesDolbyVision else { return [] }
    if units.contains(where: \.isDolbyVisionEnhancementLayer) {
      enhancementLayer.add(index)
    }
    if units.contains(where: \.isPictureOfOtherLayer) { otherLayers.add(index) }
    // Only byte streams need grouping, because in a movie each sample is an access unit (ISO/IEC
    // 14496-15).
    return configuration?.lengthSize == nil ? group(units) : [units]
  }

  /// Examines a sample that does not consist of NAL units.
  private mutating func addMetadata(of sample: [UInt8], _ index: Int) -> [[NALUnit]] {
    guard let bitstream, bitstream.carriesHDRMetadata else { return [] }
    if bitstream.isCutOff(sample) { cutOff.add(index) }
    if let fault = bitstream.metadataFault(in: sample, configuration: configurationBytes) {
      metadataFaults.add(index, fault)
    }
    let units = bitstream.metadataUnits(in: sample)
    add(units, sample: index)
    guard bitstream.carries(DolbyVisionRPU.self) else { return [] }
    // Only in HEVC does it matter what follows an RPU, so put the RPUs last here.
    return [units.filter { !$0.isDolbyVisionRPU } + units.filter(\.isDolbyVisionRPU)]
  }

  private mutating func add(_ units: [NALUnit], sample index: Int) {
    for kind in FrameMetadata.kinds where kind.payload(in: units[...]) != nil {
      metadata[kind.key, default: Tally()].add(index)
    }
    let found = units.seiMessages
    hdr10Plus.add(found)
    headroomAdaptiveGain.add(found)
    for message in found
    where Self.payloadTypes.contains(message.payloadType) && !messages.contains(message) {
      messages.append(message)
    }
  }

  /// Whether a sample ends before its last NAL unit ends.
  private func isCutOff(_ sample: [UInt8], _ units: [NALUnit]) -> Bool {
    guard let lengthSize = configuration?.lengthSize else { return false }
    let filled = units.reduce(0) { $0 + lengthSize + $1.bytes.count }
    // Some writers pad samples with zeros. Any other bytes at the end belong to a unit that is cut
    // off.
    return sample.dropFirst(filled).contains { $0 != 0 }
  }

  /// Groups the NAL units of an HEVC byte stream into access units (H.265, 7.4.2.4.4).
  ///
  /// - Returns: the access units that are now complete.
  private mutating func group(_ units: [NALUnit]) -> [[NALUnit]] {
    var complete: [[NALUnit]] = []
    for unit in units {
      // Parameter sets and prefix SEI begin an access unit only if a slice came before. Otherwise
      // they belong to the current access unit.
      if hasPicture && unit.beginsAccessUnit { complete += finish() }
      accessUnit.append(unit)
      hasPicture = hasPicture || unit.type.isVCL
    }
    return complete
  }

  /// Returns the last access unit of a byte stream.
  mutating func finish() -> [[NALUnit]] {
    defer { (accessUnit, hasPicture) = ([], false) }
    return accessUnit.isEmpty ? [] : [accessUnit]
  }
}
