// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import ColorTagging
package import MediaCore
package import NALUnits
internal import OBUs

/// The bitstream of AV1, which consists of open bitstream units.
package struct AV1Bitstream: CodedBitstream {
  package let codecName = "av1"
  package let configurationBox: FourCC? = "av1C"

  package func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary? {
    let stored = AV1ConfigurationRecord(configuration).units
    let units = OBU.split(firstSample)
    // Frames are decoded with the header in the first sample.
    guard let header = AV1SequenceHeader(in: units) ?? AV1SequenceHeader(in: stored) else {
      return nil
    }
    return BitstreamSummary(
      codecName: codecName, size: header.size, bitDepth: header.bitDepth,
      chromaFormatIdc: header.chromaFormatIdc, signal: header.signal,
      profileName: header.profileName, levelName: header.levelName,
      isOfUsualProfile: header.profile == 0, hasFilmGrain: header.hasFilmGrain,
      operatingPointCount: header.operatingPointCount,
      configurationUnits: stored.compactMap(\.metadata),
      units: units.compactMap(\.metadata) + laterUnits)
  }

  package func check(
    _ configuration: [UInt8], isInBox: Bool, firstSample: [UInt8]
  ) -> ConfigurationCheck? {
    let units = OBU.split(firstSample)
    if !isInBox {
      // If the file stores no configuration, either `configuration` is empty, or libavformat took
      // it from the samples. Either way, there is nothing to compare.
      let bare = AV1SequenceHeader(in: OBU.split(configuration))
      let isTaken =
        bare.map { $0.describesFrames(like: AV1SequenceHeader(in: units) ?? $0) }
        ?? configuration.isEmpty
      guard !isTaken else { return nil }
    }
    guard let faults = AV1ConfigurationRecord.faults(of: configuration, beside: units),
      let record = AV1ConfigurationRecord(fitting: units, stated: configuration)
    else { return nil }
    return ConfigurationCheck(
      faults: faults, replacement: record.bytes == configuration ? nil : record.bytes)
  }

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] {
    summary.map { [SignalClaim(source: .bitstream, signal: $0.signal)] } ?? []
  }

  package func declared(_ signal: SignalDescription) -> SignalDescription {
    AV1SequenceHeader.expressible(signal)
  }

  package var carriesHDRMetadata: Bool { true }

  package var dolbyVisionProfile: UInt8? { 10 }

  package func carries(_ kind: any DynamicHDRMetadataKind.Type) -> Bool { true }

  package func place(of kind: any StaticHDRMetadataKind.Type) -> StatementPlace? {
    kind.metadataOBUType.map { .metadataOBU($0) }
  }

  package func showsFrame(_ sample: [UInt8], configuration: [UInt8]) -> Bool? {
    let stored = AV1ConfigurationRecord(configuration).units
    return OBU.split(sample).shownFrameIndex(after: stored) != nil
  }

  package func beginsDecoding(_ sample: [UInt8], configuration: [UInt8]) -> Bool? {
    OBU.split(sample).beginsDecoding(after: AV1ConfigurationRecord(configuration).units)
  }

  package var tellsDecodingStarts: Bool { true }

  package func metadataUnits(in sample: [UInt8]) -> [NALUnit] {
    OBU.split(sample).compactMap(\.metadata)
  }

  package func metadataFault(in sample: [UInt8], configuration: [UInt8]) -> String? {
    OBU.split(sample).metadataFault(after: AV1ConfigurationRecord(configuration).units)
  }

  package func isCutOff(_ sample: [UInt8]) -> Bool {
    OBU.rest(of: sample, after: OBU.split(sample)).contains { $0 != 0 }
  }

  package var isParsedByMuxers: Bool { true }

  package func storable(_ sample: [UInt8]) -> [UInt8] {
    let units = OBU.split(sample)
    // Without its frame, the rest of a damaged sample is of no use.
    let isUseful =
      isCutOff(sample) ? units.shownFrameIndex() != nil : units.contains(where: \.belongsInSample)
    return isUseful ? units.flatMap(\.bytes) : []
  }

  package func configuration(
    _ configuration: [UInt8], rest: (NALUnit) -> NALUnit?
  ) -> [UInt8] {
    let old = AV1ConfigurationRecord(configuration)
    var new = old
    new.keepUnits { $0.metadata.map { rest($0) != nil } ?? true }
    return new == old ? configuration : new.bytes
  }

  package func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8] {
    var record = AV1ConfigurationRecord(parameterSets)
    record.replaceUnits { $0.stating(signal) }
    return record.bytes
  }

  package func level(in parameterSets: [UInt8]) -> String? {
    AV1SequenceHeader(in: AV1ConfigurationRecord(parameterSets).units)?.levelName
  }

  package func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ messages: [SEIMessage], _ fieldOrder: FieldOrder,
    into sample: [UInt8]
  ) -> [UInt8] {
    let new = Self.units(messages, metadata)
    guard !new.isEmpty else { return sample }
    let units = OBU.split(sample)
    return units.inserting(new).flatMap(\.bytes) + OBU.rest(of: sample, after: units)
  }

  package func replacing(
    in sample: [UInt8], configuration: [UInt8], with metadata: [any DynamicHDRMetadataKind],
    _ messages: [SEIMessage], rest: (NALUnit) -> NALUnit?
  ) throws -> [UInt8] {
    let units = OBU.split(sample)
    let kept = units.compactMap { unit -> OBU? in
      guard let metadata = unit.metadata else { return unit }
      // A metadata unit has a single message, so it stays as a whole or not at all.
      return rest(metadata) == nil ? nil : unit
    }
    let stored = AV1ConfigurationRecord(configuration).units
    return kept.inserting(Self.units(messages, metadata), after: stored).flatMap(\.bytes)
      + OBU.rest(of: sample, after: units)
  }

  private static func units(
    _ messages: [SEIMessage], _ metadata: [any DynamicHDRMetadataKind]
  ) -> [OBU] {
    messages.compactMap { MetadataOBU($0)?.unit }
      + metadata.compactMap { OBU(metadata: $0.nalUnit(.hevc)) }
  }
}
