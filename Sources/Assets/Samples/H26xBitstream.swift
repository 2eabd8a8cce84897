// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import ColorTagging
internal import Host
package import MediaCore
package import NALUnits

/// The bitstream of H.264 and HEVC, which consists of NAL units.
package struct H26xBitstream: CodedBitstream {
  private let codec: NALCodec

  init(_ codec: NALCodec) { self.codec = codec }

  package var codecName: String { codec.rawValue }
  package var configurationBox: FourCC? { codec.configurationBox }
  package var carriesHDRMetadata: Bool { true }
  package var hasPreferredTransfer: Bool { true }
  package var configurationHoldsMessages: Bool { codec.configurationHoldsMessages }

  package var dolbyVisionProfile: UInt8? { codec.carriesDolbyVision ? 8 : nil }

  package func place(of kind: any StaticHDRMetadataKind.Type) -> StatementPlace? {
    .message(kind.payloadType)
  }

  package func carries(_ kind: any DynamicHDRMetadataKind.Type) -> Bool {
    kind.isCarried(by: codec)
  }

  package func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary? {
    BitstreamSummary(
      codec, configuration: configuration, firstSample: firstSample, laterUnits: laterUnits)
  }

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] {
    guard let summary else { return [] }
    var claims = [SignalClaim(source: .bitstream, signal: summary.signal)]
    // AVC-Intra has no parameter sets in its sample entry, so libavformat makes some up. The file
    // itself does not claim what they say.
    if isStored, let replaced = summary.replacedParameterSet {
      claims.append(SignalClaim(source: .sampleEntry, signal: replaced.signal))
    }
    if let preferred = summary.preferredTransferCharacteristics {
      let color = ColorDescription(.unspecified, preferred, .unspecified)
      claims.append(
        SignalClaim(source: .preferredTransfer, signal: SignalDescription(color: color)))
    }
    return claims
  }

  /// Returns the parameter sets, changed so that they declare the whole signal.
  package func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8] {
    // Encoders know fewer code points than H.273 has, and x264 does not write a chroma location of
    // 0. So the signal is written here.
    try NALUnit.split(annexB: parameterSets, codec).flatMap { unit -> [UInt8] in
      let unit = isInterlaced ? unit.ofInterlacedSource : unit
      guard case .sequenceParameterSet = TagCarrier(unit) else { return unit.annexB }
      return try SequenceParameterSet.retagging(unit) { $0 = signal }.annexB
    }
  }

  package func level(in parameterSets: [UInt8]) -> String? {
    NALUnit.split(annexB: parameterSets, codec).lazy
      .compactMap { try? SequenceParameterSet($0) }.first
      .map { "\(Double($0.levelIdc) / codec.levelUnit)" }
  }

  package func adding(_ messages: [SEIMessage], to parameterSets: [UInt8]) -> [UInt8] {
    guard codec.configurationHoldsMessages else { return parameterSets }
    return parameterSets + messages.flatMap { NALUnit(messages: [$0], codec).annexB }
  }

  package func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ messages: [SEIMessage], _ fieldOrder: FieldOrder,
    into sample: [UInt8]
  ) -> [UInt8] {
    let repeated = codec.configurationHoldsMessages ? [] : messages
    let units =
      repeated.map { NALUnit(messages: [$0], codec) } + fieldMessage(fieldOrder, beside: sample)
      + metadata.map { $0.nalUnit(codec) }
    guard !units.isEmpty else { return sample }
    // x264's samples begin with a message about the buffering period, which must stay the first
    // message (H.264, 7.4.1.2.3).
    return NALUnit.inserting(units, into: NALUnit.split(annexB: sample, codec)).flatMap(\.annexB)
  }

  /// Returns the message with the order of fields; nothing if the frame is progressive, if the
  /// encoder already wrote such a message, or if the codec's slices state the order.
  private func fieldMessage(_ order: FieldOrder, beside sample: [UInt8]) -> [NALUnit] {
    guard codec.statesFieldsInMessages, order != .progressive else { return [] }
    let isStated = NALUnit.split(annexB: sample, codec).contains { unit in
      unit.type.isSEI && SEIMessage.messages(in: unit).contains(where: \.isPictureTiming)
    }
    return isStated ? [] : [NALUnit(messages: [.fields(isTopFirst: order == .topFirst)], codec)]
  }

  package func replacing(
    in sample: [UInt8], configuration: [UInt8], with metadata: [any DynamicHDRMetadataKind],
    _ messages: [SEIMessage], rest: (NALUnit) -> NALUnit?
  ) throws -> [UInt8] {
    guard let record = try? DecoderConfiguration(configuration, codec) else { return sample }
    let units = record.split(sample)
    let repeated = codec.configurationHoldsMessages ? [] : messages
    let new =
      repeated.map { NALUnit(messages: [$0], codec) } + metadata.map { $0.nalUnit(codec) }
    let result = NALUnit.inserting(new, into: units.compactMap(rest))
    guard result != units else { return sample }
    return try result.flatMap { try $0.bytes(lengthSize: record.lengthSize) }
  }
}

extension NALUnit {
  /// Returns the unit with its length before it, or with a start code if `lengthSize` is `nil`.
  fileprivate func bytes(lengthSize: Int?) throws -> [UInt8] {
    guard let size = lengthSize else { return annexB }
    guard size > 3 || bytes.count < 1 << (8 * size) else {
      throw TranscodingError(
        .unusableInput,
        "the samples store the length of a NAL unit in \(size.counted("byte")), which is not "
          + "enough for the new metadata")
    }
    return lengthPrefixed(size)
  }
}
